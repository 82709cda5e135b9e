import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useTyped } from '#app/lib/forms/useTyped.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminAuditTexts } from '#app/lib/messages/admin/audit.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { DayInput } from '../kit/dates/DateInput.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { CollapsibleFilters } from '../kit/list/CollapsibleFilters.tsx';
import { CsvLink } from '../kit/list/CsvLink.tsx';
import { StoredListButton, useShownParts } from '../kit/list/StoredListButton.tsx';
import { useQueryParameters } from '../kit/useQueryParameters.ts';
import { PersonLink } from '../people/PersonLink.tsx';
import { isId, useActionText } from './action-text.ts';
import { Actor, Changes } from './Timeline.tsx';

/** Columns of an entry that users may hide; the action and its actor are always shown. */
const PARTS = ['role', 'address', 'at', 'record', 'changes', 'reason'] as const;
type Part = (typeof PARTS)[number];
const FILTERS = ['who', 'action', 'resourceType', 'resourceId', 'from', 'to'] as const;

/** The whole log, filtered by the parameters of the address; paginated by the id of the last entry. */
export function AuditLog() {
  const { parameters, set, href } = useQueryParameters();
  const messages = useText(adminAuditTexts).audit;
  const common = useText(adminTexts).admin;
  const filter = Object.fromEntries(
    FILTERS.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name) ?? '']] : [])),
  );
  const cursor = parameters.get('cursor');
  const input = { ...filter, ...(cursor ? { cursor } : {}) };
  const entries = useQuery(rpc.admin.audit.list.queryOptions({ input, placeholderData: keepPreviousData }));
  const address = (change: Record<string, string>) => href({ cursor: null, ...change });
  const rows = entries.data?.rows ?? [];
  const shows = useShownParts('audit');
  return (
    <>
      <AuditFilters filter={filter} onChange={(change) => set({ cursor: null, ...change })} />
      <div className="admin-toolbar">
        {Object.keys(filter).length > 0 ? (
          <ButtonLink to="?" size="sm" variant="ghost">
            {common.list.clear}
          </ButtonLink>
        ) : null}
        <span className="ml-auto">
          <StoredListButton list="audit" columns={PARTS.map((key) => ({ key, header: messages.parts[key] }))} />
        </span>
        <CsvLink
          className={buttonClass({ size: 'sm', variant: 'ghost' })}
          href={`/api/admin/audit.csv?${new URLSearchParams(filter)}`}
        >
          <Download aria-hidden="true" />
          {common.list.export}
        </CsvLink>
      </div>
      <section
        className="admin-panel"
        aria-label={messages.heading}
        data-moving={entries.isPlaceholderData || undefined}
      >
        {entries.isPending ? (
          <SkeletonGroup label={messages.loading} className="grid gap-3">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </SkeletonGroup>
        ) : entries.isError && !entries.data ? (
          <LoadError what={messages.failed} of={entries} />
        ) : rows.length === 0 ? (
          <div className="admin-note" role="status">
            <SceneNotFound />
            <p className="font-semibold">{messages.empty}</p>
          </div>
        ) : (
          <ol className="admin-timeline">
            {rows.map((entry) => (
              <li key={entry.id}>
                <LogEntry entry={entry} address={address} shows={shows} />
              </li>
            ))}
          </ol>
        )}
      </section>
      <div className="flex flex-wrap gap-2">
        {cursor ? (
          <ButtonLink to={address({})} size="sm">
            {messages.newest}
          </ButtonLink>
        ) : null}
        {entries.data?.nextCursor ? (
          <ButtonLink to={address({ cursor: entries.data.nextCursor })} size="sm">
            {messages.older}
          </ButtonLink>
        ) : null}
      </div>
    </>
  );
}

