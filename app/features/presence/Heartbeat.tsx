import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { TIMING } from '#contract/limits.ts';

/** A random UUID also where the page came without https and `crypto.randomUUID` is missing. */
function randomId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** One per page load. */
const page = { sessionId: randomId() };

/** Goes out even while the page is being closed. */
const sendLeave = (tab: { sessionId: string }) =>
  navigator.sendBeacon(
    '/rpc/presence/disconnect',
    new Blob([JSON.stringify({ json: tab })], { type: 'application/json' }),
  );

/**
 * While mounted this tab counts as open: it says so at once, every 30 s while it is visible, and says goodbye when the
 * page goes. With `waitsFor` it waits for that launch. With the session the server forgets the tab by itself.
 */
export default function Heartbeat({ waitsFor }: { waitsFor?: string }) {
  const queries = useQueryClient();
  useEffect(() => {
    // What waits is counted by itself, beside the page that it stands on.
    const tab = waitsFor ? { sessionId: randomId(), waitsFor } : page;
    const leave = () => sendLeave({ sessionId: tab.sessionId });
    const send = (what: 'connect' | 'heartbeat') => {
      client.presence[what](tab).catch((error: unknown) => {
        // The session ended elsewhere: the page learns of it here first.
        if (codeOf(error) === 'UNAUTHORIZED') void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
      });
    };
    const beat = () => {
      if (!document.hidden) send('heartbeat');
    };
    const comeBack = (event: PageTransitionEvent) => {
      if (event.persisted) send('connect');
    };
    send('connect');
    const timer = setInterval(beat, TIMING.heartbeat);
    document.addEventListener('visibilitychange', beat);
    addEventListener('pagehide', leave);
    addEventListener('pageshow', comeBack);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', beat);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', comeBack);
      // The page goes on without it.
      if (waitsFor) leave();
    };
  }, [queries, waitsFor]);
  return null;
}
