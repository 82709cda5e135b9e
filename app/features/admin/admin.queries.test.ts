import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '#app/lib/api/failure.ts';
import type { rpc } from '#app/lib/api/rpc.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { TIMING } from '#contract/limits.ts';
import { sessionQuery } from './admin.queries.ts';

afterEach(() => vi.useRealTimers());

const ADMIN = {
  email: 'admin@florka.test',
  username: 'florka',
  secondFactor: 'ready',
  proof: 'code',
  passkey: false,
} as AdminSession;
/** A server that returns the given response, or never responds. */
function serverOf(answer: (signal: AbortSignal) => Promise<AdminSession>) {
  const call = (_input: undefined, { signal }: { signal: AbortSignal }) => answer(signal);
  return sessionQuery({ admin: { session: { call } } } as unknown as typeof rpc);
}
const never = (signal: AbortSignal) =>
  new Promise<AdminSession>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('the check of an admin’s session', () => {
  it('keeps the known session after a timeout of three seconds or an error, and clears it after a 401 or 403 [A-LOGIN-16] [TIME-30] [AMB-20]', async () => {
    vi.useFakeTimers();
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const check = (answer: (signal: AbortSignal) => Promise<AdminSession>) =>
      queries.fetchQuery({ ...serverOf(answer), retry: false, staleTime: 0 });
    const known = () => queries.getQueryData(sessionQuery().queryKey);
    await check(async () => ADMIN);

    const late = check(never).catch((error: Error) => error.name);
    let received: unknown = 'nothing yet';
    void late.then((name) => {
      received = name;
    });
    await vi.advanceTimersByTimeAsync(TIMING.sessionCheckTimeout - 1);
    expect(received).toBe('nothing yet');
    await vi.advanceTimersByTimeAsync(1);
    expect(received).toBe('AbortError');
    expect(known()).toEqual(ADMIN);
    await check(() => Promise.reject(new ApiFailure('INTERNAL_SERVER_ERROR', 500, null))).catch(() => {});
    expect(known()).toEqual(ADMIN);
    // A screen reads the same query concurrently.
    const screen = new QueryObserver(queries, { ...serverOf(never), enabled: false });
    expect(screen.getCurrentResult().data).toEqual(ADMIN);

    // A refusal is an answer, not a failure: it clears the session, which closes the screens.
    for (const status of [401, 403]) {
      queries.setQueryData(sessionQuery().queryKey, ADMIN);
      await check(() => Promise.reject(new ApiFailure('FORBIDDEN', status, null)));
      expect(known()).toBeNull();
    }
  });

  it('has no timeout while no session is known yet', async () => {
    vi.useFakeTimers();
    const queries = new QueryClient();
    let answer = (_: AdminSession) => {};
    const first = queries.fetchQuery(serverOf(() => new Promise((resolve) => (answer = resolve))));
    await vi.advanceTimersByTimeAsync(TIMING.sessionCheckTimeout * 5);
    answer(ADMIN);
    expect(await first).toEqual(ADMIN);
  });
});
