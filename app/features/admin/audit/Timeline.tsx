import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { isId, useActionText } from './action-text.ts';

export interface RecordName {
  /** Resource type as in the audit log: 'network', 'project', 'member'. */
  resourceType: string;
  resourceId: string;
}

/** All audit entries of one record, newest first: actor, time, values before and after, reason. */
export function Timeline({ record }: { record: RecordName }) {
  const messages = useText(adminTexts).admin.timeline;
  const entries = useInfiniteQuery(
    rpc.admin.audit.list.infiniteOptions({
      input: (cursor: string | null) => ({ ...record, cursor }),
      initialPageParam: null,
      getNextPageParam: ({ nextCursor }) => nextCursor,
    }),
  );
  if (entries.isPending)
    return (
      <SkeletonGroup label={messages.loading} className="grid gap-3">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </SkeletonGroup>
    );
  if (entries.isError && !entries.data)
    return <LoadError what={messages.error} of={entries} className="grid justify-items-start gap-2" />;
  const rows = entries.data?.pages.flatMap((page) => page.rows) ?? [];
  if (rows.length === 0) return <p className="text-quiet">{messages.empty}</p>;
  return (
    <>
      <ol className="admin-timeline">
        {rows.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {entries.isFetchNextPageError && !entries.isFetchingNextPage ? <p role="alert">{messages.error}</p> : null}
      {entries.hasNextPage ? (
        <Button size="sm" busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {messages.more}
        </Button>
      ) : null}
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const actionText = useActionText();
  const messages = useText(adminTexts).admin.timeline;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Badge>
          <span title={entry.action}>{actionText.action(entry.action)}</span>
        </Badge>
        <span className="font-semibold">
          <Actor entry={entry} />
        </span>
        <When iso={entry.at} className="text-sm text-quiet" />
      </p>
      <Changes entry={entry} />
      {entry.reason ? <p className="text-sm">{messages.reason(entry.reason)}</p> : null}
    </div>
  );
}

/** The actor of an entry: an account that exists leads to its page. */
export function Actor({ entry }: { entry: Pick<AuditEntry, 'actorName' | 'actorId' | 'actorRole'> }) {
  const messages = useText(adminTexts).admin.timeline;
  return <PersonLink id={entry.actorName === null ? null : entry.actorId}>{nameOfActor(entry, messages)}</PersonLink>;
}

/** Display name of the actor of an entry. */
const nameOfActor = (
  { actorName, actorId, actorRole }: Pick<AuditEntry, 'actorName' | 'actorId' | 'actorRole'>,
  messages: { system: string; someone: string; visitor: string },
): string => actorName ?? (actorId ? messages.someone : actorRole === 'system' ? messages.system : messages.visitor);

/** Each changed field with its value before and after. */
export function Changes({ entry }: { entry: Pick<AuditEntry, 'before' | 'after'> }) {
  const messages = useText(adminTexts).admin.timeline;
  const actionText = useActionText();
  const [before, after] = [fieldsOf(entry.before), fieldsOf(entry.after)];
  // Of a created or deleted record only the fields with a value: an empty field that stayed empty is no change.
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isEmpty(before[name]) || !isEmpty(after[name]),
  );
  if (names.length === 0) return null;
  return (
    <ul className="grid gap-0.5">
      {names.map((name) => (
        <li key={name} className="admin-change">
          <span className="text-quiet" title={name}>
            {actionText.field(name)}:
          </span>
          {name in before && !(name in after && isSame(before[name], after[name])) ? (
            <del>
              <span className="visually-hidden">{messages.before} </span>
              <Value of={before[name]} name={name} />
            </del>
          ) : null}
          {name in after && name in before && isSame(before[name], after[name]) ? (
            <Value of={after[name]} name={name} />
          ) : name in after ? (
            <ins>
              <span className="visually-hidden">{messages.after} </span>
              <Value of={after[name]} name={name} />
            </ins>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Value({ of: value, name }: { of: unknown; name: string }) {
  const actionText = useActionText();
  if (!isId(value)) return actionText.value(value, name);
  const label = actionText.field(name);
  return <Copyable value={value} label={label} copiedLabel="✓" head={8} tail={4} className="min-h-8!" />;
}

/** Equal values are no change. */
const isSame = (before: unknown, after: unknown) => JSON.stringify(before) === JSON.stringify(after);
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';
const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

interface HistoryDialogProps {
  /** Null while it is closed. */
  record: (RecordName & { name: string }) | null;
  /** Its earlier versions, for records that have them. */
  versions?: ReactNode;
  onClose: () => void;
}

/** The timeline of a record, in a dialog over its list. */
export function HistoryDialog({ record, versions, onClose }: HistoryDialogProps) {
  const messages = useText(adminTexts).admin.timeline;
  const editorial = useText(adminEditorialTexts).editorial.versions;
  return (
    <Dialog
      open={record !== null}
      onOpenChange={(next) => !next && onClose()}
      title={`${messages.title}: ${record?.name ?? ''}`}
      className="dialog-wide"
      actions={<Button onClick={onClose}>{messages.close}</Button>}
    >
      {record && versions ? (
        <section aria-label={editorial.title} className="mb-6">
          <h3 className="mb-2 text-lg">{editorial.title}</h3>
          {versions}
          <h3 className="mt-6 text-lg">{editorial.changes}</h3>
        </section>
      ) : null}
      {record ? <Timeline record={{ resourceType: record.resourceType, resourceId: record.resourceId }} /> : null}
    </Dialog>
  );
}
