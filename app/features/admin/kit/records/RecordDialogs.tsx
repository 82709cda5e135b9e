import type { ReactNode } from 'react';
import type { ScheduledKind, VersionedKind } from '#contract/admin/shared/audit-actions.ts';
import { HistoryDialog } from '../../audit/Timeline.tsx';
import { ScheduleDialog } from '../../editorial/Schedule.tsx';
import { Versions } from '../../editorial/Versions.tsx';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import type { AdminList } from '../list/useAdminList.ts';
import type { OpenRecord } from './RecordActions.tsx';

interface RecordDialogsProps<Row> {
  list: AdminList<Row>;
  open: OpenRecord<Row>;
  setOpen: (open: OpenRecord<Row>) => void;
  /** Resource type in the audit log: 'network'. */
  resourceType: string;
  nameOf: (row: Row) => string;
  /** The form; for a new record the row is null; use the record's id as key. */
  form?: (row: Row | null, close: () => void) => ReactNode;
  /** Details of a record; `onEdit` opens its form, null for a record in the trash. */
  details?: (row: Row, close: () => void, onEdit: (() => void) | null) => ReactNode;
  /** The question before deleting; default: the record's name. */
  question?: (row: Row) => ReactNode;
  onDelete: (row: Row) => Promise<unknown>;
  /** Kind of versions, shown above the history. */
  versions?: VersionedKind;
  /** Kind of schedule: the record is published and removed at set times. */
  schedule?: ScheduledKind;
}

/** The dialogs over a list of records: form, details, confirmation of a deletion, history. */
export function RecordDialogs<Row extends { id: string; version?: number; deletedAt: string | null }>(
  props: RecordDialogsProps<Row>,
) {
  const { list, open, setOpen, nameOf } = props;
  const close = () => setOpen(null);
  // The newest state of the open record: the list is refetched on changes of others.
  const current = open?.of ? (list.rows?.find(({ id }) => id === open.of?.id) ?? open.of) : null;
  return (
    <>
      {open?.what === 'form' ? props.form?.(open.of, close) : null}
      {open?.what === 'details' && current
        ? props.details?.(current, close, current.deletedAt ? null : () => setOpen({ what: 'form', of: current }))
        : null}
      <ConfirmDialog
        open={open?.what === 'delete'}
        onClose={close}
        question={current && (props.question?.(current) ?? nameOf(current))}
        onConfirm={() => (current ? props.onDelete(current) : Promise.resolve())}
      />
      <HistoryDialog
        record={
          open?.what === 'history'
            ? { resourceType: props.resourceType, resourceId: open.of.id, name: nameOf(open.of) }
            : null
        }
        onClose={close}
        versions={
          props.versions && current ? (
            <Versions kind={props.versions} id={current.id} deleted={current.deletedAt !== null} />
          ) : null
        }
      />
      {open?.what === 'schedule' && props.schedule && current?.version ? (
        <ScheduleDialog
          key={current.id}
          kind={props.schedule}
          record={{ ...current, version: current.version }}
          name={nameOf(current)}
          onClose={close}
        />
      ) : null}
    </>
  );
}
