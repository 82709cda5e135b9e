import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { RecordVersion } from '#contract/admin/editorial.ts';
import type { VersionedKind } from '#contract/admin/shared/audit-actions.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, type Conflict, conflictOf, useAdminFailure } from '../kit/failures.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { useUndo } from '../kit/notices.ts';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { Differences } from './Differences.tsx';

interface VersionsProps {
  kind: VersionedKind;
  id: string;
  /** A deleted record can't be restored to an earlier version. */
  deleted: boolean;
}

/** The version whose restoration waits for confirmation; `conflict` when somebody else saved meanwhile. */
interface Requested {
  wanted: RecordVersion;
  seen: number;
  conflict: Conflict | null;
}

/** The earlier versions of a record: their differences, and a button to restore each. */
export function Versions({ kind, id, deleted }: VersionsProps) {
  const messages = useText(adminEditorialTexts).editorial.versions;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const query = useQuery(rpc.admin.editorial.versions.queryOptions({ input: { kind, id } }));
  const [requested, setRequested] = useState<Requested | null>(null);
  const resemblance = useResemblance();

  const undo = useUndo();

  /** @param before the version that is current now; restoring it undoes this restore. */
  async function restore({ wanted, seen }: Pick<Requested, 'wanted' | 'seen'>, before?: RecordVersion) {
    try {
      const { imageGone, version } = await resemblance.save((resemblanceAccepted) =>
        client.admin.editorial.restoreVersion({
          kind,
          id,
          version: seen,
          restore: wanted.version,
          resemblanceAccepted,
        }),
      );
      setRequested(null);
      notify.success({
        title: messages.restored(wanted.version),
        ...(imageGone ? { text: messages.imageGone } : {}),
        ...(before ? undo(() => restore({ wanted: before, seen: version }, wanted).catch(() => {})) : {}),
      });
    } catch (error) {
      const conflict = conflictOf(error);
      if (error instanceof Cancelled) throw error;
      if (conflict && !conflict.deleted) setRequested({ wanted, seen: conflict.version, conflict });
      else
        notify.failed(error, {
          title: messages.failed,
          text: conflict?.deleted || codeOf(error) === 'IN_TRASH' ? messages.inTrash : failure(error),
        });
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: rpc.admin.key() });
    }
  }

  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.loadFailed}
        placeholders={['h-12', 'h-12']}
        className="grid justify-items-start gap-2"
      />
    );
  const { version: seen, versions } = query.data;
  const [present] = versions;
  if (!present) return <p className="text-quiet">{messages.none}</p>;
  return (
    <>
      {deleted ? <p className="mb-2 text-sm text-quiet">{messages.inTrash}</p> : null}
      <ol className="grid gap-3">
        {versions.map((one) => (
          <li key={one.version} className="admin-sub">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
                <strong>{messages.version(one.version)}</strong>
                {one === present ? <Badge tone="mint">{messages.present}</Badge> : null}
                <When iso={one.savedAt} className="text-sm text-quiet" />
                <span className="text-sm text-quiet">{one.savedBy ?? messages.someone}</span>
                {one.restoredFrom ? (
                  <span className="text-sm text-quiet">{messages.restoredFrom(one.restoredFrom)}</span>
                ) : null}
              </p>
              {one === present || deleted ? null : (
                <Button
                  size="sm"
                  aria-label={messages.restoreOf(one.version)}
                  onClick={() => setRequested({ wanted: one, seen, conflict: null })}
                >
                  {messages.restore}
                </Button>
              )}
            </div>
            {one === present ? null : (
              <details className="mt-2">
                <summary className="min-h-6 cursor-pointer text-sm">{messages.differences}</summary>
                <div className="mt-2">
                  <Differences before={one.fields} after={present.fields} />
                </div>
              </details>
            )}
          </li>
        ))}
      </ol>
      <ConfirmDialog
        // After a conflict the dialog asks another question, so it is mounted again.
        key={requested?.conflict ? 'conflict' : 'restore'}
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={requested?.conflict ? messages.conflictTitle : messages.restoreTitle(requested?.wanted.version ?? 0)}
        question={requested?.conflict ? <Who conflict={requested.conflict} /> : undefined}
        text={requested?.conflict ? messages.conflictText : messages.restoreText}
        confirmLabel={requested?.conflict ? messages.restoreAnyway : messages.restore}
        busyLabel={messages.restoring}
        harmless
        onConfirm={() => (requested ? restore(requested, requested.conflict ? undefined : present) : Promise.resolve())}
      >
        {requested?.conflict ? (
          <section aria-label={messages.differences} className="admin-sub">
            <Differences
              before={storedFields(requested.conflict.current, requested.wanted.fields)}
              after={requested.wanted.fields}
            />
          </section>
        ) : null}
      </ConfirmDialog>
      {resemblance.question}
    </>
  );
}

/** Only those fields of a record that versions store. */
const storedFields = (record: Record<string, unknown>, fields: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, record[name] ?? null]));

function Who({ conflict }: { conflict: Conflict }) {
  const messages = useText(adminEditorialTexts).editorial.versions;
  return (
    <>
      {messages.changedBy(conflict.by ?? messages.someone)} {conflict.at ? <When iso={conflict.at} /> : null}
    </>
  );
}
