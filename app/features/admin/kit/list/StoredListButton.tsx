import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminListsTexts } from '#app/lib/messages/admin/lists.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import type { StoredList } from '#contract/admin/list-preferences.ts';
import { useAdminFailure } from '../failures.ts';
import { useQueryParameters } from '../useQueryParameters.ts';

const NOTHING: StoredList = { hidden: [], views: [] };

/** The current user's settings of a list; the defaults while they are loading. */
function useStoredList(list: string): StoredList {
  const { data } = useQuery({
    ...rpc.admin.lists.read.queryOptions({ input: { list } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NOTHING;
}

/** The columns of a list without those that the user hid; the name column always stays. */
export function useShownColumns<One extends { key: string; lead?: boolean }>(list: string, columns: One[]): One[] {
  const { hidden } = useStoredList(list);
  return columns.filter(({ key, lead }) => lead || !hidden.includes(key));
}

/** For lists of cards, whose parts are hidden like columns: returns whether a part is shown. */
export function useShownParts(list: string): (key: string) => boolean {
  const { hidden } = useStoredList(list);
  return (key) => !hidden.includes(key);
}

interface StoredListProps {
  /** Name in /api/admin/<name>.csv. */
  list: string;
  /** Columns that can be hidden. */
  columns: { key: string; header: string }[];
}

/** The user's named filters and visible columns of a list, in a menu above it. */
export function StoredListButton(props: StoredListProps) {
  const messages = useText(adminListsTexts).lists;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="ghost" title={messages.open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Bookmark aria-hidden="true" />
        <span className="max-xl:visually-hidden">{messages.open}</span>
      </Button>
      {open ? <StoredListDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Saves the whole state of a list, one change after the other. @param onSettled called once no save is under way any more. */
function useSave(list: string, onSettled: () => void) {
  const messages = useText(adminListsTexts).lists;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const { queryKey } = rpc.admin.lists.read.queryOptions({ input: { list } });
  const mutationKey = ['admin', 'lists', 'save', list];
  const confirmed = useRef<StoredList | undefined>(undefined);
  return useMutation({
    mutationKey,
    // Serialized in order: each request carries the whole state.
    scope: { id: mutationKey.join() },
    mutationFn: (next: StoredList) => client.admin.lists.save({ list, ...next }),
    // Optimistic update; on failure the stored state is shown again, also without a connection to read it.
    onMutate: (next) => {
      // Those that wait behind another one see its optimistic state: only the first of them begins from a stored one.
      if (queries.isMutating({ mutationKey }) === 1) confirmed.current = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, next);
    },
    onSuccess: (saved) => {
      confirmed.current = saved;
      queries.setQueryData(queryKey, saved);
    },
    onError: (error) => {
      queries.setQueryData(queryKey, confirmed.current);
      notify.failed(error, { title: messages.failed, text: failure(error) });
      void queries.invalidateQueries({ queryKey });
    },
    onSettled: () => {
      if (queries.isMutating({ mutationKey }) === 1) onSettled();
    },
  });
}

function StoredListDialog({ list, columns, onClose }: StoredListProps & { onClose: () => void }) {
  const messages = useText(adminListsTexts).lists;
  const navigate = useNavigate();
  const { parameters } = useQueryParameters();
  const stored = useStoredList(list);
  // Local state: a checkbox changes on click, and the next change builds on it.
  const [chosen, setChosen] = useState<StoredList | null>(null);
  const current = chosen ?? stored;
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const save = useSave(list, () => setChosen(null));
  const choose = (next: StoredList, done?: () => void) => {
    setChosen(next);
    save.mutate(next, done ? { onSuccess: done } : {});
  };
  const now = new URLSearchParams(parameters);
  now.delete('page');
  const query = now.toString();

  function saveView(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    const wanted = name.trim();
    setMissing(!wanted);
    if (!wanted) return;
    const others = current.views.filter((view) => view.name !== wanted);
    choose({ ...current, views: [...others, { name: wanted, query }] }, () => setName(''));
  }
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={messages.title} description={messages.lead}>
      <div className="grid gap-6">
        <section aria-label={messages.views} className="grid gap-3">
          <h3 className="text-sm font-semibold text-quiet">{messages.views}</h3>
          {current.views.length === 0 ? <p className="text-sm text-quiet">{messages.none}</p> : null}
          <ul className="grid gap-1">
            {current.views.map((view) => (
              <li key={view.name} className="flex min-w-0 items-center gap-2">
                <Button
                  size="sm"
                  className="min-w-0 flex-1 justify-start"
                  onClick={() => {
                    void navigate(`?${view.query}`, { preventScrollReset: true });
                    onClose();
                  }}
                >
                  <span className="truncate" dir="auto">
                    {view.name}
                  </span>
                </Button>
                <IconButton
                  size="sm"
                  label={messages.forget(view.name)}
                  onClick={() => choose({ ...current, views: current.views.filter((one) => one !== view) })}
                >
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </li>
            ))}
          </ul>
          <form onSubmit={saveView} noValidate className="flex flex-wrap items-end gap-2">
            <div className="min-w-0 flex-1">
              <Field label={messages.name} error={missing ? messages.nameNeeded : undefined}>
                <Input
                  value={name}
                  maxLength={60}
                  autoComplete="off"
                  onChange={(event) => setName(event.target.value)}
                />
              </Field>
            </div>
            <Button type="submit" busy={save.isPending}>
              {messages.keep}
            </Button>
          </form>
        </section>
        {columns.length > 0 ? (
          <section aria-label={messages.columns} className="grid gap-2">
            <h3 className="text-sm font-semibold text-quiet">{messages.columns}</h3>
            {columns.map(({ key, header }) => (
              <Checkbox
                key={key}
                name={key}
                label={header}
                checked={!current.hidden.includes(key)}
                onChange={({ target }) =>
                  choose({
                    ...current,
                    hidden: target.checked ? current.hidden.filter((one) => one !== key) : [...current.hidden, key],
                  })
                }
              />
            ))}
          </section>
        ) : null}
      </div>
    </Dialog>
  );
}
