import { ArchiveRestore, Eye, History, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';

/** The dialog that is open over a list of records; a form without a record creates a new one. */
export type OpenRecord<Row> =
  | { what: 'form'; of: Row | null }
  | { what: 'details' | 'delete' | 'history' | 'schedule'; of: Row }
  | null;

interface RecordActionsProps<Row> {
  row: Row;
  name: string;
  setOpen: (open: OpenRecord<Row>) => void;
  onRestore: (row: Row) => void;
  /** The record has a dialog with details. */
  viewable?: boolean;
  /** The form of this record is open in the page. */
  editing?: boolean;
  /** More actions before and after the edit button, for records that are not in the trash. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The action buttons of a record's row: details, history, edit and delete, or restore from the trash. */
export function RecordActions<Row extends { deletedAt: string | null }>(props: RecordActionsProps<Row>) {
  const { row, name, setOpen, onRestore, viewable, editing, before, after } = props;
  const messages = useText(adminTexts).admin.list;
  return (
    <>
      {viewable ? (
        <IconButton size="sm" label={messages.viewOf(name)} onClick={() => setOpen({ what: 'details', of: row })}>
          <Eye aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton size="sm" label={messages.historyOf(name)} onClick={() => setOpen({ what: 'history', of: row })}>
        <History aria-hidden="true" />
      </IconButton>
      {row.deletedAt ? (
        <IconButton size="sm" label={messages.restoreOf(name)} onClick={() => onRestore(row)}>
          <ArchiveRestore aria-hidden="true" />
        </IconButton>
      ) : (
        <>
          {before}
          <IconButton
            size="sm"
            label={messages.editOf(name)}
            aria-pressed={editing}
            onClick={() => setOpen({ what: 'form', of: row })}
          >
            <Pencil aria-hidden="true" />
          </IconButton>
          {after}
          <IconButton size="sm" label={messages.deleteOf(name)} onClick={() => setOpen({ what: 'delete', of: row })}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        </>
      )}
    </>
  );
}
