import type { ReactNode } from 'react';
import type { Notice } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { useActions } from '../../people/useActions.tsx';
import type { Screen } from '../failures.ts';

type Seen = { id: string; version: number };
/** One of two actions that reverse each other. */
interface Choice<To> {
  to: To;
  label: string;
  done: Notice;
}
interface Options<Row, To> {
  choices: readonly [Choice<To>, Choice<To>];
  /** The state of a record now; null when it is neither of the two, so that undo could not restore it. */
  is?: (row: Row) => To | null;
  /** The action that undoes both for every record; by default the other choice does, for records that were in its state before. */
  back?: To;
  work: (records: Seen[], to: To) => Promise<{ results: BulkOutcome[] }>;
  /** Title of the notice when every record failed. */
  failed: string;
  nameOf: (row: Row) => string;
  refresh: () => Promise<unknown>;
  screen: Screen;
}

/**
 * Two bulk actions that reverse each other, such as on and off. Each record is sent with the version that was shown; the outcome is
 * reported per record, and successful ones can be undone, unless somebody changed the record meanwhile.
 * @returns `bulk` for the list, `report` for the screen.
 */
export function useSeenBulk<Row extends Seen, To>(
  options: Options<Row, To>,
): {
  bulk: (selected: Row[], clear: () => void) => ReactNode;
  report: ReactNode;
} {
  const { choices, is = () => null, back, work, failed, nameOf, refresh, screen } = options;
  const { runBulk, report } = useActions(screen, refresh);
  const isUndone = ({ before }: { before: To | null }, { to }: Choice<To>) => to === back || before === to;
  const run = (
    rows: (Seen & { name: string; before: To | null })[],
    choice: Choice<To>,
    other: Choice<To> | null,
  ): Promise<void> =>
    runBulk({
      rows,
      work: () =>
        work(
          rows.map(({ id, version }) => ({ id, version })),
          choice.to,
        ),
      done: choice.done,
      undo:
        other && rows.some((row) => isUndone(row, other))
          ? (ids) => {
              const done = rows.filter((row) => ids.includes(row.id) && isUndone(row, other));
              // The action raised the version by one.
              return run(
                done.map((row) => ({ ...row, version: row.version + 1 })),
                other,
                null,
              );
            }
          : undefined,
      failed,
    });
  return {
    bulk: (selected, clear) =>
      choices.map((choice, i) => (
        <Button
          key={choice.label}
          size="sm"
          onClick={() => {
            const rows = selected.map((row) => ({
              id: row.id,
              version: row.version,
              name: nameOf(row),
              before: is(row),
            }));
            const other = back === undefined ? (choices[1 - i] ?? null) : { ...choice, to: back };
            // The mutation shows its own notice on failure.
            run(rows, choice, other).then(clear, () => {});
          }}
        >
          {choice.label}
        </Button>
      )),
    report,
  };
}
