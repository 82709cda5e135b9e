import { type ChangeEvent, type ReactNode, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';

/** The selected rows of the page; a row that leaves the page is deselected. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter((row) => chosen.has(row.id));
  return {
    chosen,
    selected,
    clear: () => setChosen(new Set()),
    choose: (id: string, on: boolean) =>
      setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id))),
    /** Props of the checkbox that selects all of them. */
    wholePage: {
      type: 'checkbox',
      className: 'check-box',
      checked: rows.length > 0 && selected.length === rows.length,
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        setChosen(new Set(event.target.checked ? rows.map(({ id }) => id) : [])),
    },
  };
}

/** The actions on the selected rows, above the list. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  const messages = useText(adminTexts).admin.list;
  return (
    <div className="admin-bulk" role="status">
      <span>{messages.selected(count)}</span>
      {children}
      <Button size="sm" variant="ghost" onClick={onClear}>
        {messages.unselect}
      </Button>
    </div>
  );
}
