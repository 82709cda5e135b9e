import { expect, it } from 'vitest';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { browserStorage } from '#tests/support/samples/browser-storage.ts';
import { DRAFT_KEY } from './draft-state.ts';
import { createDraftStore } from './draft-store.ts';

type Sent = { call: 'create' | 'save'; names: string[]; step: number | undefined };

/** A device and a server whose requests are recorded; `state.down` makes all of them fail. */
function surroundings(items = new Map<string, string>()) {
  const sent: Sent[] = [];
  const state = { down: false, version: 1 };
  const answer = async (call: Sent['call'], input: { data: Partial<DraftData>; step?: number; secret: string }) => {
    sent.push({ call, names: Object.keys(input.data), step: input.step });
    if (state.down) throw new TypeError('no network');
    state.version++;
    const { secret } = input;
    const data = { ...EMPTY_DRAFT, tokenName: 'Ajo' };
    return { id: 'a', secret, orderKey: 'k', version: state.version, locked: false, hints: [], data };
  };
  const api = { create: (input: never) => answer('create', input), save: (input: never) => answer('save', input) };
  const open = () =>
    createDraftStore({
      api: api as never,
      storage: browserStorage(items),
      alone: (work) => work(),
    });
  return { sent, state, items, open };
}

it('each new step is sent once, with the first save or without a changed field', async () => {
  const { sent, open } = surroundings();
  const store = open();
  store.change({ tokenName: 'Ajo' });
  store.reach(2);
  await store.save();
  expect(sent).toEqual([{ call: 'create', names: ['tokenName'], step: 2 }]);
  store.reach(3);
  await store.save();
  expect(sent.slice(1)).toEqual([{ call: 'save', names: [], step: 3 }]);
  // Back and forward again.
  store.reach(2);
  store.reach(3);
  await store.save();
  expect(sent).toHaveLength(2);
});

it('a step that could not be sent is sent with the next save, also after a reload', async () => {
  const { sent, state, items, open } = surroundings();
  const store = open();
  store.change({ tokenName: 'Ajo' });
  store.reach(2);
  await store.save();
  state.down = true;
  store.reach(4);
  await store.save();
  state.down = false;
  sent.length = 0;
  await open().save();
  expect(sent).toEqual([{ call: 'save', names: [], step: 4 }]);
  expect(JSON.parse(items.get(DRAFT_KEY) ?? '')).toMatchObject({ reached: 4, savedStep: 4 });
});

it('opening a form from before steps were recorded saves nothing; the next step is saved', async () => {
  const { sent, items, open } = surroundings();
  const first = open();
  first.change({ tokenName: 'Ajo' });
  first.reach(4);
  await first.save();
  const { savedStep: _, ...old } = JSON.parse(items.get(DRAFT_KEY) ?? '');
  items.set(DRAFT_KEY, JSON.stringify(old));
  sent.length = 0;
  const store = open();
  await store.save();
  expect(sent).toEqual([]);
  store.reach(5);
  await store.save();
  expect(sent).toEqual([{ call: 'save', names: [], step: 5 }]);
});
