import { type ComponentType, useEffect, useState } from 'react';
import { useText } from './i18n.tsx';
import { toastArea } from './notify.ts';

/** Between two tries to load it. Milliseconds. */
const PAUSE = 3_000;

function Ready() {
  useEffect(() => toastArea.ready(), []);
  return null;
}

/** The one place where notices appear, on every screen. */
export function ToastArea() {
  const text = useText();
  const [wanted, setWanted] = useState(false);
  const [Toaster, setToaster] = useState<ComponentType<{ label: string }> | null>(null);
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    // By hand, not `lazy`: without a network that would take the whole page down, in the very moment of bad news.
    const load = () =>
      import('#app/ui/Toaster.tsx').then(
        (module) => over || setToaster(() => module.default),
        () => {
          if (!over) timer = setTimeout(load, PAUSE);
        },
      );
    void load();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  if (!Toaster) return null;
  return (
    <>
      <Toaster label={text.nav.notifications.replace(/ F8$/, '')} />
      <Ready />
    </>
  );
}
