import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { Notice } from '#app/lib/notices/notify.ts';
import { notifyAndRefresh, type SeenRecord, useUndo } from '../notices.ts';

interface TrashActions<Row extends SeenRecord> {
  remove: (record: SeenRecord) => Promise<unknown>;
  /** @param undo as the undo of one's own deletion: what a colleague did with the record since stays. */
  restore: (record: { id: string; undo: boolean }) => Promise<Row>;
  /** Title and failure of each of the two. */
  notices: Record<'remove' | 'restore', { done: string; failed: (error: unknown) => Notice }>;
  /** Refetches the queries that show these records. */
  refresh: () => Promise<unknown>;
}

/** Moves a record to the trash, and back: each shows a notice of its outcome with a button that does the other, and refetches. */
export function useTrashActions<Row extends SeenRecord>(
  of: TrashActions<Row>,
): {
  remove: UseMutationResult<unknown, unknown, SeenRecord>;
  restore: UseMutationResult<Row, unknown, { id: string; undo?: boolean }>;
} {
  const withNotices = notifyAndRefresh(of.refresh);
  const undo = useUndo();
  const remove: UseMutationResult<unknown, unknown, SeenRecord> = useMutation({
    mutationFn: ({ id, version }) => of.remove({ id, version }),
    ...withNotices(
      (_, { id }: SeenRecord) => ({ title: of.notices.remove.done, ...undo(() => restore.mutate({ id, undo: true })) }),
      of.notices.remove.failed,
    ),
  });
  const restore: UseMutationResult<Row, unknown, { id: string; undo?: boolean }> = useMutation({
    mutationFn: ({ id, undo = false }) => of.restore({ id, undo }),
    ...withNotices(
      (after: Row) => ({ title: of.notices.restore.done, ...undo(() => remove.mutate(after)) }),
      of.notices.restore.failed,
    ),
  });
  return { remove, restore };
}
