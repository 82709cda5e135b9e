import { type ComponentType, useEffect, useState } from 'react';
import { useText } from './i18n.tsx';
import { later } from './later.ts';
import { toastArea } from './notify.ts';

function Ready() {
  useEffect(() => toastArea.ready(), []);
  return null;
}

/** The one place where notices appear, on every screen. */
export function ToastArea() {
  const text = useText();
  const [wanted, setWanted] = useState(false);
  const [Toaster, setToaster] = useState<ComponentType<{ label: string; closeLabel: string }> | null>(null);
  useEffect(() => {
    const forget = toastArea.onNeeded(() => setWanted(true));
    // Not needed for the first paint: loaded with the first notice, or when the browser has nothing better to do.
    const idle = setTimeout(() => setWanted(true), 4_000);
    return () => {
      clearTimeout(idle);
      forget();
    };
  }, []);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    // Together: once they are here, notices need no network.
    void later(() => Promise.all([import('#app/ui/Toaster.tsx'), import('./show-notice.ts')])).then(
      ([module]) => over || setToaster(() => module.default),
    );
    return () => {
      over = true;
    };
  }, [wanted]);
  if (!Toaster) return null;
  return (
    <>
      <Toaster label={text.nav.notifications.replace(/ F8$/, '')} closeLabel={text.nav.closeNotice} />
      <Ready />
    </>
  );
}
