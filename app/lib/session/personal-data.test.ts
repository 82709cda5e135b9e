import { globSync, readFileSync } from 'node:fs';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { PUBLIC_GUARANTEES } from '#tests/fixtures/guarantees/public.ts';
import { cancelPersonalReads, clearPersonalData, expectOwner, personalKeys } from './personal-data.ts';

/**
 * Procedures that are open to everybody and read the viewer: their answer for a member differs from that for a visitor. `auth.me` is
 * the session itself, which every change of the session sets.
 */
function answeredForTheReader(): string[] {
  const parts = globSync('server/domains/**/*.api.ts').flatMap((file) =>
    readFileSync(file, 'utf8').split(/\n {2}(?=[a-zA-Z]+: )/),
  );
  const asking = parts.filter((part) => part.includes('context.viewer()'));
  return asking
    .flatMap((part) => /\bopen\.([a-zA-Z]+\.[a-zA-Z]+)\b/.exec(part)?.[1] ?? [])
    .filter((name) => name !== 'auth.me');
}

/** Procedures whose answers the public pages keep in the query cache. */
function readProcedures(): Set<string> {
  const files = globSync('app/**/*.{ts,tsx}').filter((file) => !file.includes('.test.') && !/\/admin\//.test(file));
  const read = /\brpc\.([a-zA-Z]+(?:\.[a-zA-Z]+)+)\.(?:queryOptions|infiniteOptions|queryKey|key)\b/g;
  return new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(read)].map((match) => match[1] ?? '')),
  );
}

const isPersonal = (name: string): boolean => {
  const path = name.split('.');
  return personalKeys().some((key) => (key[0] as readonly string[]).every((part, i) => path[i] === part));
};

test('every cached answer for a member is cleared when the member changes', () => {
  const read = readProcedures();
  expect(read.size).toBeGreaterThan(30);
  const needsMember = [...read].filter((name) =>
    (PUBLIC_GUARANTEES[name] ?? []).some((guarantee) => /^(member|moderator|operator|staff)/.test(guarantee)),
  );
  expect(needsMember.length).toBeGreaterThan(10);
  const forTheReader = answeredForTheReader().filter((name) => read.has(name));
  expect(forTheReader).toEqual(
    expect.arrayContaining(['forum.mine', 'ledger.mine', 'voting.mine', 'voting.uncounted']),
  );
  expect([...needsMember, ...forTheReader].filter((name) => !isPersonal(name))).toEqual([]);
  expect(
    [...read].filter((name) => name.endsWith('.mine') || /\.my[A-Z]/.test(name)).filter((name) => !isPersonal(name)),
  ).toEqual([]);
});

const settings = rpc.profiles.settings.queryKey();
const removals = rpc.forum.myRemovals.queryKey();
const ranking = rpc.voting.ranking.queryKey({ input: {} as never });

function cacheOf(member: string): QueryClient {
  const queries = new QueryClient();
  expectOwner(queries, member);
  queries.setQueryData(settings, { of: member } as never);
  queries.setQueryData(removals, [{ of: member }] as never);
  queries.setQueryData(ranking, { everybody: true } as never);
  return queries;
}

test('the data of a member is removed before the next member uses the device; public data is retained', () => {
  const queries = cacheOf('ana');
  expectOwner(queries, 'ana');
  expect(queries.getQueryData(settings)).toEqual({ of: 'ana' });
  expectOwner(queries, 'ben');
  expect(queries.getQueryData(settings)).toBeUndefined();
  expect(queries.getQueryData(removals)).toBeUndefined();
  expect(queries.getQueryData(ranking)).toEqual({ everybody: true });
});

test('after a sign-out personal queries on screen are empty, and not refetched before the next sign-in', async () => {
  const queries = cacheOf('ana');
  let requested = 0;
  const observer = new QueryObserver(queries, {
    queryKey: settings,
    queryFn: () => ({ of: `request ${++requested}` }) as never,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const end = observer.subscribe(() => {});
  await clearPersonalData(queries, null);
  expect(observer.getCurrentResult().data).toBeUndefined();
  expect(requested).toBe(0);
  await clearPersonalData(queries, 'ben');
  expect(observer.getCurrentResult().data).toEqual({ of: 'request 1' });
  end();
});

test('personal reads are aborted while the session is being ended, and repeated when it was not ended', async () => {
  const queries = new QueryClient();
  const aborted: boolean[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: settings,
    queryFn: ({ signal }) =>
      new Promise((resolve) => {
        const number = aborted.push(false) - 1;
        signal.addEventListener('abort', () => {
          aborted[number] = true;
        });
        if (number === 2) resolve('read' as never);
      }) as never,
    retry: false,
  });
  const end = observer.subscribe(() => {});
  const over = cancelPersonalReads(queries);
  // Both the read in flight and one that a live event starts are aborted.
  void queries.invalidateQueries({ queryKey: settings });
  await expect.poll(() => aborted).toEqual([true, true]);
  over(true);
  await expect.poll(() => observer.getCurrentResult().data).toBe('read');
  end();
});

test('a screen that begins to read while the session is being ended sends no request', async () => {
  const queries = new QueryClient();
  const requests = vi.fn((_: string, { signal }: { signal: AbortSignal }) =>
    signal.aborted ? Promise.reject(signal.reason) : Promise.resolve(Response.json({ json: {} })),
  );
  vi.stubGlobal('fetch', requests);
  const over = cancelPersonalReads(queries);
  const end = new QueryObserver(queries, rpc.profiles.settings.queryOptions()).subscribe(() => {});
  // Still in the task in which the screen was mounted.
  const sent = () => requests.mock.calls.filter(([, { signal }]) => !signal.aborted).length;
  expect(sent()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(requests).toHaveBeenCalledTimes(1);
  expect(requests.mock.calls[0]?.[1].signal.aborted).toBe(true);
  over(true);
  await expect.poll(() => queries.getQueryData(settings)).toEqual({});
  end();
  vi.unstubAllGlobals();
});
