import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { expectOwner } from '#app/lib/session/personal-data.ts';
import { TIMING } from '#contract/limits.ts';

/** A random UUID; works without https too, where `crypto.randomUUID` is missing. */
function randomId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** One per page load. */
const page = { sessionId: randomId() };

/** A beacon, so that it is sent even while the page is being closed. */
const sendLeave = (tab: { sessionId: string }) =>
  navigator.sendBeacon(
    '/rpc/presence/disconnect',
    new Blob([JSON.stringify({ json: tab })], { type: 'application/json' }),
  );

/**
 * While mounted this tab counts as open: it sends a heartbeat at once and every 30 s while it is visible, and a leave message when the
 * page is closed. With `waitsFor` it waits for that launch. While the member signs out it sends nothing.
 */
export default function Heartbeat({ memberId, waitsFor }: { memberId: string; waitsFor?: string }) {
  const queries = useQueryClient();
  useLayoutEffect(() => expectOwner(queries, memberId), [queries, memberId]);
  const signingOut = useIsMutating({ mutationKey: rpc.auth.signOut.mutationKey() }) > 0;
  // A waiting tab is counted separately from its page, and stays the same one after a sign-out that failed.
  const tab = useMemo(() => (waitsFor ? { sessionId: randomId(), waitsFor } : page), [waitsFor]);
  useEffect(() => {
    // The server removes the tab together with the session; what would arrive after it would be refused.
    if (signingOut) return;
    const ended = new AbortController();
    const leave = () => sendLeave({ sessionId: tab.sessionId });
    const send = (what: 'connect' | 'heartbeat') => {
      client.presence[what](tab, { signal: ended.signal }).then(
        () => {
          // The count on the page was requested before this tab was part of it.
          if (what === 'connect' && waitsFor) void queries.invalidateQueries({ queryKey: rpc.presence.waiting.key() });
        },
        (error: unknown) => {
          // The session ended elsewhere: this call is the first to detect it.
          if (codeOf(error) === 'UNAUTHORIZED') void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
        },
      );
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
      ended.abort();
      // The page itself continues without it.
      if (waitsFor && !queries.isMutating({ mutationKey: rpc.auth.signOut.mutationKey() })) leave();
    };
  }, [queries, tab, waitsFor, signingOut]);
  return null;
}
