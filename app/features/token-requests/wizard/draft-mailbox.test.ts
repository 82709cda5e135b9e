import { expect, it } from 'vitest';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { browserStorage } from '#tests/support/samples/browser-storage.ts';
import { createDraftStore } from './draft-store.ts';

const KEPT = 'ana@florka.test';

it('the form shows the e-mail address that the server retained, and does not send the refused one again', async () => {
  const sent: Partial<DraftData>[] = [];
  const answer = async (input: { data: Partial<DraftData>; secret: string }) => {
    sent.push(input.data);
    const data = { ...EMPTY_DRAFT, ...input.data, petitionerEmail: KEPT };
    const hints = input.data.petitionerEmail === KEPT ? [] : ['mailboxUnchanged'];
    return { id: 'a', secret: input.secret, orderKey: 'k', version: sent.length + 1, locked: false, hints, data };
  };
  const store = createDraftStore({
    api: { create: (input: never) => answer(input), save: (input: never) => answer(input) } as never,
    storage: browserStorage(new Map()),
    alone: (work) => work(),
  });
  store.change({ petitionerEmail: KEPT });
  await store.save();
  store.change({ petitionerEmail: 'otra@florka.test' });
  await store.save();
  expect(store.get().data.petitionerEmail).toBe(KEPT);
  await store.save();
  expect(sent).toEqual([{ petitionerEmail: KEPT }, { petitionerEmail: 'otra@florka.test' }]);
  // The reason is still shown after other fields were saved.
  expect(store.get().hints).toEqual(['mailboxUnchanged']);
  store.change({ tokenName: 'Ajolote' });
  await store.save();
  expect(store.get().hints).toEqual(['mailboxUnchanged']);
});
