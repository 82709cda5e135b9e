import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminForumTexts } from '#app/lib/messages/admin/forum.ts';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { TIMING } from '#contract/limits.ts';
import { useActionText } from '../audit/action-text.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { PersonLink } from '../people/PersonLink.tsx';

/** Raw rows of the forum's tables, polled at intervals of TIMING.debugRefresh. */
export function DebugPanel() {
  const messages = useText(adminForumTexts).forumAdmin.debug;
  const failure = useAdminFailure();
  const { data, isPending, isError, error } = useQuery(
    rpc.admin.forum.debug.queryOptions({ refetchInterval: TIMING.debugRefresh }),
  );
  return (
    <section className="admin-panel" aria-labelledby="forum-debug">
      <h2 id="forum-debug">{messages.heading}</h2>
      <p className="mt-1 text-sm text-quiet">{messages.lead}</p>
      {isPending ? (
        <SkeletonGroup label={messages.loading} className="mt-3 grid gap-2">
          <Skeleton className="h-24" />
        </SkeletonGroup>
      ) : isError && !data ? (
        <p className="mt-3" role="alert">
          {messages.failed}: {failure(error)}
        </p>
      ) : data ? (
        <div className="mt-3 grid grid-cols-1 gap-5">
          <Rows title={messages.stats} rows={[data.stats]} />
          <Rows title={messages.users} rows={data.users} />
          <Rows title={messages.roles} rows={data.roles} />
        </div>
      ) : null}
    </section>
  );
}

function Rows({ title, rows }: { title: string; rows: Record<string, unknown>[] }) {
  const messages = useText(adminForumTexts).forumAdmin.debug;
  const actionText = useActionText();
  const names = Object.keys(rows[0] ?? {});
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {rows.length === 0 ? (
        <p className="text-sm text-quiet">{messages.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, also with the keyboard.
        <section className="admin-scroll" tabIndex={0} aria-label={title}>
          <table className="figures text-xs">
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="col" className="px-2 py-1 text-left font-semibold text-quiet">
                    {messages.columns[name as keyof typeof messages.columns] ?? name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={String(row['id'] ?? at)}>
                  {names.map((name) => (
                    <td key={name} className="whitespace-nowrap px-2 py-1">
                      {/* Approved is also the state of a member who never made a request. */}
                      {name === 'moderatorRequestStatus' && row['requestedAt'] === null ? (
                        messages.noRequest
                      ) : name === 'username' ? (
                        <PersonLink id={(row['newAuthUserId'] as string | null) ?? null}>
                          {actionText.value(row[name], name)}
                        </PersonLink>
                      ) : (
                        actionText.value(row[name], name)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
