import { INBOX_STAFF, type InboxAction, type InboxOutcome, type InboxSource } from '#contract/admin/inbox.ts';
import type { Db } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { requireStaff } from '#server/lib/staff-rights.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import type { Editor } from '#server/records/records.ts';
import { resolveReport, settleJob } from './inbox.service.ts';
import { claimItem, releaseItem, returnItem } from './inbox-owners.service.ts';
import type { Worker } from './inbox-work.policy.ts';

interface Item {
  source: InboxSource;
  id: string;
}
type Work = (item: Item) => Promise<{ changed: boolean }>;
const DONE = { changed: true };

/**
 * Applies one action to several items, each in its own transaction with its audit entry. A refusal of one item, such as a missing staff
 * role or a colleague's claim, does not affect the others.
 */
export async function changeItems(
  { db, jobs, by, me }: { db: Db; jobs: JobQueue; by: Editor; me: Worker },
  { action, items }: { action: InboxAction; items: readonly Item[] },
): Promise<{ results: InboxOutcome[] }> {
  const works: Record<InboxAction, Work> = {
    take: ({ source, id }) => claimItem(db, by, me, source, id),
    undo_take: ({ source, id }) => releaseItem(db, by, me, source, id, true),
    release: ({ source, id }) => releaseItem(db, by, me, source, id),
    undo_release: ({ source, id }) => returnItem(db, by, me, source, id),
    keep: async (item) => {
      mayOn(me, item, 'report');
      await resolveReport(db, jobs, by, me, { id: item.id, decision: 'kept', reason: '' });
      return DONE;
    },
    retry: async (item) => {
      mayOn(me, item, 'job');
      await settleJob(db, jobs, by, { id: item.id, decision: 'retry' });
      return DONE;
    },
    discard: async (item) => {
      mayOn(me, item, 'job');
      await settleJob(db, jobs, by, { id: item.id, decision: 'discard' });
      return DONE;
    },
  };
  const byKey = new Map(items.map((item) => [`${item.source}/${item.id}`, item]));
  const { results } = await forEachRecord([...byKey.keys()], async (key) => {
    const item = byKey.get(key) ?? fail('NOT_FOUND', { what: 'item' });
    return (await works[action](item)).changed ? 'done' : 'unchanged';
  });
  return {
    results: results.flatMap(({ id: key, ...result }) => {
      const item = byKey.get(key);
      return item ? [{ ...item, ...result }] : [];
    }),
  };
}

/** Guard: the action exists for items of one source only, and needs its staff role. @throws NOT_FOUND, STAFF_ROLE_NEEDED */
function mayOn(me: Worker, { source, id }: Item, only: 'report' | 'job'): void {
  if (source !== only || !isUuid(id)) fail('NOT_FOUND', { what: only });
  requireStaff(me, INBOX_STAFF[source]);
}
