import { type ChangeEvent, type ReactNode, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';

/** Which of the rows on the page are selected; one that left the page is not. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter((row) => chosen.has(row.id));
  return {
    chosen,
    selected,
    clear: () => setChosen(new Set()),
    choose: (id: string, on: boolean) =>
      setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id))),
    /** Of the box that selects them all. */
    wholePage: {
      type: 'checkbox',
      className: 'check-box',
      checked: rows.length > 0 && selected.length === rows.length,
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        setChosen(new Set(event.target.checked ? rows.map(({ id }) => id) : [])),
    },
  };
}

/** What can be done with those that are selected, above the list. */
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
