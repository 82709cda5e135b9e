import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import type { SavedRef } from '#contract/domains/saved.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import { localRefs, writeLocal } from './browser-list.ts';
import { mergeSaved } from './merge-saved.ts';
import { resolveSaved } from './resolve-saved.ts';

const refs = (count: number, from = 0): SavedRef[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'project', id: `id-${from + i}` }));
const keyOf = ({ kind, id }: SavedRef) => `${kind}:${id}`;

/** An account that holds 500 tokens at most, and knows no token whose id begins with `gone`. */
let account: SavedRef[];
let sizes: number[];

const refused = (code: string, status: number) => Response.json({ json: { code } }, { status });
function answer(path: string, sent: SavedRef[]): Response {
  if (sent.length > SAVED_MAX) return refused('BAD_REQUEST', 400);
  const known = sent.filter(({ id }) => !id.startsWith('gone'));
  if (path.endsWith('/resolve')) return Response.json({ json: known.map((ref) => ({ ...ref, candidateId: null })) });
  if (path.endsWith('/merge')) {
    const merged = [...new Map([...known, ...account].map((ref) => [keyOf(ref), ref])).values()];
    if (merged.length > SAVED_MAX) return refused('TOO_MANY_SAVED', 409);
    account = merged;
  }
  return Response.json({ json: account });
}

beforeEach(() => {
  account = [];
  sizes = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    const sent = (JSON.parse(body) as { json?: { refs?: SavedRef[] } }).json?.refs ?? [];
    sizes.push(sent.length);
    return answer(path, sent);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a list of tokens saved while signed out', () => {
  const merge = async () => {
    const queries = new QueryClient();
    await mergeSaved(queries);
    return queries.getQueryData(rpc.saved.list.queryKey());
  };

  it('moves to the account in one request when there is room', async () => {
    account = refs(1, 9_000);
    writeLocal(refs(SAVED_MAX - 1));
    expect(await merge()).toHaveLength(SAVED_MAX);
    expect([localRefs(), sizes]).toEqual([[], [SAVED_MAX - 1]]);
  });

  it('of more than 500 tokens fills the account with the newest, and the rest stays in the browser', async () => {
    account = refs(100, 9_000);
    writeLocal(refs(700));
    expect(await merge()).toHaveLength(SAVED_MAX);
    expect(account.slice(0, 400)).toEqual(refs(400));
    expect(localRefs()).toEqual(refs(300, 400));
    // Once there is room again, the next merge moves the rest.
    account = account.slice(0, 50);
    await merge();
    expect(localRefs()).toEqual([]);
    expect(new Set(account.map(keyOf)).size).toBe(350);
  });

  it('is cleared of tokens that the account has already and of tokens that no longer exist', async () => {
    account = refs(SAVED_MAX - 1);
    const gone = refs(3).map(({ kind }, i): SavedRef => ({ kind, id: `gone-${i}` }));
    writeLocal([...gone, ...refs(5), ...refs(2, 9_000)]);
    await merge();
    expect(account).toHaveLength(SAVED_MAX);
    expect(localRefs()).toEqual(refs(1, 9_001));
  });

  it('is shown completely, read in batches of 500', async () => {
    const found = await resolveSaved(refs(1_200), new AbortController().signal);
    expect(found.map(({ id }) => id)).toEqual(refs(1_200).map(({ id }) => id));
    expect(sizes).toEqual([500, 500, 200]);
  });
});
