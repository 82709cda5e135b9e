import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '#app/lib/api/failure.ts';
import type { Draft, DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { DRAFT_KEY } from './draft-state.ts';
import { createDraftStore, type DraftStore } from './draft-store.ts';
import { isTouched } from './stored-draft.ts';

/** The server's rules for drafts, in memory; it can be made unreachable. */
function fakeServer() {
  const drafts = new Map<string, Draft & { secret: string }>();
  const calls: string[] = [];
  const server = {
    drafts,
    calls,
    down: false as boolean | (() => unknown),
    /** Number of coming responses to drop. */
    lost: 0,
    creations: 0,
  };
  const answer = async <T>(name: string, work: () => T): Promise<T> => {
    calls.push(name);
    await Promise.resolve();
    if (server.down) throw typeof server.down === 'function' ? server.down() : new TypeError('no network');
    const done = structuredClone(work());
    if (server.lost > 0) {
      server.lost--;
      throw new TypeError('no answer');
    }
    return done;
  };
  const find = ({ id, secret }: { id: string; secret?: string | undefined }) => {
    const draft = drafts.get(id);
    if (!draft || draft.secret !== secret) throw new ApiFailure('NOT_FOUND', 404, {});
    return draft;
  };
  const api = {
    create: ({ data, secret }: { data: Partial<DraftData>; secret: string }) =>
      answer('create', () => {
        const known = [...drafts.values()].find((draft) => draft.secret === secret);
        if (known) return known;
        const id = `id-${++server.creations}`;
        const draft = {
          id,
          secret,
          orderKey: `key-${id}`,
          version: 2,
          status: 'incomplete',
          paymentStatus: 'pending',
          locked: false,
          partPayment: null,
          priceUsd: 50,
          data: { ...EMPTY_DRAFT, ...data },
          hints: [],
          createdAt: '',
          updatedAt: '',
        } as Draft & { secret: string };
        drafts.set(id, draft);
        return draft;
      }),
    save: (input: { id: string; secret?: string | undefined; version: number; data: Partial<DraftData> }) =>
      answer('save', () => {
        const draft = find(input);
        if (draft.locked) throw new ApiFailure('LOCKED', 409, undefined);
        if (draft.version !== input.version)
          throw new ApiFailure('VERSION_CONFLICT', 409, { version: draft.version, current: structuredClone(draft) });
        Object.assign(draft, { version: draft.version + 1, data: { ...draft.data, ...input.data } });
        return draft;
      }),
    read: (input: { id: string; secret?: string | undefined }) => answer('read', () => find(input)),
  };
  return { ...server, server, api: api as never };
}

/** The storage of one device, whose tabs receive each other's messages. */
function fakeDevice() {
  const items = new Map<string, string>();
  const tabs: DraftStore[] = [];
  let lock: Promise<unknown> = Promise.resolve();
  const storageOf = (tab: () => DraftStore | undefined) => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      items.set(key, value);
      for (const other of tabs) if (other !== tab()) other.onMessage(key);
    },
    removeItem: (key: string) => {
      items.delete(key);
      for (const other of tabs) if (other !== tab()) other.onMessage(key);
    },
  });
  return {
    items,
    open(api: never): DraftStore {
      let store: DraftStore | undefined;
      store = createDraftStore({
        api,
        storage: storageOf(() => store),
        alone: (work) => {
          const mine = lock.then(work, work);
          lock = mine.catch(() => {});
          return mine;
        },
      });
      tabs.push(store);
      return store;
    },
    close: (store: DraftStore) => void tabs.splice(tabs.indexOf(store), 1),
  };
}

let fake: ReturnType<typeof fakeServer>;
let device: ReturnType<typeof fakeDevice>;
let store: DraftStore;
beforeEach(() => {
  vi.useFakeTimers();
  fake = fakeServer();
  device = fakeDevice();
  store = device.open(fake.api);
});
afterEach(() => vi.useRealTimers());

