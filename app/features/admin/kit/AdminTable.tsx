import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { whole } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneLostTicket } from '#app/ui/art/scenes/SceneLostTicket.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Pagination } from '#app/ui/controls/Pagination.tsx';
import { cx } from '#app/ui/cx.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { LIST_PAGE } from '#contract/limits.ts';
import type { Screen } from './failures.ts';
import { useShownColumns } from './KeptList.tsx';
import { Toolbar } from './Toolbar.tsx';
import { Unread } from './Unread.tsx';
import type { AdminList } from './useAdminList.ts';
import { useRoom } from './useRoom.ts';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Sort key of the contract; without one the column can't be sorted by. */
  sort?: string;
  align?: 'end';
  /** Takes the whole width of a card on phones and stands first: the record's name. */
  lead?: boolean;
  /** No column of its own where the buttons at the end would lie over it: there it stands below the others; `wide`: nor on small screens, there below the name. */
  roomy?: boolean | 'wide';
}

interface AdminTableProps<Row extends { id: string }> {
  list: AdminList<Row>;
  /** Columns of the table; a list of cards has none. */
  columns?: Column<Row>[];
  /** Draws a row as a card instead: the list is a grid of them. */
  card?: (row: Row) => ReactNode;
  /** The screen has a button of its own to read the list again. */
  ownRefresh?: boolean;
  /** Name of the table, for screen readers. */
  caption: string;
  /** Name of a row, for its checkbox. */
  nameOf: (row: Row) => string;
  /** Icon buttons at the end of each row. */
  actions?: (row: Row) => ReactNode;
  /** Buttons that do something with the selected rows; the table then has checkboxes. */
  bulk?: (selected: Row[], clear: () => void) => ReactNode;
  searchLabel?: string;
  /** Selects and switches beside the search box; `list.filter` and `list.set` keep them in the address. */
  filters?: ReactNode;
  loading: string;
  empty: { title: string; text?: string; action?: ReactNode };
  /** Words of a search or filter without a find, where the screen has its own. */
  notFound?: string;
  /** Words of a failed read; the reason follows. */
  failed: string;
  /** Whose words a lost session gets. */
  screen?: Screen;
}

/**
 * The table of every list: search, filters, order, pages, selection, and what there is to say while it loads, is empty,
 * or could not be read. On phones each row is a card.
 */
export function AdminTable<Row extends { id: string }>(props: AdminTableProps<Row>) {
  const { list, columns: offered = [], card, actions, bulk, caption, nameOf } = props;
  const all = useShownColumns(list.name, offered);
  const { columns, collapsed, tight } = useRoom(all);
  const messages = useText(adminTexts).admin.list;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = list.rows ?? [];
  const selected = rows.filter((row) => chosen.has(row.id));
  const clear = () => setChosen(new Set());
  const chooseAll = (event: ChangeEvent<HTMLInputElement>) =>
    setChosen(new Set(event.target.checked ? rows.map(({ id }) => id) : []));
  const choose = (id: string, on: boolean) =>
    setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  const width = columns.length + (actions ? 1 : 0) + (bulk ? 1 : 0);
  const note = list.error ? (
    <Unread what={props.failed} of={{ error: list.error, refetch: list.refresh }} screen={props.screen}>
      <SceneClosedGate />
    </Unread>
  ) : !list.loading && rows.length === 0 ? (
    <Empty list={list} empty={props.empty} notFound={props.notFound} />
  ) : null;

  return (
    <div className="grid grid-cols-1 gap-3">
      <Toolbar
        list={list}
        columns={all}
        offered={offered}
        collapsed={collapsed}
        search={props.searchLabel}
        ownRefresh={props.ownRefresh}
      >
        {props.filters}
      </Toolbar>

      {bulk && selected.length > 0 ? (
        <div className="admin-bulk" role="status">
          <span>{messages.selected(selected.length)}</span>
          {bulk(selected, clear)}
          <Button size="sm" variant="ghost" onClick={clear}>
            {messages.unselect}
          </Button>
        </div>
      ) : null}

      {card ? (
        <Cards list={list} card={card} label={caption} loading={props.loading} note={note} />
      ) : (
        <>
          {bulk && rows.length > 0 ? (
            <label className="check admin-all">
              <input
                type="checkbox"
                className="check-box"
                checked={selected.length === rows.length}
                onChange={chooseAll}
              />
              {messages.selectAll}
            </label>
          ) : null}
          {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, also with the keyboard. */}
          <section
            className="admin-table-frame"
            data-moving={list.moving || undefined}
            tabIndex={0}
            aria-label={caption}
          >
            {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above. */}
            <table className="admin-table" aria-busy={list.loading || list.moving}>
              <caption className="visually-hidden">{caption}</caption>
              <thead>
                <tr>
                  {bulk ? (
                    <th scope="col" className="admin-check">
                      <input
                        type="checkbox"
                        className="check-box"
                        aria-label={messages.selectAll}
                        disabled={rows.length === 0}
                        checked={rows.length > 0 && selected.length === rows.length}
                        onChange={chooseAll}
                      />
                    </th>
                  ) : null}
                  {columns.map((column) => (
                    <HeadCell key={column.key} column={column} list={list} />
                  ))}
                  {actions ? (
                    <th scope="col" className="admin-actions text-right">
                      {messages.actions}
                    </th>
                  ) : null}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <TableRow
                    key={row.id}
                    row={row}
                    columns={columns}
                    collapsed={collapsed}
                    under={tight}
                    chosen={chosen.has(row.id)}
                    choice={bulk && messages.select(nameOf(row))}
                    onChoose={choose}
                    actions={actions?.(row)}
                  />
                ))}
                {list.loading ? <LoadingRows columns={width} label={props.loading} /> : null}
              </tbody>
            </table>
            {note}
          </section>
        </>
      )}

      {list.total > 0 ? <Pages list={list} /> : null}
    </div>
  );
}

