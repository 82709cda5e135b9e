import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminSearchTexts } from '#app/lib/messages/admin/search.ts';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { adminTaskTexts } from '#app/lib/messages/admin/tasks.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Input } from '#app/ui/controls/Field.tsx';
import { HIT_ATTRIBUTE, moveThroughHits } from '#app/ui/controls/move-through-hits.ts';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { SearchHit, SearchHitKind } from '#contract/admin/search.ts';
import { MAX_HITS_OF_A_KIND, SEARCH_MAX } from '#contract/limits.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { useRights } from '../kit/rights.tsx';
import { NAVIGATION } from '../navigation.ts';
import { exactHit, firstOf, isExactly } from './exact.ts';
import { listWith, pathOf } from './paths.ts';
import { settingsFor } from './settings.ts';
import { normalized, TASKS, tasksFor } from './tasks.ts';

/** Debounce delay of the search. Milliseconds. */
const DELAY_MS = 200;

/** Screens and tasks by their names at once, and records of every list while somebody types. */
export function AdminSearchDialog({ onClose }: { onClose: () => void }) {
  const messages = useText(adminSearchTexts).find;
  const failure = useAdminFailure();
  const href = useHref();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [terms, setTerms] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTerms(typed.trim()), DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = useQuery(
    rpc.admin.find.queryOptions({ input: terms ? { q: terms } : skipToken, placeholderData: keepPreviousData }),
  );
  const found = terms ? query.data : undefined;
  const offers = useOffers(typed, terms !== '');
  const { offered } = offers;
  const queries = useQueryClient();
  const follow = (path: string) => {
    void navigate(href(path));
    onClose();
  };
  const exact = found && exactHit(typed, offered, found);
  /** A record with the typed title comes first, so the records are awaited, unless something else has that name. */
  async function openFirst(): Promise<void> {
    const q = typed.trim();
    const isKnown = q === '' || offered.some(({ name }) => isExactly(q, name));
    const records = isKnown
      ? []
      : await queries.fetchQuery(rpc.admin.find.queryOptions({ input: { q } })).catch(() => []);
    const first = firstOf(q, offered, records);
    if (first) follow('path' in first ? first.path : pathOf(first));
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={messages.title} className="search-palette">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between what can be focused inside. */}
      <div className="grid gap-4" onKeyDown={moveThroughHits}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void openFirst();
          }}
        >
          <Input
            {...HIT_ATTRIBUTE}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={messages.placeholder}
            aria-label={messages.label}
            autoComplete="off"
            dir="auto"
            maxLength={SEARCH_MAX}
            className="min-h-13"
          />
        </form>
        <p className="visually-hidden" role="status">
          {found && !query.isFetching ? messages.count(offered.length + found.length) : ''}
        </p>
        {exact ? (
          <Group title={messages.exact}>
            <Hit to={href(pathOf(exact))} onFollow={onClose}>
              <span dir="auto" className="min-w-0 truncate">
                {exact.title}
              </span>
              <span className="min-w-0 truncate text-sm text-quiet">{messages.kinds[exact.kind]}</span>
            </Hit>
          </Group>
        ) : null}
        <Offered offers={offers} onFollow={onClose} />
        {query.isError && terms ? (
          <p role="alert" className="text-sm">
            {messages.failed}: {failure(query.error)}
          </p>
        ) : terms && !found ? (
          <SkeletonGroup label={messages.searching} className="grid gap-2">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </SkeletonGroup>
        ) : found ? (
          <div className="grid gap-4" aria-busy={query.isPlaceholderData}>
            {found.length === 0 && offered.length === 0 ? <p className="text-quiet">{messages.none(terms)}</p> : null}
            <Records terms={terms} found={found} exact={exact} onFollow={onClose} />
          </div>
        ) : null}
        <p className="text-sm text-quiet max-sm:hidden">{messages.keys}</p>
      </div>
    </Dialog>
  );
}

