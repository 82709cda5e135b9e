import { expect, test } from 'vitest';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { jobs } from '#server/jobs/catalog.ts';

test('every background job has a name in words in both languages', () => {
  const names = Object.keys(jobs).sort();
  expect(Object.keys(adminInboxTexts.es.inbox.jobs).sort()).toEqual(names);
  expect(Object.keys(adminInboxTexts.en.inbox.jobs).sort()).toEqual(names);
});
