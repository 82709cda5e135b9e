import type { ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import type { Column } from './AdminTable.tsx';
import type { AdminList } from './useAdminList.ts';

interface CardsProps<Row> {
  list: AdminList<Row>;
  card: (row: Row) => ReactNode;
  label: string;
  loading: string;
  note: ReactNode;
}

/** The rows of a list as a grid of cards. */
export function Cards<Row extends { id: string }>({ list, card, label, loading, note }: CardsProps<Row>) {
  return (
    <section aria-label={label} aria-busy={list.loading || list.moving}>
      {list.loading ? (
        <>
          <p role="status" className="mb-3 text-quiet">
            {loading}
          </p>
          <div aria-hidden="true" className="admin-cards">
            <Skeleton className="h-64" />
            <Skeleton className="h-64" />
            <Skeleton className="h-64" />
          </div>
        </>
      ) : null}
      {list.rows?.length ? (
        <ul className="admin-cards" data-moving={list.moving || undefined}>
          {list.rows.map((row) => (
            <li key={row.id} data-row={row.id} className="admin-panel">
              {card(row)}
            </li>
          ))}
        </ul>
      ) : note ? (
        <div className="admin-panel">{note}</div>
      ) : null}
    </section>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: Column<Row>[];
  collapsed: Column<Row>[];
  /** Row actions have a line of their own, as wide as the row: below the name they would be stacked vertically. */
  under: boolean;
  chosen: boolean;
  /** Accessible name of its checkbox; undefined without one. */
  choice: string | undefined;
  onChoose: (id: string, on: boolean) => void;
  actions: ReactNode;
}

/** A row of a table; on phones a card. */
export function TableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, columns, collapsed, chosen, choice, onChoose, actions } = props;
  const under = props.under && collapsed.length > 0;
  const tall = under ? 2 : undefined;
  return (
    <>
      <tr data-row={row.id} data-chosen={chosen || undefined}>
        {choice ? (
          <td className="admin-check" rowSpan={tall}>
            <Choice name={choice} id={row.id} chosen={chosen} onChoose={onChoose} />
          </td>
        ) : null}
        {columns.map((column) => (
          <td
            key={column.key}
            data-label={column.header}
            className={cx(column.align === 'end' && 'text-right', column.lead && 'admin-lead')}
          >
            {column.cell(row)}
            {column.lead && collapsed.length > 0 && !under ? <Collapsed columns={collapsed} row={row} /> : null}
          </td>
        ))}
        {actions === undefined ? null : (
          <td className="admin-actions" rowSpan={tall}>
            <div>{actions}</div>
          </td>
        )}
      </tr>
      {under ? (
        <tr className="admin-under" data-chosen={chosen || undefined}>
          <td colSpan={columns.length}>
            <Collapsed columns={collapsed} row={row} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

interface ChoiceProps {
  name: string;
  id: string;
  chosen: boolean;
  onChoose: (id: string, on: boolean) => void;
}

/** The checkbox that selects a row. */
export function Choice({ name, id, chosen, onChoose }: ChoiceProps) {
  return (
    <input
      type="checkbox"
      className="check-box"
      aria-label={name}
      checked={chosen}
      onChange={(event) => onChoose(id, event.target.checked)}
    />
  );
}

/** Values of the collapsed columns. */
function Collapsed<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
  return (
    <dl className="admin-collapsed">
      {columns.map(({ key, header, cell }) => (
        <div key={key}>
          <dt>{header}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}
