import { useEffect, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { DiscardDialog } from './DiscardDialog.tsx';
import { discardUnsavedInput, hasUnsavedInput, onUnsavedInput } from './leave-guard.ts';

/**
 * Asks before unsaved input is discarded by opening another page, once for all forms of the page: React Router supports one blocker at
 * a time. Another part of the same page is no other page.
 */
export function LeaveGuard() {
  const unsaved = useSyncExternalStore(onUnsavedInput, hasUnsavedInput, () => false);
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedInput() && currentLocation.pathname !== nextLocation.pathname,
  );
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onStay={() => blocker.reset?.()}
      onDiscard={() => {
        discardUnsavedInput();
        blocker.proceed?.();
      }}
    />
  );
}