const only = () => [...fake.drafts.values()][0] as Draft & { secret: string };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const write = (tokenName: string) => store.change({ tokenName });

describe('the draft store', () => {
  it('stores every change on the device, and nothing on the server before the first Next [CREATE-69]', async () => {
    write('A');
    write('Aj');
    expect(JSON.parse(device.items.get(DRAFT_KEY) ?? '').data.tokenName).toBe('Aj');
    await pass(60_000);
    expect(fake.calls).toEqual([]);
    // A reload.
    expect(device.open(fake.api).get().data.tokenName).toBe('Aj');
  });

  it('creates a draft once, then saves changes within two seconds, with a version [CREATE-70] [CREATE-71]', async () => {
    write('Ajo');
    expect(await store.save()).toMatchObject({ ok: true, claim: { id: 'id-1', secret: only().secret } });
    expect([fake.calls, only().data.tokenName]).toEqual([['create'], 'Ajo']);
    for (const name of ['Ajol', 'Ajolo', 'Ajolote']) {
      write(name);
      await pass(400);
    }
    expect(fake.calls).toEqual(['create']);
    await pass(1_000);
    expect(only()).toMatchObject({ version: 3, data: { tokenName: 'Ajolote' } });
    await store.save();
    expect(fake.calls).toEqual(['create', 'save']);
  });

  it('saves changes that are made while a save is in flight', async () => {
    write('one');
    const first = store.save();
    write('two');
    await first;
    await pass(3_000);
    expect(only().data.tokenName).toBe('two');
    expect(fake.server.creations).toBe(1);
  });

  it('retries while the server is unreachable, with the state “waiting”, also after a reload [CREATE-74]', async () => {
    fake.server.down = true;
    write('Ajo');
    expect(await store.save()).toMatchObject({ ok: false });
    expect(store.get().saving).toBe('waiting');
    await pass(7_000);
    expect(fake.calls.length).toBe(3);
    fake.server.down = false;
    store.hurry();
    await pass(0);
    expect(store.get()).toMatchObject({ saving: 'idle', remote: { id: 'id-1' } });
    // The tab is closed: the next one sends the unsaved changes.
    fake.server.down = true;
    write('Ajolote');
    await pass(2_000);
    device.close(store);
    vi.clearAllTimers();
    fake.server.down = false;
    device.open(fake.api);
    await pass(2_000);
    expect(only().data.tokenName).toBe('Ajolote');
  });

  it('creates one draft when the answer is lost, then saves the changes made since', async () => {
    write('Aji');
    fake.server.lost = 1;
    expect(await store.save()).toMatchObject({ ok: false });
    write('Aji Token');
    // A reload.
    const next = device.open(fake.api);
    expect(next.get()).toMatchObject({ remote: null, begun: { data: { tokenName: 'Aji' } } });
    await pass(10_000);
    expect(next.get()).toMatchObject({ remote: { id: 'id-1' }, begun: null, saving: 'idle' });
    expect([...fake.drafts.keys()]).toEqual(['id-1']);
    expect(only().data.tokenName).toBe('Aji Token');
  });

  it('sends the current values after the server refused the first ones', async () => {
    write('Aji');
    fake.server.down = () => new ApiFailure('BAD_REQUEST', 400, undefined);
    await store.save();
    fake.server.down = false;
    write('Aji Token');
    await store.save();
    expect(only().data.tokenName).toBe('Aji Token');
  });

  it('does not attach a draft whose creation was in flight to the form that replaced it', async () => {
    write('Aji');
    const saved = store.save();
    while (!fake.calls.includes('create')) await Promise.resolve();
    store.restart();
    write('Otro');
    await saved;
    expect(store.get()).toMatchObject({ remote: null, data: { tokenName: 'Otro' } });
    await store.save();
    expect(store.get().remote?.id).toBe('id-2');
    expect(fake.drafts.get('id-1')?.data.tokenName).toBe('Aji');
  });

  it('waits for the retryAfter of the server before it saves again', async () => {
    write('Ajo');
    await store.save();
    fake.server.down = () => new ApiFailure('RATE_LIMITED', 429, { retryAfter: 40 });
    write('Ajolote');
    await pass(2_000);
    fake.server.down = false;
    await pass(38_000);
    expect(only().data.tokenName).toBe('Ajo');
    await pass(3_000);
    expect(only().data.tokenName).toBe('Ajolote');
  });

  it('creates another draft when the server no longer has the old one', async () => {
    write('Ajo');
    await store.save();
    fake.drafts.clear();
    write('Ajolote');
    await store.save();
    expect(only()).toMatchObject({ id: 'id-2', data: { tokenName: 'Ajolote' } });
  });

  it('creates one draft for two tabs that save at the same time, and saves the changes of both', async () => {
    const other = device.open(fake.api);
    write('Ajo');
    expect(other.get().data.tokenName).toBe('Ajo');
    await Promise.all([store.save(), other.save()]);
    expect(fake.server.creations).toBe(1);
    other.change({ description: 'x' });
    write('Ajolote');
    await pass(4_000);
    expect(only().data).toMatchObject({ tokenName: 'Ajolote', description: 'x' });
    expect([store.get().conflict, other.get().conflict]).toEqual([null, null]);
  });

  it('keeps unsaved changes when another tab stores an older state', async () => {
    write('Ajo');
    const before = device.items.get(DRAFT_KEY) ?? '';
    write('Ajol');
    device.items.set(DRAFT_KEY, before);
    store.onMessage(DRAFT_KEY);
    expect(store.get().data.tokenName).toBe('Ajol');
    expect(JSON.parse(device.items.get(DRAFT_KEY) ?? '').data.tokenName).toBe('Ajol');
    await pass(2_000);
    device.items.set(DRAFT_KEY, before);
    store.onMessage(DRAFT_KEY);
    expect(store.get().data.tokenName).toBe('Ajo');
  });

  it('is empty when the stored state is invalid', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"data":5,"remote":{"id":1}}',
      '{"data":{"tokenName":[1]},"reached":"x"}',
    ]) {
      device.items.set(DRAFT_KEY, text);
      expect(device.open(fake.api).get()).toMatchObject({ data: EMPTY_DRAFT, remote: null, reached: 1 });
    }
  });
});

