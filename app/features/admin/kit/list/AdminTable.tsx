import { ArrowDown, ArrowUp, ArrowUpDown, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Pagination } from '#app/ui/controls/Pagination.tsx';
import { cx } from '#app/ui/cx.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { LIST_PAGE } from '#contract/limits.ts';
import type { Screen } from '../failures.ts';
import { LoadError } from '../LoadError.tsx';
import { Cards, Choice, TableRow } from './AdminRows.tsx';
import { CsvLink } from './CsvLink.tsx';
import { useShownColumns } from './StoredListButton.tsx';
import { SelectionBar, useSelection } from './selection.tsx';
import { Toolbar } from './Toolbar.tsx';
import type { AdminList } from './useAdminList.ts';
import { useColumnLayout } from './useColumnLayout.ts';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Sort key of the contract; without one the list can't be sorted by this column. */
  sort?: string;
  align?: 'end';
  /** The record's name: on phones it comes first and takes the full width of the card. */
  lead?: boolean;
  /**
   * Moves to another place while the screen is too narrow for it. `true`: between 48 and 80rem, into a line below the row. `wide`: up to
   * 96rem, from 80rem on below the record's name. `line`: up to 96rem, into a line below the row, with all others that moved. On phones
   * a row is a card with all columns.
   */
  collapsible?: boolean | 'wide' | 'line';
}

interface AdminTableProps<Row extends { id: string }> {
  list: AdminList<Row>;
  /** Columns of the table; empty for a list of cards. */
  columns?: Column<Row>[];
  /** Renders a row as a card instead, with its checkbox where rows can be selected: the list is a grid of them. */
  card?: (row: Row, choice: ReactNode) => ReactNode;
  /** The screen has its own button to refetch the list. */
  ownRefresh?: boolean;
  /** Accessible name of the table. */
  caption: string;
  /** Accessible name of a row's checkbox. */
  nameOf: (row: Row) => string;
  /** Icon buttons at the end of each row. */
  actions?: (row: Row) => ReactNode;
  /** Actions on the selected rows, besides their export. */
  bulk?: (selected: Row[], clear: () => void) => ReactNode;
  searchLabel?: string;
  /** Selects and switches next to the search box; `list.filter` and `list.set` store them in the address. */
  filters?: ReactNode;
  loading: string;
  empty: { title: string; text?: string; action?: ReactNode };
  /** Message of a search or filter without results; default: that of all lists. */
  notFound?: string;
  /** Message of a failed read; the reason follows. */
  failed: string;
  /** The screen whose message is used for a lost session. */
  screen?: Screen;
}

/**
 * The table of every list: search, filters, order, pages, selection, and its states loading, empty and failed. On phones each row is a
 * card.
 */
export function AdminTable<Row extends { id: string }>(props: AdminTableProps<Row>) {
  const { list, columns: offered = [], card, actions, bulk, caption, nameOf } = props;
  const all = useShownColumns(list.name, offered);
  const { columns, collapsed, under } = useColumnLayout(all);
  const messages = useText(adminTexts).admin.list;
  const rows = list.rows ?? [];
  const { chosen, selected, choose, clear, wholePage } = useSelection(rows);
  const width = columns.length + (actions ? 1 : 0) + 1;
  const note = list.error ? (
    <Failed list={list} what={props.failed} screen={props.screen} />
  ) : !list.loading && !list.moving && rows.length === 0 ? (
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

      {selected.length > 0 ? (
        <SelectionBar count={selected.length} onClear={clear}>
          {bulk?.(selected, clear)}
          <CsvLink className={buttonClass({ size: 'sm' })} href={list.csvHrefOf(selected.map(({ id }) => id))}>
            <Download aria-hidden="true" />
            {messages.exportSelected}
          </CsvLink>
        </SelectionBar>
      ) : null}

      {rows.length > 0 ? (
        <label className={cx('check', !card && 'admin-all')}>
          <input {...wholePage} />
          {messages.selectAll}
        </label>
      ) : null}
      {card ? (
        <Cards
          list={list}
          card={(row) =>
            card(
              row,
              <Choice name={messages.select(nameOf(row))} id={row.id} chosen={chosen.has(row.id)} onChoose={choose} />,
            )
          }
          label={caption}
          loading={props.loading}
          note={note}
        />
      ) : (
        <>
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
                  <th scope="col" className="admin-check">
                    <input {...wholePage} aria-label={messages.selectAll} disabled={rows.length === 0} />
                  </th>
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
                    under={under}
                    chosen={chosen.has(row.id)}
                    choice={messages.select(nameOf(row))}
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

/** A list that could not be loaded. When it refuses a value of its address, a retry would fail too: the whole list is offered instead. */
function Failed<Row>({ list, what, screen }: { list: AdminList<Row>; what: string; screen: Screen | undefined }) {
  const messages = useText(adminTexts).admin.list;
  const unknown = codeOf(list.error) === 'BAD_REQUEST';
  return (
    <LoadError
      what={what}
      of={{ error: list.error, refetch: list.refresh }}
      screen={screen}
      instead={
        unknown
          ? {
              reason: messages.unknownAddress,
              action: (
                <Button size="sm" onClick={list.reset}>
                  {messages.wholeList}
                </Button>
              ),
            }
          : undefined
      }
    >
      <SceneClosedGate />
    </LoadError>
  );
}

/** The range of the shown rows, the total, and links to the other pages. */
function Pages<Row>({ list }: { list: AdminList<Row> }) {
  const messages = useText(adminTexts).admin.list;
  const locale = useLocale();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="figures text-sm text-quiet" role="status">
        {messages.range(
          integer(Math.min(list.total, (list.page - 1) * LIST_PAGE + 1), locale),
          integer(Math.min(list.total, list.page * LIST_PAGE), locale),
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
      {shown === empty || inTrash ? <SceneEmptyStage /> : <SceneNotFound />}
      <p className="font-semibold">{shown.title}</p>
      {shown.text ? <p className="text-sm text-quiet">{shown.text}</p> : null}
      {shown === empty ? empty.action : null}
    </div>
  );
}
