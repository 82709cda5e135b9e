import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Select } from '#app/ui/controls/Field.tsx';
import { TRASH_DAYS } from '#contract/limits.ts';
import { Switch } from '../Switch.tsx';
import type { AdminList } from './useAdminList.ts';

// Filters and order of a list; all of them are parameters of the address.

/** Debounce delay of the search. Milliseconds. */
const DELAY_MS = 300;

interface SearchBoxProps {
  label: string;
  /** Shown in the empty field where the label is too long for it. */
  hint?: string;
  list: { q: string; set: (change: Record<string, string | number>) => void };
}

export function SearchBox({ label, hint = label, list }: SearchBoxProps) {
  const [typed, setTyped] = useState(list.q);
  const sent = useRef(list.q);
  const { set } = list;
  const latest = useRef(set);
  useEffect(() => {
    latest.current = set;
  }, [set]);
  useEffect(() => {
    // The search was cleared or the address changed: the box shows the parameter.
    if (list.q === sent.current) return;
    sent.current = list.q;
    setTyped(list.q);
  }, [list.q]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      latest.current({ q: wanted });
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="admin-search">
      <Search aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        className="control"
        placeholder={hint}
        value={typed}
        maxLength={100}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

/** The choice between live records and the trash. */
export function ShelfSwitch<Row>({ list }: { list: AdminList<Row> }) {
  const messages = useText(adminTexts).admin.list;
  const shelf = list.filter['shelf'] ?? 'live';
  return (
    <Switch
      label={messages.shelf}
      name="shelf"
      value={shelf === 'trash' ? 'trash' : 'live'}
      choices={[
        ['live', messages.live],
        ['trash', messages.trash],
      ]}
      onChoose={(one) => list.set({ shelf: one })}
    />
  );
}

/** A select whose value is a parameter of the address: a filter of the list, or its order. */
export function ListSelect<Row>(props: {
  list: AdminList<Row>;
  /** Name of the filter; 'sort' for the order. */
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  const { list, name, label, options } = props;
  return (
    <Select
      aria-label={label}
      value={list.filter[name] ?? ''}
      onChange={(event) => list.set({ [name]: event.target.value })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}

/** Above a list of the trash: the retention period. */
export function TrashHint() {
  const messages = useText(adminTexts).admin.list;
  return <p className="text-sm text-quiet">{messages.trashHint(TRASH_DAYS)}</p>;
}
