import { Download, RotateCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Select } from '#app/ui/controls/Field.tsx';
import type { Column } from './AdminTable.tsx';
import { CollapsibleFilters } from './CollapsibleFilters.tsx';
import { CsvLink } from './CsvLink.tsx';
import { SearchBox } from './filters.tsx';
import { StoredListButton } from './StoredListButton.tsx';
import type { AdminList } from './useAdminList.ts';

interface ToolbarProps<Row> {
  list: AdminList<Row>;
  columns: Column<Row>[];
  /** Columns that can be hidden, including those that are. */
  offered: Column<Row>[];
  /** Columns that are collapsed on this screen width. */
  collapsed: Column<Row>[];
  search: string | undefined;
  ownRefresh: boolean | undefined;
  /** Filters. */
  children: ReactNode;
}

/** Above a list: search, filters, order, and actions on the whole list. */
export function Toolbar<Row>({ list, columns, offered, collapsed, search, ownRefresh, children }: ToolbarProps<Row>) {
  const messages = useText(adminTexts).admin.list;
  return (
    <div className="admin-toolbar">
      {search ? <SearchBox label={search} list={list} /> : null}
      {children || columns.some(({ sort }) => sort) ? (
        <CollapsibleFilters active={list.narrowing}>
          {children}
          {columns.some(({ sort }) => sort) ? (
            <OrderSelect list={list} columns={columns} always={collapsed.some(({ sort }) => sort)} />
          ) : null}
        </CollapsibleFilters>
      ) : null}
      <div className="ml-auto flex items-center gap-1">
        {list.narrowed ? (
          <Button size="sm" variant="ghost" onClick={list.clear}>
            <X aria-hidden="true" />
            {messages.clear}
          </Button>
        ) : null}
        {ownRefresh ? null : (
          <IconButton size="sm" label={messages.refresh} onClick={list.refresh}>
            <RotateCw aria-hidden="true" />
          </IconButton>
        )}
        <StoredListButton list={list.name} columns={offered.filter(({ lead }) => !lead)} />
        <CsvLink className={buttonClass({ size: 'sm', variant: 'ghost' })} href={list.csvHref} title={messages.export}>
          <Download aria-hidden="true" />
          <span className="max-xl:visually-hidden">{messages.export}</span>
        </CsvLink>
      </div>
    </div>
  );
}

/** Sort order as a select, for phones, where a table has no header; `always` when some columns are collapsed on wider screens too. */
function OrderSelect<Row>(props: { list: AdminList<Row>; columns: Column<Row>[]; always: boolean }) {
  const { list, columns, always } = props;
  const messages = useText(adminTexts).admin.list;
  const orders = columns.flatMap(({ sort, header }) =>
    sort ? [[sort, messages.rising(header)] as const, [`-${sort}`, messages.falling(header)] as const] : [],
  );
  return (
    <Select
      aria-label={messages.order}
      className={always ? undefined : 'admin-order'}
      value={list.sort}
      onChange={(event) => list.set({ sort: event.target.value })}
    >
      {orders.some(([value]) => value === list.sort) ? null : <option value={list.sort}>{messages.order}</option>}
      {orders.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
