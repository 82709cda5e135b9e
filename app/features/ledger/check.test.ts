import { beforeEach, expect, it, vi } from 'vitest';
import { filesOf, writeLedger } from '#tests/support/ledger/test-ledger.ts';
import { checkLedger } from './check.ts';

const written = writeLedger(9, 60);
const whole = filesOf(written);
const shortened = filesOf({ ...written, entries: written.entries.slice(0, -3) });
/** The files of both; which of them is served follows from the checkpoint. */
const files = new Map([...shortened, ...whole]);

/** Answers to the next requests of a file instead of the file itself, by its path below /ledger/. */
let instead: Map<string, Response[]>;
beforeEach(() => {
  instead = new Map();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('fetch', async (address: string) => {
    const path = address.replace('/ledger/', '');
    const bytes = files.get(path);
    return instead.get(path)?.shift() ?? new Response(bytes && Buffer.from(bytes), { status: bytes ? 200 : 404 });
  });
  return () => vi.unstubAllGlobals();
});
const codes = async () => {
  const report = await checkLedger({ witness: null, receipts: [], onProgress: () => {} });
  return report.problems.map(({ code }) => code);
};
const older = () => new Response(Buffer.from(shortened.get('checkpoint') ?? []));

it('the check of the ledger waits and retries when the site rate-limits it', async () => {
  const busy = () => new Response('Too many requests', { status: 429, headers: { 'retry-after': '1' } });
  instead.set('results/round/1', [busy(), busy()]);
  expect(await codes()).toEqual([]);
  expect(instead.get('results/round/1')).toEqual([]);
});

it('the check of the ledger rereads a checkpoint older than the last one, and reports “shrunk” if it is older again', async () => {
  expect(await codes()).toEqual([]);
  instead.set('checkpoint', [older()]);
  expect(await codes()).toEqual([]);
  expect(instead.get('checkpoint')).toEqual([]);
  instead.set('checkpoint', [older(), older()]);
  expect(await codes()).toEqual(['shrunk']);
}, 20_000);