/** What the typed text means in the back office itself: screens, tasks and settings; `offered` has all of them by name. */
function useOffers(typed: string, hasTerms: boolean) {
  const { screens } = useText(adminTexts).admin;
  const tasks = useText(adminTaskTexts).tasks;
  const { names } = useText(adminSettingsTexts).settings;
  const { may } = useRights();
  const named = NAVIGATION.flatMap((group) => [...group.screens]).filter(
    ({ name, reads }) => reads.some(may) && normalized(screens[name]).includes(normalized(typed.trim())),
  );
  const meant = tasksFor(typed, tasks, may);
  const stored = useQuery({ ...rpc.admin.settings.list.queryOptions(), enabled: hasTerms && may('settings.list') });
  const settings = settingsFor(typed, stored.data ?? [], names);
  const offered = [
    ...named.map(({ name, path }) => ({ name: screens[name], path })),
    ...meant.map((task) => ({ name: tasks[task].name, path: TASKS[task].path })),
    ...settings.map(({ name, path }) => ({ name: names[name].label, path })),
  ];
  return { named, meant, settings, offered };
}

function Offered({ offers, onFollow }: { offers: ReturnType<typeof useOffers>; onFollow: () => void }) {
  const messages = useText(adminSearchTexts).find;
  const { screens } = useText(adminTexts).admin;
  const tasks = useText(adminTaskTexts).tasks;
  const { names } = useText(adminSettingsTexts).settings;
  const href = useHref();
  const { named, meant, settings } = offers;
  return (
    <>
      {named.length > 0 ? (
        <Group title={messages.screens}>
          {named.map(({ name, path, icon: Icon }) => (
            <Hit key={name} to={href(path)} onFollow={onFollow}>
              <Icon aria-hidden="true" className="size-4 flex-none" />
              {screens[name]}
            </Hit>
          ))}
        </Group>
      ) : null}
      {meant.length > 0 ? (
        <Group title={messages.tasks}>
          {meant.map((task) => (
            <Hit key={task} to={href(TASKS[task].path)} onFollow={onFollow}>
              {tasks[task].name}
            </Hit>
          ))}
        </Group>
      ) : null}
      {settings.length > 0 ? (
        <Group title={messages.settings}>
          {settings.map(({ name, path }) => (
            <Hit key={name} to={href(path)} onFollow={onFollow}>
              {names[name].label}
            </Hit>
          ))}
        </Group>
      ) : null}
    </>
  );
}

interface RecordsProps {
  terms: string;
  found: SearchHit[];
  /** The hit that is shown above the groups, and not repeated in them. */
  exact: SearchHit | undefined;
  onFollow: () => void;
}

/** Records, in the order of their kinds; where a kind may have more of them, a link to its list with the same terms. */
function Records({ terms, found, exact, onFollow }: RecordsProps) {
  const { kinds, all } = useText(adminSearchTexts).find;
  const items = useText(plansTexts).plans.item;
  const href = useHref();
  const hitsOf = (kind: SearchHitKind) => found.filter((hit) => hit.kind === kind);
  return (Object.keys(kinds) as SearchHitKind[])
    .filter((kind) => hitsOf(kind).some((hit) => hit !== exact))
    .map((kind) => (
      <Group key={kind} title={kinds[kind]}>
        {hitsOf(kind)
          .filter((hit) => hit !== exact)
          .map((hit) => (
            <Hit key={hit.id} to={href(pathOf(hit))} onFollow={onFollow}>
              <span dir="auto" className="min-w-0 truncate">
                {hit.title}
              </span>
              <span className="min-w-0 truncate text-sm text-quiet">
                {hit.item ? `${items[hit.item]} · ${hit.detail}` : hit.detail}
              </span>
            </Hit>
          ))}
        {hitsOf(kind).length === MAX_HITS_OF_A_KIND ? (
          <Hit to={href(listWith(kind, terms))} onFollow={onFollow}>
            <span className="text-sm text-quiet">{all}</span>
          </Hit>
        ) : null}
      </Group>
    ));
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold text-quiet">{title}</h3>
      <ul className="mt-1 grid">{children}</ul>
    </section>
  );
}

function Hit({ to, onFollow, children }: { to: string; onFollow: () => void; children: ReactNode }) {
  return (
    <li className="min-w-0">
      <Link to={to} {...HIT_ATTRIBUTE} onClick={onFollow} className="admin-link min-w-0">
        {children}
      </Link>
    </li>
  );
}
