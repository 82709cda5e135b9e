import { useQuery } from '@tanstack/react-query';
import { Check, RotateCw, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime, fullDateTime, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminModeratorsTexts } from '#app/lib/messages/admin/moderators.ts';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { ModeratorRequest } from '#contract/admin/moderators.ts';
import { TIMING } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { cut, useActions } from '../people/useActions.tsx';

type Decision = 'approve' | 'reject';
const TONE: Record<ModeratorRequest['status'], Tone> = { pending: 'lead', approved: 'mint', rejected: 'coral' };
const STATUSES = ['pending', 'approved', 'rejected', 'all'] as const;

/** The requests to become a moderator, on their own screen. */
export function ModeratorRequests({ list }: { list: AdminList<ModeratorRequest> }) {
  const messages = useText(adminModeratorsTexts).moderators;
  const locale = useLocale();
  const { decide, busy, report } = useDecision(false);
  const [requested, setRequested] = useState<{
    rows: ModeratorRequest[];
    decision: Decision;
    clear: () => void;
  } | null>(null);

  const columns: Column<ModeratorRequest>[] = [
    { key: 'user', header: messages.user, sort: 'username', lead: true, cell: (row) => <Name request={row} /> },
    {
      key: 'id',
      collapsible: true,
      header: messages.id,
      cell: ({ id }) => (
        <span className="figures text-quiet whitespace-nowrap" title={id}>
          {cut(id, 8, 8)}
        </span>
      ),
    },
    { key: 'wallet', collapsible: true, header: messages.wallet, cell: (row) => <Wallet request={row} /> },
    {
      key: 'date',
      header: messages.date,
      sort: 'requestedAt',
      cell: ({ requestedAt }) =>
        requestedAt ? (
          <time className="md:max-w-24" dateTime={requestedAt} title={fullDateTime(requestedAt, locale)}>
            {dateTime(requestedAt, locale)}
          </time>
        ) : (
          messages.noDate
        ),
    },
    {
      key: 'status',
      header: messages.status,
      cell: ({ status }) => <Badge tone={TONE[status]}>{messages.statuses[status]}</Badge>,
    },
  ];
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={(row) => row.username ?? messages.noProfile}
        filters={
          <ListSelect
            list={list}
            name="status"
            label={messages.filter}
            options={STATUSES.map((status) => [status, messages.filters[status]] as const)}
          />
        }
        empty={{
          title: messages.empty,
          action: (
            <Button size="sm" onClick={list.refresh}>
              {messages.look}
            </Button>
          ),
        }}
        screen="users"
        ownRefresh
        actions={(row) => (row.status === 'pending' ? <Actions request={row} busy={busy} decide={decide} /> : null)}
        bulk={(selected, clear) => (
          <>
            <Button
              size="sm"
              disabled={busy}
              onClick={() => setRequested({ rows: selected, decision: 'approve', clear })}
            >
              {messages.approve}
            </Button>
            <Button
              size="sm"
              disabled={busy}
              onClick={() => setRequested({ rows: selected, decision: 'reject', clear })}
            >
              {messages.reject}
            </Button>
          </>
        )}
      />
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.bulkTitle(requested?.rows.length ?? 0)}
        text={requested?.decision === 'approve' ? messages.approveText : messages.rejectText}
        confirmLabel={requested?.decision === 'approve' ? messages.approve : messages.reject}
        busyLabel={messages.deciding}
        harmless={requested?.decision === 'approve'}
        onConfirm={async () => {
          if (!requested) return;
          await decide(requested.rows, requested.decision);
          requested.clear();
        }}
      />
      {report}
    </>
  );
}