describe('the e-mail of a signed-in member', () => {
  it('is prefilled in an untouched form, which still counts as untouched', () => {
    store.prefill('ana@florka.test');
    expect(store.get().data.petitionerEmail).toBe('ana@florka.test');
    expect(isTouched(store.get())).toBe(false);
    expect(device.items.has(DRAFT_KEY)).toBe(false);
    // Signed out before anything was written: the next user of this device does not see it.
    store.prefill(null);
    expect(store.get().data.petitionerEmail).toBe('');
  });

  it('is saved with the other fields, and prefilled again in a new form', async () => {
    store.prefill('ana@florka.test');
    store.change({ tokenName: 'Ajo' });
    await store.save();
    expect(only().data).toMatchObject({ tokenName: 'Ajo', petitionerEmail: 'ana@florka.test' });
    store.restart();
    store.prefill('ana@florka.test');
    expect(store.get().data.petitionerEmail).toBe('ana@florka.test');
  });

  it('does not replace an address that was typed, or one that was cleared', () => {
    store.prefill('ana@florka.test');
    store.change({ petitionerEmail: '' });
    store.prefill('ana@florka.test');
    expect(store.get().data.petitionerEmail).toBe('');
    store.change({ petitionerEmail: 'otra@florka.test' });
    store.prefill(null);
    expect(store.get().data.petitionerEmail).toBe('otra@florka.test');
  });
});