function AuditFilters(props: { filter: Record<string, string>; onChange: (change: Record<string, string>) => void }) {
  const { filter, onChange } = props;
  const messages = useText(adminAuditTexts).audit;
  const actionText = useActionText();
  const { data: names } = useQuery(rpc.admin.audit.names.queryOptions({ staleTime: 60_000 }));
  // Typed text is applied on blur or Enter; choices at once.
  const typed = (name: string) => ({ name, value: filter[name] ?? '', onChange });
  const chosen = (name: string) => ({
    name,
    value: filter[name] ?? '',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <search className="max-sm:contents">
      <CollapsibleFilters active={Object.keys(filter).length}>
        <form
          aria-label={messages.filter}
          className="admin-panel grid grid-cols-1 gap-3 sm:grid-cols-2 md:grid-cols-3"
          onSubmit={(event) => {
            event.preventDefault();
            const values = new FormData(event.currentTarget);
            onChange(
              Object.fromEntries(['who', 'resourceId'].map((name) => [name, String(values.get(name) ?? '').trim()])),
            );
          }}
        >
          <Field label={messages.who}>
            <TextFilter {...typed('who')} type="search" placeholder={messages.whoHint} />
          </Field>
          <Field label={messages.action}>
            <Select {...chosen('action')}>
              <option value="">{messages.allActions}</option>
              {options(names?.actions, filter['action']).map((one) => (
                <option key={one} value={one}>
                  {actionText.action(one)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={messages.kind}>
            <Select {...chosen('resourceType')}>
              <option value="">{messages.allKinds}</option>
              {options(names?.resourceTypes, filter['resourceType']).map((one) => (
                <option key={one} value={one}>
                  {actionText.kind(one)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={messages.record}>
            <TextFilter {...typed('resourceId')} className="figures" />
          </Field>
          <DayFilter name="from" label={messages.from} value={filter['from'] ?? ''} onChange={onChange} />
          <DayFilter name="to" label={messages.to} value={filter['to'] ?? ''} onChange={onChange} />
          <button type="submit" className="visually-hidden" tabIndex={-1}>
            {messages.filter}
          </button>
        </form>
      </CollapsibleFilters>
    </search>
  );
}

interface TextFilterProps {
  name: string;
  /** The text that is applied. */
  value: string;
  onChange: (change: Record<string, string>) => void;
  type?: 'search';
  placeholder?: string;
  className?: string;
}

function TextFilter({ name, value, onChange, ...rest }: TextFilterProps) {
  const [typed, setTyped] = useTyped(value);
  const leave = () => {
    if (typed.trim() !== value) onChange({ [name]: typed.trim() });
  };
  return (
    <Input
      {...rest}
      name={name}
      maxLength={100}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={leave}
    />
  );
}

interface DayFilterProps {
  name: 'from' | 'to';
  label: string;
  /** 2026-11-23, or empty. */
  value: string;
  onChange: (change: Record<string, string>) => void;
}

/** Applied on blur or Enter, and only when it is a valid day. */
function DayFilter({ name, label, value, onChange }: DayFilterProps) {
  const messages = useText(adminAuditTexts).audit;
  const [text, setText] = useTyped(value);
  const [left, setLeft] = useState(false);
  const isDay = text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text);
  const leave = () => {
    setLeft(true);
    if (isDay && text !== value) onChange({ [name]: text });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the field and Enter in it are handled here.
    <div onBlur={leave} onKeyDown={(event) => event.key === 'Enter' && leave()}>
      <Field label={label} error={left && !isDay ? messages.noDay : undefined}>
        <DayInput
          name={name}
          value={text}
          onChange={(next) => {
            setText(next);
            setLeft(false);
          }}
        />
      </Field>
    </div>
  );
}

/** The chosen value is also an option before the list of all values is loaded. */
const options = (all: string[] | undefined, chosen: string | undefined) => [
  ...new Set([...(all ?? []), ...(chosen ? [chosen] : [])]),
];

interface LogEntryProps {
  entry: AuditEntry;
  address: (change: Record<string, string>) => string;
  shows: (part: Part) => boolean;
}

function LogEntry({ entry, address, shows }: LogEntryProps) {
  const messages = useText(adminAuditTexts).audit;
  const common = useText(adminTexts).admin.timeline;
  const actionText = useActionText();
  const { resourceId, resourceType } = entry;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={entry.actorRole === 'admin' ? 'lead' : 'neutral'}>
          <span title={entry.action}>{actionText.action(entry.action)}</span>
        </Badge>
        <span className="font-semibold">
          <Actor entry={entry} />
        </span>
        {entry.actorId && shows('role') ? (
          <span className="text-sm text-quiet">{messages.role[entry.actorRole]}</span>
        ) : null}
        {entry.address && shows('address') ? <span className="figures text-sm text-quiet">{entry.address}</span> : null}
        {shows('at') ? <When iso={entry.at} className="text-sm text-quiet sm:ml-auto" /> : null}
      </p>
      <div className="flex flex-wrap items-start gap-x-5 gap-y-1">
        {resourceId && shows('record') ? (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Link to={address({ resourceType, resourceId })} className="link">
              {actionText.kind(resourceType)}
            </Link>
            {resourceType === 'list' ? (
              <span title={resourceId}>{actionText.list(resourceId)}</span>
            ) : (
              <Copyable
                value={resourceId}
                label={messages.record}
                copiedLabel="✓"
                head={8}
                tail={4}
                className="min-h-8!"
              />
            )}
            {resourceType === 'member' && isId(resourceId) ? (
              <PersonLink id={resourceId}>{messages.memberPage}</PersonLink>
            ) : null}
          </p>
        ) : null}
        {shows('changes') ? <Changes entry={entry} /> : null}
      </div>
      {entry.reason && shows('reason') ? <p className="text-sm">{common.reason(entry.reason)}</p> : null}
    </div>
  );
}