/** The oldest pending requests, on the forum dashboard. */
export function PendingPanel() {
  const messages = useText(adminModeratorsTexts).moderators;
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
  function showOpen() {
    notify.success({ title: messages.toast.refreshing, text: messages.toast.refreshingText });
    void pending.refetch();
  }
  return (
    <section className="admin-panel">
      <header className="admin-panel-head mb-3 flex flex-wrap items-center gap-2">
        <h2>{messages.heading}</h2>
        {data ? <Badge>{integer(data.total, locale)}</Badge> : null}
        <div className="ml-auto flex items-center gap-1">
          <IconButton size="sm" label={messages.look} onClick={showOpen}>
            <RotateCw aria-hidden="true" />
          </IconButton>
          <ButtonLink size="sm" variant="ghost" to={href('/admin/moderator-requests')}>
            {messages.all}
          </ButtonLink>
        </div>
      </header>
      {pending.isPending ? (
        <SkeletonGroup label={messages.loading} className="grid gap-2">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </SkeletonGroup>
      ) : pending.isError && !data ? (
        <LoadError what={messages.failed} of={pending} screen="users" />
      ) : data?.rows.length === 0 ? (
        <div className="admin-note" role="status">
          <p className="font-semibold">{messages.empty}</p>
          <Button size="sm" onClick={showOpen}>
            {messages.look}
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
                  <Wallet request={row} /> · {row.requestedAt ? dateTime(row.requestedAt, locale) : messages.noDate}
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
  const messages = useText(adminModeratorsTexts).moderators;
  const name = request.username ?? (
    <span className="inline-flex items-center gap-1.5">
      <TriangleAlert aria-hidden="true" className="size-4 flex-none text-coral-text" />
      {messages.noProfile}
    </span>
  );
  return <PersonLink id={request.id}>{name}</PersonLink>;
}

function Wallet({ request: { walletAddress } }: { request: ModeratorRequest }) {
  const messages = useText(adminModeratorsTexts).moderators;
  return (
    <span className="figures text-quiet whitespace-nowrap" title={walletAddress ?? ''}>
      {walletAddress ? cut(walletAddress, 8, 8) : messages.noWallet}
    </span>
  );
}

interface ActionsProps {
  request: ModeratorRequest;
  busy: boolean;
  decide: (rows: ModeratorRequest[], decision: Decision) => Promise<void>;
}

function Actions({ request, busy, decide }: ActionsProps) {
  const messages = useText(adminModeratorsTexts).moderators;
  const name = request.username ?? messages.noProfile;
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="soft"
        disabled={busy}
        aria-label={messages.approveOf(name)}
        // Granted without confirmation, because it can be undone; a rejection can't.
        onClick={() => void decide([request], 'approve').catch(() => {})}
      >
        <Check aria-hidden="true" />
        {messages.approve}
      </Button>
      <Button size="sm" disabled={busy} aria-label={messages.rejectOf(name)} onClick={() => setConfirming(true)}>
        <X aria-hidden="true" />
        {messages.reject}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={messages.rejectTitle}
        question={name}
        text={messages.rejectOneText}
        confirmLabel={messages.reject}
        busyLabel={messages.deciding}
        onConfirm={() => decide([request], 'reject')}
      />
    </>
  );
}

/** Decides requests; the forum dashboard has its own message for a failure. */
function useDecision(panel: boolean) {
  const text = useText(adminModeratorsTexts, adminUsersTexts);
  const messages = text.moderators;
  const withProof = useStepUp();
  const [busy, setBusy] = useState(false);
  const { runBulk, report } = useActions();
  const named = (rows: ModeratorRequest[]) =>
    rows.map(({ id, username }) => ({ id, name: username ?? messages.noProfile }));
  /** Takes the roles away that an approval gave. */
  const takeBack = (rows: ModeratorRequest[]) => (done: string[]) =>
    runBulk({
      rows: named(rows.filter(({ id }) => done.includes(id))),
      work: (ids) =>
        withProof(() =>
          client.admin.roles.assignMany({
            changes: ids.map((id) => ({ id, to: 'user', seen: 'moderator' })),
            undo: true,
          }),
        ),
      done: { title: text.users.toast.demote },
      failed: text.users.toast.undoFailed,
    });
  async function decide(rows: ModeratorRequest[], decision: Decision): Promise<void> {
    const { toast } = messages;
    setBusy(true);
    try {
      await runBulk({
        rows: named(rows),
        work: (ids) => withProof(() => client.admin.moderatorRequests.decide({ ids, decision })),
        done:
          decision === 'approve'
            ? { title: toast.approved, text: toast.approvedText }
            : { title: toast.rejected, text: toast.rejectedText },
        undo: decision === 'approve' ? takeBack(rows) : undefined,
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
