import { describe, expect, it } from 'vitest';
import { ApiFailure } from '#app/lib/api/failure.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { browserStorage } from '#tests/support/samples/browser-storage.ts';
import { createDraftStore } from './draft-store.ts';

/** A server whose answers to saves and creations the test can hold back. */
function surroundings() {
  const drafts = new Map<string, { id: string; secret: string; version: number; data: DraftData; locked: boolean }>();
  let held: Promise<unknown> = Promise.resolve();
  const answer = async <T>(work: () => T): Promise<T> => {
    await held;
    return structuredClone(work());
  };
  const shown = (id: string) => {
    const draft = drafts.get(id);
    if (!draft) throw new ApiFailure('NOT_FOUND', 404, {});
    return { ...draft, orderKey: `key-${id}`, hints: [] };
  };
  const api = {
    create: ({ data, secret }: { data: Partial<DraftData>; secret: string }) =>
      answer(() => {
        const id = `id-${drafts.size + 1}`;
        drafts.set(id, { id, secret, version: 2, data: { ...EMPTY_DRAFT, ...data }, locked: false });
        return shown(id);
      }),
    save: ({ id, data }: { id: string; data: Partial<DraftData> }) =>
      answer(() => {
        const draft = shown(id);
        if (draft.locked) throw new ApiFailure('LOCKED', 409, undefined);
        drafts.set(id, { ...draft, version: draft.version + 1, data: { ...draft.data, ...data } });
        return shown(id);
      }),
    read: async ({ id }: { id: string }) => shown(id),
  };
  const items = new Map<string, string>();
  const orders: string[] = [];
  const store = createDraftStore({
    api: api as never,
    storage: browserStorage(items),
    alone: (work) => work(),
    onOrder: (id) => void orders.push(id),
  });
  return {
    drafts,
    store,
    orders,
    /** Delays the answers that follow. @returns a function that sends them, or with an error lets them fail. */
    hold(): (error?: Error) => void {
      let end: (error?: Error) => void = () => {};
      held = new Promise<void>((resolve, reject) => {
        end = (error) => {
          held = Promise.resolve();
          if (error) reject(error);
          else resolve();
        };
      });
      held.catch(() => {});
      return end;
    },
  };
}

/** A store whose draft is on the server, with the save of a change in flight. */
async function saving() {
  const all = surroundings();
  const { store, hold } = all;
  store.change({ tokenName: 'Ajo' });
  await store.save();
  store.change({ tokenName: 'Ajolote' });
  const end = hold();
  return { ...all, saved: store.save(), end };
}

describe('a draft that is replaced while its save is in flight', () => {
  it('does not change the new form, and creates no empty draft on the server', async () => {
    const { drafts, store, saved, end } = await saving();
    store.restart();
    end();
    await saved;
    expect(store.get()).toMatchObject({ remote: null, saved: EMPTY_DRAFT, base: EMPTY_DRAFT, online: false });
    expect([...drafts.values()].map(({ data }) => data.tokenName)).toEqual(['Ajolote']);
  });

  it('does not retry a failed save for the form that replaced it', async () => {
    const { drafts, store, saved, end } = await saving();
    store.restart();
    end(new TypeError('no answer'));
    await saved;
    expect(store.get()).toMatchObject({ remote: null, saving: 'idle', online: false });
    expect([...drafts.keys()]).toEqual(['id-1']);
  });

  it.each([
    ['saved', () => undefined],
    ['locked', (drafts: Awaited<ReturnType<typeof saving>>['drafts']) => drafts.get('id-1')],
  ])('does not overwrite the state of a draft opened by its link, when it is %s', async (_, lockedOf) => {
    const { drafts, store, saved, end } = await saving();
    const secret = 'other';
    drafts.set('id-2', { id: 'id-2', secret, version: 9, data: { ...EMPTY_DRAFT, tokenName: 'Otro' }, locked: false });
    expect(await store.open({ id: 'id-2', secret, step: null })).toBe('conflict');
    store.settle('arrived');
    const locked = lockedOf(drafts);
    if (locked) locked.locked = true;
    end();
    await saved;
    expect(store.get()).toMatchObject({
      data: { tokenName: 'Otro' },
      saved: { tokenName: 'Otro' },
      base: { tokenName: 'Otro' },
      remote: { id: 'id-2', version: 9, orderKey: 'key-id-2' },
      locked: false,
      conflict: null,
    });
  });
});
