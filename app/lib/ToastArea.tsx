import { lazy, Suspense, useEffect, useState } from 'react';
import { useText } from './i18n.tsx';
import { toastArea } from './notify.ts';

// Not needed for the first paint: loaded with the first notice, or when the browser has nothing better to do.
const Toaster = lazy(() => import('#app/ui/Toaster.tsx'));

function Ready() {
  useEffect(() => toastArea.ready(), []);
  return null;
}

/** The one place where notices appear, on every screen. */
export function ToastArea() {
  const text = useText();
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const forget = toastArea.onNeeded(() => setWanted(true));
    const idle = setTimeout(() => setWanted(true), 4_000);
    return () => {
      clearTimeout(idle);
      forget();
    };
  }, []);
  if (!wanted) return null;
  return (
    <Suspense>
      <Toaster label={text.nav.notifications.replace(/ F8$/, '')} />
      <Ready />
    </Suspense>
  );
}
