import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Check, List, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import { Progress } from '#app/ui/charts/Progress.tsx';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { ClusterDialog } from './ClusterDialog.tsx';
import { type ClusterTexts as Messages, nameOf } from './cluster-name.ts';
import { useClusterBulk } from './useClusterBulk.tsx';

const TONE: Record<VoteCluster['state'], Tone> = { open: 'lead', released: 'mint', void: 'coral' };
/** Clusters of votes under review, each with its reason and the possible decisions. */
export function ClustersPanel({ list }: { list: AdminList<VoteCluster> }) {
  const messages = useText(adminVoteReviewTexts).voteReview;
  const [opened, setOpened] = useState<VoteCluster | null>(null);
  const [requested, setRequested] = useState<{ cluster: VoteCluster; as: 'release' | 'void' } | null>(null);
  const mutations = useDecisions();
  const columns = useColumns(messages);
  const { bulk, dialogs } = useClusterBulk();
  const shown = opened ? (list.rows?.find(({ id }) => id === opened.id) ?? opened) : null;
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={(cluster) => nameOf(cluster, messages)}
        filters={<Filters list={list} messages={messages} />}
        bulk={bulk}
        actions={(cluster) => (
          <Actions
            cluster={cluster}
            messages={messages}
            onOpen={() => setOpened(cluster)}
            onDecide={(as) => setRequested({ cluster, as })}
            onUndo={() => mutations.undo.mutate(cluster)}
            busy={mutations.undo.isPending}
          />
        )}
      />
      {shown ? <ClusterDialog cluster={shown} name={nameOf(shown, messages)} onClose={() => setOpened(null)} /> : null}
      {dialogs}
      <ConfirmDialog
        open={requested?.as === 'release'}
        onClose={() => setRequested(null)}
        title={messages.releaseTitle}
        question={requested ? nameOf(requested.cluster, messages) : null}
        text={messages.releaseText}
        confirmLabel={messages.release}
        busyLabel={messages.releasing}
        harmless
        reason="optional"
        onConfirm={async (reason) => requested && mutations.release.mutateAsync({ ...requested.cluster, reason })}
      />
      <ConfirmDialog
        open={requested?.as === 'void'}
        onClose={() => setRequested(null)}
        title={messages.voidTitle}
        question={requested ? nameOf(requested.cluster, messages) : null}
        text={messages.voidText}
        confirmLabel={messages.void}
        busyLabel={messages.voiding}
        reason="required"
        onConfirm={async (reason) => requested && mutations.void.mutateAsync({ ...requested.cluster, reason })}
      />
    </>
  );
}

function useColumns(messages: Messages): Column<VoteCluster>[] {
  const locale = useLocale();
  const figure = (value: number) => <span className="figures">{integer(value, locale)}</span>;
  return [
    {
      key: 'signal',
      header: messages.signal,
      sort: 'signal',
      lead: true,
      cell: ({ signal, facts }) => (
        <span className="grid gap-0.5">
          {messages.signals[signal]}
          <span className="text-sm text-quiet font-normal">{messages.reasons[signal](facts)}</span>
        </span>
      ),
    },
    {
      key: 'candidate',
      header: messages.candidate,
      cell: ({ candidateName }) => candidateName ?? messages.anyCandidate,
    },
    {
      key: 'votes',
      header: messages.votes,
      sort: 'votes',
      cell: ({ waiting, votes }) => messages.waiting(integer(waiting, locale), integer(votes, locale)),
    },
    {
      key: 'members',
      collapsible: true,
      header: messages.members,
      sort: 'members',
      cell: ({ members }) => figure(members),
    },
    {
      key: 'networks',
      collapsible: 'wide',
      header: messages.networks,
      sort: 'networks',
      cell: ({ networks }) => figure(networks),
    },
    {
      key: 'age',
      collapsible: true,
      header: messages.age,
      sort: 'ageHours',
      cell: ({ ageHours }) => messages.ageOf(ageHours),
    },
    {
      key: 'state',
      header: messages.state,
      cell: ({ state, decidedBy, reason, decision }) => (
        <span className="grid justify-items-start gap-0.5">
          <Badge tone={TONE[state]}>{messages.states[state]}</Badge>
          {decision ? (
            <Progress
              className="w-full min-w-40"
              look="bar"
              showValue={locale}
              value={(100 * decision.done) / Math.max(1, decision.votes)}
              label={messages.underWay[decision.kind](integer(decision.done, locale), integer(decision.votes, locale))}
            />
          ) : null}
          {state === 'open' ? null : (
            <span className="text-sm text-quiet">{messages.decided(decidedBy ?? messages.someone)}</span>
          )}
          {reason ? <span className="text-sm text-quiet">{messages.reason(reason)}</span> : null}
        </span>
      ),
    },
    {
      key: 'found',
      collapsible: true,
      header: messages.found,
      sort: 'foundAt',
      cell: ({ foundAt }) => <When iso={foundAt} />,
    },
  ];
}

