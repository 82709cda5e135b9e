import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Notice } from '#app/lib/notices/notify.ts';
import { notifyAndRefresh, type SeenRecord, useUndo } from '../notices.ts';
import { useResemblance } from './useResemblance.tsx';

interface TrashActions<Row extends SeenRecord> {
  remove: (record: SeenRecord) => Promise<unknown>;
  /**
   * @param record.undo as the undo of one's own deletion: what a colleague did with the record since stays.
   * @param resemblanceAccepted for tokens: the editor looked at those that it resembles.
   */
  restore: (record: { id: string; undo: boolean }, resemblanceAccepted: boolean) => Promise<Row>;
  /** Title and failure of each of the two. */
  notices: Record<'remove' | 'restore', { done: string; failed: (error: unknown) => Notice }>;
  /** Refetches the queries that show these records. */
  refresh: () => Promise<unknown>;
}

/**
 * Moves a record to the trash, and back: each shows a notice of its outcome with a button that does the other, and refetches.
 * @returns also `question`, for the screen of tokens: it asks before a token is restored that resembles another one.
 */
export function useTrashActions<Row extends SeenRecord>(
  of: TrashActions<Row>,
): {
  remove: UseMutationResult<unknown, unknown, SeenRecord>;
  restore: UseMutationResult<Row, unknown, { id: string; undo?: boolean }>;
  question: ReactNode;
} {
  const resemblance = useResemblance();
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
    mutationFn: ({ id, undo = false }) => resemblance.save((accepted) => of.restore({ id, undo }, accepted)),
    ...withNotices(
      (after: Row) => ({ title: of.notices.restore.done, ...undo(() => remove.mutate(after)) }),
      of.notices.restore.failed,
    ),
  });
  return { remove, restore, question: resemblance.question };
}