/** Which rows these are, of how many, and the way to the others. */
function Pages<Row>({ list }: { list: AdminList<Row> }) {
  const messages = useText(adminTexts).admin.list;
  const locale = useLocale();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="figures text-sm text-quiet" role="status">
        {messages.range(
          whole(Math.min(list.total, (list.page - 1) * LIST_PAGE + 1), locale),
          whole(Math.min(list.total, list.page * LIST_PAGE), locale),
          list.count,
        )}
      </p>
      <Pagination
        page={list.page}
        pages={list.pages}
        href={list.hrefOfPage}
        label={messages.pages}
        pageLabel={messages.page}
        previousLabel={messages.previous}
        nextLabel={messages.next}
      />
    </div>
  );
}

interface CardsProps<Row> {
  list: AdminList<Row>;
  card: (row: Row) => ReactNode;
  label: string;
  loading: string;
  note: ReactNode;
}

function Cards<Row extends { id: string }>({ list, card, label, loading, note }: CardsProps<Row>) {
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

function HeadCell<Row>({ column, list }: { column: Column<Row>; list: AdminList<Row> }) {
  const messages = useText(adminTexts).admin.list;
  const { sort, header } = column;
  const end = column.align === 'end' ? 'text-right' : undefined;
  if (!sort)
    return (
      <th scope="col" className={end}>
        {header}
      </th>
    );
  const down = list.sort === `-${sort}`;
  const up = list.sort === sort;
  const Icon = up ? ArrowUp : down ? ArrowDown : ArrowUpDown;
  return (
    <th scope="col" className={end} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button
        type="button"
        className="admin-sort"
        title={messages.sortBy(header)}
        onClick={() => list.set({ sort: up ? `-${sort}` : sort })}
      >
        {header}
        <Icon aria-hidden="true" className={cx(!up && !down && 'opacity-40')} />
      </button>
    </th>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: Column<Row>[];
  collapsed: Column<Row>[];
  /** They stand in a line of their own, as wide as the row: below the name it would be as tall as they are many. */
  under: boolean;
  chosen: boolean;
  /** Name of its checkbox; none without. */
  choice: string | undefined;
  onChoose: (id: string, on: boolean) => void;
  actions: ReactNode;
}

function TableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, columns, collapsed, chosen, choice, onChoose, actions } = props;
  const under = props.under && collapsed.length > 0;
  const tall = under ? 2 : undefined;
  return (
    <>
      <tr data-row={row.id} data-chosen={chosen || undefined}>
        {choice ? (
          <td className="admin-check" rowSpan={tall}>
            <input
              type="checkbox"
              className="check-box"
              aria-label={choice}
              checked={chosen}
              onChange={(event) => onChoose(row.id, event.target.checked)}
            />
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

/** What has no column of its own. */
function Collapsed<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
  return (
    <dl className="admin-folded">
      {columns.map(({ key, header, cell }) => (
        <div key={key}>
          <dt>{header}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  );
}

function LoadingRows({ columns, label }: { columns: number; label: string }) {
  return (
    <>
      <tr>
        <td colSpan={columns} role="status" className="text-quiet">
          {label}
        </td>
      </tr>
      {Array.from({ length: 6 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <tr key={i}>
          <td colSpan={columns}>
            <Skeleton className="h-6 w-full max-md:h-36" />
          </td>
        </tr>
      ))}
    </>
  );
}

type EmptyMessages = { empty: AdminTableProps<{ id: string }>['empty']; notFound: string | undefined };

function Empty<Row>({ list, empty, notFound }: { list: AdminList<Row> } & EmptyMessages) {
  const messages = useText(adminTexts).admin.list;
  const inTrash = list.filter['shelf'] === 'trash' && !list.q;
  const shown = inTrash
    ? { title: messages.trashEmpty }
    : list.narrowed || list.page > 1
      ? { title: notFound ?? messages.nothingFound, text: messages.nothingFoundText }
      : empty;
  return (
    <div className="admin-note" role="status">
      {shown === empty || inTrash ? <SceneEmptyStage /> : <SceneLostTicket />}
      <p className="font-semibold">{shown.title}</p>
      {shown.text ? <p className="text-sm text-quiet">{shown.text}</p> : null}
      {shown === empty ? empty.action : null}
    </div>
  );
}