function Filters({ list, messages }: { list: AdminList<VoteCluster>; messages: Messages }) {
  return (
    <>
      <ListSelect
        list={list}
        name="signal"
        label={messages.signal}
        options={[['all', messages.allSignals] as const, ...Object.entries(messages.signals)]}
      />
      <ListSelect
        list={list}
        name="state"
        label={messages.state}
        options={[
          ...(['open', 'released', 'void'] as const).map((state) => [state, messages.states[state]] as const),
          ['all', messages.allStates] as const,
        ]}
      />
    </>
  );
}

interface ActionsProps {
  cluster: VoteCluster;
  messages: Messages;
  onOpen: () => void;
  onDecide: (as: 'release' | 'void') => void;
  onUndo: () => void;
  busy: boolean;
}

function Actions({ cluster, messages, onOpen, onDecide, onUndo, busy }: ActionsProps) {
  const name = nameOf(cluster, messages);
  return (
    <>
      <IconButton size="sm" label={messages.lookOf(name)} onClick={onOpen}>
        <List aria-hidden="true" />
      </IconButton>
      {cluster.decision ? null : cluster.state === 'open' ? (
        <>
          <IconButton size="sm" label={messages.releaseOf(name)} onClick={() => onDecide('release')}>
            <Check aria-hidden="true" />
          </IconButton>
          <IconButton size="sm" label={messages.voidOf(name)} onClick={() => onDecide('void')}>
            <Ban aria-hidden="true" />
          </IconButton>
        </>
      ) : (
        <IconButton size="sm" label={messages.undoOf(name)} disabled={busy} onClick={onUndo}>
          <Undo2 aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}

type Decision = { id: string; reason: string | null };
interface Reversal {
  id: string;
  /** Only one's own decision, as the undo of its notice. */
  own?: boolean;
}
type Answer = Awaited<ReturnType<typeof client.admin.voteReview.undo>>;

/** Releases or voids votes, or reverses either; each reports the number of changed votes. */
function useDecisions() {
  const messages = useText(adminVoteReviewTexts).voteReview.toast;
  const locale = useLocale();
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.voteReview.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.clusterVotes.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
    ]);
  const withNotices = notifyAndRefresh(refresh);
  const takeBack = useUndo();
  /** Notice of a decision that continues in the background: the row shows its progress. */
  const begun = ({ cluster: { decision } }: Answer) =>
    decision ? { title: messages.begun(integer(decision.votes, locale)), text: messages.begunText } : null;
  /** The count of votes that a decision opened or counted: those of banned members stay void. */
  const countOf = ({ changed, banned }: Answer, title: (count: number) => string) => ({
    title: title(changed - banned),
    ...(banned > 0 ? { text: messages.stayVoid(banned) } : {}),
  });
  const failed = (error: unknown) => ({
    title: messages.failed,
    text: codeOf(error) === 'ALREADY_DONE' ? messages.done : failure(error),
  });
  const undo = useMutation({
    mutationFn: ({ id, own = false }: Reversal) => client.admin.voteReview.undo({ id, own }),
    ...withNotices<Answer, Reversal>((answer) => begun(answer) ?? countOf(answer, messages.undone), failed),
  });
  return {
    undo,
    release: useMutation({
      mutationFn: ({ id, reason }: Decision) => client.admin.voteReview.release({ id, reason: reason ?? '' }),
      ...withNotices<Answer, Decision>(
        (answer, { id }) =>
          begun(answer) ?? {
            ...countOf(answer, messages.released),
            ...takeBack(() => undo.mutate({ id, own: true })),
          },
        failed,
      ),
    }),
    void: useMutation({
      mutationFn: ({ id, reason }: Decision) => client.admin.voteReview.void({ id, reason: reason ?? '' }),
      ...withNotices<Answer, Decision>(
        (answer, { id }) =>
          begun(answer) ?? {
            title: messages.voided(answer.changed),
            ...takeBack(() => undo.mutate({ id, own: true })),
          },
        failed,
      ),
    }),
  };
}