describe('two devices', () => {
  let there: DraftStore;
  beforeEach(async () => {
    store.change({ tokenName: 'Ajo', description: 'Un token' });
    const saved = await store.save();
    there = fakeDevice().open(fake.api);
    if (!saved.ok) throw new Error('not saved');
    expect(await there.open({ ...saved.claim, step: 3 })).toBe('opened');
  });

  it('continue the same draft by its link', () => {
    expect(there.get()).toMatchObject({ reached: 3, data: { tokenName: 'Ajo' }, remote: { version: 2 } });
  });

  it.each(['here', 'there'] as const)('that changed the same field have a conflict, and "%s" wins', async (side) => {
    there.change({ tokenName: 'Allí', tokenSymbol: 'ALL' });
    await there.save();
    store.change({ tokenName: 'Aquí', description: 'Otro' });
    expect(await store.save()).toMatchObject({ ok: false });
    expect(store.get().conflict).toMatchObject({ fields: ['tokenName'], there: { data: { tokenName: 'Allí' } } });
    await pass(60_000);
    expect(only().data).toMatchObject({ tokenName: 'Allí', description: 'Un token' });
    store.choose(side);
    await pass(100);
    const tokenName = side === 'here' ? 'Aquí' : 'Allí';
    expect(only().data).toMatchObject({ tokenName, tokenSymbol: 'ALL', description: 'Otro' });
    expect(store.get()).toMatchObject({ conflict: null, data: only().data });
  });

  it('that changed different fields keep both changes, and report the merge', async () => {
    there.change({ tokenSymbol: 'ALL' });
    await there.save();
    store.change({ description: 'Otro' });
    expect(await store.save()).toMatchObject({ ok: true });
    expect(store.get()).toMatchObject({ merged: true, conflict: null });
    expect(only().data).toMatchObject({ tokenSymbol: 'ALL', description: 'Otro' });
  });

  it('show changes of the other after a refresh, when nothing is unsaved', async () => {
    there.change({ tokenSymbol: 'ALL' });
    await there.save();
    await store.refresh();
    expect(store.get()).toMatchObject({ data: { tokenSymbol: 'ALL' }, conflict: null });
  });

  it('both lock the draft once it is paid', async () => {
    Object.assign(only(), { locked: true });
    store.change({ tokenName: 'Tarde' });
    await store.save();
    expect(store.get()).toMatchObject({ locked: true, data: { tokenName: 'Ajo' } });
    await there.refresh();
    there.change({ tokenName: 'Tarde' });
    expect(there.get().data.tokenName).toBe('Ajo');
  });

  it('both unlock the draft again after a refund', async () => {
    Object.assign(only(), { locked: true });
    await Promise.all([store.refresh(), there.refresh()]);
    expect([store.get().locked, there.get().locked]).toEqual([true, true]);
    Object.assign(only(), { locked: false });
    for (const [at, one] of [store, there].entries()) {
      await one.refresh();
      one.change({ tokenName: `Otra vez ${at}` });
      await one.save();
      expect(one.get()).toMatchObject({ locked: false, data: { tokenName: `Otra vez ${at}` } });
      expect(only().data.tokenName).toBe(`Otra vez ${at}`);
    }
  });

  it('require a choice before a draft of a link replaces another one, and keep both', async () => {
    const third = fakeDevice().open(fake.api);
    third.change({ tokenName: 'Mío' });
    const { id, secret } = only() as Draft & { secret: string };
    expect(await third.open({ id, secret, step: null })).toBe('conflict');
    expect(third.get().data.tokenName).toBe('Mío');
    third.settle('arrived');
    expect(third.get()).toMatchObject({ data: { tokenName: 'Ajo' }, aside: 'Mío', arrived: null });
    third.swap();
    expect(third.get()).toMatchObject({ data: { tokenName: 'Mío' }, remote: null, aside: 'Ajo' });
    await expect(third.open({ id, secret: 'wrong', step: null })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
