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
  /** Its name in the audit: 'network'. */
  resourceType: string;
  nameOf: (row: Row) => string;
  /** The form, of a new record when there is none; give it the record's id as key. */
  form?: (row: Row | null, close: () => void) => ReactNode;
  /** Everything about a record; `onEdit` goes on to its form, null for what lies in the trash. */
  details?: (row: Row, close: () => void, onEdit: (() => void) | null) => ReactNode;
  /** Asked before it is deleted; the record's name unless said otherwise. */
  question?: (row: Row) => ReactNode;
  onDelete: (row: Row) => Promise<unknown>;
  /** Its earlier texts, above its history. */
  versions?: VersionedKind;
  /** It appears and goes at set moments. */
  schedule?: ScheduledKind;
}

/** The dialogs over a list of records: form, details, the question before deleting, history. */
export function RecordDialogs<Row extends { id: string; version?: number; deletedAt: string | null }>(
  props: RecordDialogsProps<Row>,
) {
  const { list, open, setOpen, nameOf } = props;
  const close = () => setOpen(null);
  // The newest state of what is open: the list follows the changes of others.
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
