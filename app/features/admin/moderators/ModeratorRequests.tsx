import { useQuery } from '@tanstack/react-query';
import { Check, RotateCw, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { exactly, when, whole } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminModeratorsTexts } from '#app/lib/messages/admin/moderators.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { ModeratorRequest } from '#contract/admin/moderators.ts';
import { TIMING } from '#contract/limits.ts';
import { AdminTable, type Column } from '../kit/AdminTable.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { ListSelect } from '../kit/filters.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { Unread } from '../kit/Unread.tsx';
import type { AdminList } from '../kit/useAdminList.ts';
import { cut, useActions } from '../people/useActions.tsx';

type Decision = 'approve' | 'reject';
const TONE: Record<ModeratorRequest['status'], Tone> = { pending: 'lead', approved: 'mint', rejected: 'coral' };
const STATUSES = ['pending', 'approved', 'rejected', 'all'] as const;

/** The wishes to moderate, on the screen of their own. */
export function ModeratorRequests({ list }: { list: AdminList<ModeratorRequest> }) {
  const words = useText(adminModeratorsTexts).moderators;
  const locale = useLocale();
  const { decide, busy, report } = useDecision(false);
  const [asked, setAsked] = useState<{ rows: ModeratorRequest[]; decision: Decision; clear: () => void } | null>(null);

  const columns: Column<ModeratorRequest>[] = [
    { key: 'user', header: words.user, sort: 'username', lead: true, cell: (row) => <Name request={row} /> },
    {
      key: 'id',
      roomy: true,
      header: words.id,
      cell: ({ id }) => (
        <span className="figures text-quiet whitespace-nowrap" title={id}>
          {cut(id, 8, 8)}
        </span>
      ),
    },
    { key: 'wallet', roomy: true, header: words.wallet, cell: (row) => <Wallet request={row} /> },
    {
      key: 'date',
      header: words.date,
      sort: 'requestedAt',
      cell: ({ requestedAt }) =>
        requestedAt ? (
          <time className="md:max-w-24" dateTime={requestedAt} title={exactly(requestedAt, locale)}>
            {when(requestedAt, locale)}
          </time>
        ) : (
          words.noDate
        ),
    },
    {
      key: 'status',
      header: words.status,
      cell: ({ status }) => <Badge tone={TONE[status]}>{words.statuses[status]}</Badge>,
    },
  ];
  return (
    <>
      <AdminTable
        list={list}
        columns={columns}
        caption={words.heading}
        nameOf={(row) => row.username ?? words.noProfile}
        searchLabel={words.search}
        filters={
          <ListSelect
            list={list}
            name="status"
            label={words.filter}
            options={STATUSES.map((status) => [status, words.filters[status]] as const)}
          />
        }
        loading={words.loading}
        empty={{
          title: words.empty,
          action: (
            <Button size="sm" onClick={list.refresh}>
              {words.look}
            </Button>
          ),
        }}
        failed={words.failed}
        screen="users"
        ownRefresh
        actions={(row) => (row.status === 'pending' ? <Actions request={row} busy={busy} decide={decide} /> : null)}
        bulk={(selected, clear) => (
          <>
            <Button size="sm" disabled={busy} onClick={() => setAsked({ rows: selected, decision: 'approve', clear })}>
              {words.approve}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => setAsked({ rows: selected, decision: 'reject', clear })}>
              {words.reject}
            </Button>
          </>
        )}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={words.bulkTitle(asked?.rows.length ?? 0)}
        text={asked?.decision === 'approve' ? words.approveText : words.rejectText}
        confirmLabel={asked?.decision === 'approve' ? words.approve : words.reject}
        busyLabel={words.deciding}
        harmless={asked?.decision === 'approve'}
        onConfirm={async () => {
          if (!asked) return;
          await decide(asked.rows, asked.decision);
          asked.clear();
        }}
      />
      {report}
    </>
  );
}

