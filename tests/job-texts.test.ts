import { expect, test } from 'vitest';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { FORMER_NAMES, jobs } from '#server/jobs/catalog.ts';

test('every background job has a name in words in both languages, also under a former name', () => {
  const names = [...Object.keys(jobs), ...Object.values(FORMER_NAMES).flat()].sort();
  expect(Object.keys(adminInboxTexts.es.inbox.jobs).sort()).toEqual(names);
  expect(Object.keys(adminInboxTexts.en.inbox.jobs).sort()).toEqual(names);
});
