import { type ComponentType, useEffect, useState } from 'react';
import { useText } from '../i18n/i18n.tsx';
import { loadWithRetry } from '../page/lazy-loading.ts';
import { textOf } from './notice-text.ts';
import { type Notice, toastArea } from './notify.ts';

function Ready() {
  useEffect(() => toastArea.ready(), []);
  return null;
}

/** The toasts have code of their own, which a bad network can delay indefinitely. Milliseconds. */
const PLAIN_AFTER_MS = 300;

/** A notice without the code of toasts: an action that failed because of the network must still be reported. */
function PlainNotice({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const text = useText();
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), PLAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!due) return null;
  const texts = textOf(notice, text.toast.unanswered);
  return (
    <div className="plain-notice fixed right-3 bottom-3 left-3 z-50 flex items-start gap-3 rounded-card border border-line bg-panel p-4 text-sm sm:left-auto sm:w-96">
      <div role="alert" className="min-w-0 flex-1">
        <p className="font-semibold">{texts.title}</p>
        {texts.text ? <p>{texts.text}</p> : null}
      </div>
      <button type="button" className="link" onClick={onClose}>
        {text.nav.closeNotice}
      </button>
    </div>
  );
}

/** The area in which notices appear, on every screen. */
export function ToastArea() {
  const text = useText();
  const [wanted, setWanted] = useState(false);
  const [waiting, setWaiting] = useState<Notice | null>(null);
  const [Toaster, setToaster] = useState<ComponentType<{ label: string; closeLabel: string }> | null>(null);
  useEffect(() => {
    const forget = toastArea.onNeeded(({ notice }) => {
      setWanted(true);
      setWaiting(notice);
    });
    // A visitor who only reads causes no notice: loaded with the first press, or with the first notice.
    const used = new AbortController();
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(type, () => setWanted(true), { capture: true, once: true, passive: true, signal: used.signal });
    return () => {
      used.abort();
      forget();
    };
  }, []);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    // Together: once they are loaded, notices need no network.
    void loadWithRetry(() => Promise.all([import('#app/ui/controls/Toaster.tsx'), import('./show-notice.tsx')])).then(
      ([module]) => over || setToaster(() => module.default),
    );
    return () => {
      over = true;
    };
  }, [wanted]);
  if (!Toaster) {
    const close = () => {
      toastArea.forget();
      setWaiting(null);
    };
    return waiting ? <PlainNotice notice={waiting} onClose={close} /> : null;
  }
  return (
    <>
      <Toaster label={text.nav.notifications.replace(/ F8$/, '')} closeLabel={text.nav.closeNotice} />
      <Ready />
    </>
  );
}
