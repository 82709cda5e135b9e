import { type ReactNode, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { BulkKind } from '#contract/admin/bulk-records.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { useActions } from '../../people/useActions.tsx';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import type { Screen } from '../failures.ts';

type Answer = Promise<{ results: BulkOutcome[] }>;
/** The calls that move records of a kind to the trash and back. */
export interface TrashCalls {
  remove: (records: { id: string; version: number }[]) => Answer;
  /** @param undo as the undo of one's own deletion: what a colleague did with a record since stays. */
  restore: (ids: string[], undo: boolean) => Answer;
}
/** Those of the kinds that editors delete in bulk. */
const callsFor = (kind: BulkKind): TrashCalls => ({
  remove: (records) => client.admin.records.remove({ kind, records }),
  restore: (ids, undo) => client.admin.records.restore({ kind, ids, undo }),
});

interface Options<Row> {
  /** The list shows the trash. */
  trash: boolean;
  nameOf: (row: Row) => string;
  /** Refetches the queries that show these records. */
  refresh: () => Promise<unknown>;
  /** The screen whose message is used for a lost session. */
  screen: Screen;
}

/**
 * Moves selected records of one kind to the trash or back. The outcome is reported per record; both actions can be undone there.
 *
 * @param of the kind of the records, or the calls of one that is not among those.
 * @returns `bulk` for the list, `dialogs` for the screen.
 */
export function useTrashBulk<Row extends { id: string; version: number }>(
  of: BulkKind | TrashCalls,
  { trash, nameOf, refresh, screen }: Options<Row>,
): { bulk: (selected: Row[], clear: () => void) => ReactNode; dialogs: ReactNode } {
  const messages = useText(adminTexts).admin.list.bulk;
  const { runBulk, report } = useActions(screen, refresh);
  const calls = typeof of === 'string' ? callsFor(of) : of;
  const [requested, setRequested] = useState<{ rows: Row[]; clear: () => void } | null>(null);
  const named = (rows: Row[]) => rows.map((row) => ({ id: row.id, name: nameOf(row) }));
  /** @param rows with their versions in the trash: restoring raises each by one. */
  const restore = (rows: Row[], undoing = false): Promise<void> =>
    runBulk({
      rows: named(rows),
      work: (ids) => calls.restore(ids, undoing),
      done: { title: messages.restored },
      undo: (ids) =>
        remove(rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, version: row.version + 1 }))),
      failed: messages.restoreFailed,
    });
  const remove = (rows: Row[]): Promise<void> =>
    runBulk({
      rows: named(rows),
      work: () => calls.remove(rows.map(({ id, version }) => ({ id, version }))),
      done: { title: messages.removed },
      undo: (ids) =>
        restore(
          rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, version: row.version + 1 })),
          true,
        ),
      failed: messages.removeFailed,
    });
  return {
    bulk: (selected, clear) => (
      <Button
        size="sm"
        onClick={() => {
          if (!trash) return setRequested({ rows: selected, clear });
          // The mutation shows its own notice on failure.
          restore(selected).then(clear, () => {});
        }}
      >
        {trash ? messages.restore : messages.remove}
      </Button>
    ),
    dialogs: (
      <>
        <ConfirmDialog
          open={requested !== null}
          onClose={() => setRequested(null)}
          title={messages.removeTitle(requested?.rows.length ?? 0)}
          question={requested?.rows.length === 1 && requested.rows[0] ? nameOf(requested.rows[0]) : undefined}
          confirmLabel={messages.remove}
          busyLabel={messages.busy}
          onConfirm={async () => requested && remove(requested.rows).then(requested.clear)}
        />
        {report}
      </>
    ),
  };
}