/** The oldest pending wishes, as the forum dashboard shows them. */
export function PendingPanel() {
  const words = useText(adminModeratorsTexts).moderators;
  const locale = useLocale();
  const href = useHref();
  const { decide, busy, report } = useDecision(true);
  const pending = useQuery(
    rpc.admin.moderatorRequests.list.queryOptions({
      input: { size: 5 },
      refetchInterval: TIMING.moderatorPoll,
    }),
  );
  const { data } = pending;
  function look() {
    notify.success({ title: words.toast.refreshing, text: words.toast.refreshingText });
    void pending.refetch();
  }
  return (
    <section className="admin-panel">
      <header className="admin-panel-head mb-3 flex flex-wrap items-center gap-2">
        <h2>{words.heading}</h2>
        {data ? <Badge>{whole(data.total, locale)}</Badge> : null}
        <div className="ml-auto flex items-center gap-1">
          <IconButton size="sm" label={words.look} onClick={look}>
            <RotateCw aria-hidden="true" />
          </IconButton>
          <ButtonLink size="sm" variant="ghost" to={href('/admin/moderator-requests')}>
            {words.all}
          </ButtonLink>
        </div>
      </header>
      {pending.isPending ? (
        <SkeletonGroup label={words.loading} className="grid gap-2">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </SkeletonGroup>
      ) : pending.isError && !data ? (
        <Unread what={words.failed} of={pending} screen="users" />
      ) : data?.rows.length === 0 ? (
        <div className="admin-note" role="status">
          <p className="font-semibold">{words.empty}</p>
          <Button size="sm" onClick={look}>
            {words.look}
          </Button>
        </div>
      ) : (
        <ul className="grid gap-2">
          {data?.rows.map((row) => (
            <li key={row.id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-semibold">
                  <Name request={row} />
                </p>
                <p className="text-sm text-quiet">
                  <Wallet request={row} /> · {row.requestedAt ? when(row.requestedAt, locale) : words.noDate}
                </p>
              </div>
              <div className="flex gap-2">
                <Actions request={row} busy={busy} decide={decide} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {report}
    </section>
  );
}

function Name({ request }: { request: ModeratorRequest }) {
  const words = useText(adminModeratorsTexts).moderators;
  if (request.username) return request.username;
  return (
    <span className="inline-flex items-center gap-1.5">
      <TriangleAlert aria-hidden="true" className="size-4 flex-none text-coral-text" />
      {words.noProfile}
    </span>
  );
}

function Wallet({ request: { walletAddress } }: { request: ModeratorRequest }) {
  const words = useText(adminModeratorsTexts).moderators;
  return (
    <span className="figures text-quiet whitespace-nowrap" title={walletAddress ?? ''}>
      {walletAddress ? cut(walletAddress, 8, 8) : words.noWallet}
    </span>
  );
}

interface ActionsProps {
  request: ModeratorRequest;
  busy: boolean;
  decide: (rows: ModeratorRequest[], decision: Decision) => Promise<void>;
}

function Actions({ request, busy, decide }: ActionsProps) {
  const words = useText(adminModeratorsTexts).moderators;
  const name = request.username ?? words.noProfile;
  const run = (decision: Decision) => void decide([request], decision).catch(() => {});
  return (
    <>
      <Button
        size="sm"
        variant="soft"
        disabled={busy}
        aria-label={words.approveOf(name)}
        onClick={() => run('approve')}
      >
        <Check aria-hidden="true" />
        {words.approve}
      </Button>
      <Button size="sm" disabled={busy} aria-label={words.rejectOf(name)} onClick={() => run('reject')}>
        <X aria-hidden="true" />
        {words.reject}
      </Button>
    </>
  );
}

/** Decides wishes; the forum dashboard has a text of its own for a failure. */
function useDecision(panel: boolean) {
  const words = useText(adminModeratorsTexts).moderators;
  const withProof = useStepUp();
  const [busy, setBusy] = useState(false);
  const { act, report } = useActions();
  async function decide(rows: ModeratorRequest[], decision: Decision): Promise<void> {
    const { toast } = words;
    setBusy(true);
    try {
      await act({
        rows: rows.map(({ id, username }) => ({ id, name: username ?? words.noProfile })),
        work: (ids) => withProof(() => client.admin.moderatorRequests.decide({ ids, decision })),
        done:
          decision === 'approve'
            ? { title: toast.approved, text: toast.approvedText }
            : { title: toast.rejected, text: toast.rejectedText },
        failed: toast.failed,
        failedText: (reason) => (panel ? toast.failedPanel : toast.failedText(reason)),
        refreshAfter: TIMING.moderatorRefreshDelay,
      });
    } finally {
      setBusy(false);
    }
  }
  return { decide, busy, report };
}
