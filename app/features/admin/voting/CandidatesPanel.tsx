import './toggle.css';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Eraser, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect, ShelfSwitch, TrashHint } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { type OpenRecord, RecordActions } from '../kit/records/RecordActions.tsx';
import { RecordDialogs } from '../kit/records/RecordDialogs.tsx';
import { useTrashActions } from '../kit/records/useTrashActions.ts';
import { useTrashBulk } from '../kit/records/useTrashBulk.tsx';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { CandidateForm } from './CandidateForm.tsx';

interface Switched extends Pick<AdminCandidate, 'id' | 'isActive'> {
  /** For an undo: the version that the change made. */
  undoOf?: number;
}
type Requested = { what: 'reset' | 'undo'; candidate: AdminCandidate };

const nameOf = ({ tokenName }: AdminCandidate) => tokenName;

/** The candidates with their votes, and all actions on one of them. */
export function CandidatesPanel({ list, picker }: { list: AdminList<AdminCandidate>; picker: ImagePicker }) {
  const messages = useText(adminVotingTexts).voting;
  const locale = useLocale();
  const [open, setOpen] = useState<OpenRecord<AdminCandidate>>(null);
  const [requested, setRequested] = useState<Requested | null>(null);
  const { may } = useRights();
  const mutations = useCandidateActions();
  useReopenedForm<AdminCandidate>('candidate', (of) => setOpen({ what: 'form', of }));
  const trash = list.filter['shelf'] === 'trash';
  const votes = (count: number | null) => integer(count ?? 0, locale);

  const columns = useColumns(mutations, trash);
  const refresh = useCandidatesRefresh();
  const { bulk, dialogs } = useTrashBulk<AdminCandidate>('candidate', { trash, nameOf, refresh, screen: 'votes' });
  return (
    <>
      {trash ? <TrashHint /> : null}
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        bulk={bulk}
        filters={
          <>
            <ShelfSwitch list={list} />
            <ListSelect
              list={list}
              name="status"
              label={messages.show}
              options={[
                ['all', messages.all],
                ['active', messages.allActive],
                ['inactive', messages.allInactive],
              ]}
            />
          </>
        }
        screen="votes"
        actions={(candidate) => {
          const { tokenName: name, totalVotes, resetId, resetVotes } = candidate;
          return (
            <RecordActions
              row={candidate}
              name={name}
              setOpen={setOpen}
              onRestore={mutations.restore.mutate}
              after={
                <>
                  {resetId && may('candidates.undoReset') ? (
                    <IconButton
                      size="sm"
                      label={messages.undoOf(name, votes(resetVotes))}
                      onClick={() => setRequested({ what: 'undo', candidate })}
                    >
                      <Undo2 aria-hidden="true" />
                    </IconButton>
                  ) : null}
                  <IfAllowed call="candidates.resetVotes">
                    <IconButton
                      size="sm"
                      label={messages.resetOf(name)}
                      disabled={!totalVotes}
                      onClick={() => setRequested({ what: 'reset', candidate })}
                    >
                      <Eraser aria-hidden="true" />
                    </IconButton>
                  </IfAllowed>
                </>
              }
            />
          );
        }}
      />
      <RecordDialogs
        list={list}
        open={open}
        setOpen={setOpen}
        resourceType="candidate"
        nameOf={nameOf}
        form={(edited, close) =>
          edited && <CandidateForm key={edited.id} edited={edited} picker={picker} onClose={close} />
        }
        question={({ tokenName }) => messages.deleteQuestion(tokenName)}
        onDelete={mutations.remove.mutateAsync}
      />
      {dialogs}
      {mutations.question}
      <ResetDialogs requested={requested} onClose={() => setRequested(null)} mutations={mutations} />
    </>
  );
}

function useColumns(mutations: ReturnType<typeof useCandidateActions>, trash: boolean): Column<AdminCandidate>[] {
  const messages = useText(adminVotingTexts).voting;
  const locale = useLocale();
  const votes = (count: number | null) => integer(count ?? 0, locale);
  return [
    {
      key: 'token',
      header: messages.token,
      sort: 'tokenName',
      lead: true,
      cell: ({ id, tokenName, tokenSymbol, imageUrl, wonRound }) => (
        <span className="flex items-center gap-2.5">
          <TokenImage id={id} symbol={tokenSymbol} src={imageUrl} alt="" size={32} />
          <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            <span dir="auto">{tokenName}</span>
            {wonRound === null ? null : <Badge tone="lead">{messages.wonRound(wonRound)}</Badge>}
          </span>
        </span>
      ),
    },
    {
      key: 'symbol',
      header: messages.symbol,
      sort: 'tokenSymbol',
      cell: ({ tokenSymbol }) => <span className="figures">{tokenSymbol}</span>,
    },
    {
      key: 'votes',
      header: messages.totalVotes,
      sort: 'totalVotes',
      align: 'end',
      cell: ({ totalVotes, votesToday }) => (
        <span className="figures whitespace-nowrap">
          {votes(totalVotes)}
          {votesToday > 0 ? <span className="ml-2 text-sm text-quiet">{messages.today(votes(votesToday))}</span> : null}
        </span>
      ),
    },
    {
      key: 'order',
      header: messages.order,
      collapsible: true,
      sort: 'orderIndex',
      align: 'end',
      cell: ({ orderIndex }) => <span className="figures">{orderIndex}</span>,
    },
    trash
      ? {
          key: 'deleted',
          header: messages.deleted,
          cell: ({ deletedAt }) => (deletedAt ? dateTime(deletedAt, locale) : ''),
        }
      : {
          key: 'active',
          header: messages.active,
          sort: 'isActive',
          cell: (candidate) => (
            <input
              type="checkbox"
              role="switch"
              className="admin-toggle"
              aria-label={messages.activeOf(candidate.tokenName)}
              checked={candidate.isActive}
              aria-checked={candidate.isActive}
              onChange={() => {
                const pending = mutations.setActive.isPending && mutations.setActive.variables?.id === candidate.id;
                if (!pending) mutations.setActive.mutate(candidate);
              }}
            />
          ),
        },
  ];
}

interface ResetDialogsProps {
  requested: Requested | null;
  onClose: () => void;
  mutations: ReturnType<typeof useCandidateActions>;
}

/** Asks for confirmation before the votes of a candidate are reset to zero, or restored. */
function ResetDialogs({ requested, onClose, mutations }: ResetDialogsProps) {
  const messages = useText(adminVotingTexts).voting;
  const locale = useLocale();
  const votes = (count: number | null) => integer(count ?? 0, locale);
  const one = requested?.candidate;
  return (
    <>
      <ConfirmDialog
        open={requested?.what === 'reset'}
        onClose={onClose}
        title={messages.reset.title}
        question={one && messages.reset.question(one.tokenName, votes(one.totalVotes))}
        text={
          <>
            <span className="block">{messages.reset.archive(TRASH_DAYS)}</span>
            <span className="mt-1 block">{messages.reset.text}</span>
          </>
        }
        confirmLabel={messages.reset.submit}
        busyLabel={messages.reset.busy}
        reason="required"
        onConfirm={(reason) => (one ? mutations.reset.mutateAsync({ id: one.id, reason }) : Promise.resolve())}
      />
      <ConfirmDialog
        open={requested?.what === 'undo'}
        onClose={onClose}
        title={messages.undo.title}
        question={
          one?.resetAt && messages.undo.question(one.tokenName, votes(one.resetVotes), dateTime(one.resetAt, locale))
        }
        text={messages.undo.text}
        confirmLabel={messages.undo.submit}
        busyLabel={messages.undo.busy}
        harmless
        onConfirm={() =>
          one?.resetId ? mutations.undo.mutateAsync({ id: one.id, resetId: one.resetId }) : Promise.resolve()
        }
      />
    </>
  );
}

/** Refetches the queries that show candidates here. */
function useCandidatesRefresh(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.candidates.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() }),
    ]);
}

/** One-click actions; each shows a notice with its outcome and refetches the lists. */
function useCandidateActions() {
  const messages = useText(adminVotingTexts).voting.toast;
  const failure = useAdminFailure('votes');
  const locale = useLocale();
  const withProof = useStepUp();
  const refresh = useCandidatesRefresh();
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const failed = (title: string) => (error: unknown) => ({ title, text: failure(error) });
  const { remove, restore, question } = useTrashActions({
    remove: (record) => client.admin.candidates.remove(record),
    restore: (record, resemblanceAccepted) => client.admin.candidates.restore({ ...record, resemblanceAccepted }),
    notices: {
      remove: { done: messages.deleted, failed: failed(messages.deleteFailed) },
      restore: { done: messages.restored, failed: failed(messages.restoreFailed) },
    },
    refresh,
  });
  const undoReset = useMutation({
    mutationFn: (requested: { id: string; resetId: string }) =>
      withProof(() => client.admin.candidates.undoReset(requested)),
    ...withNotices(
      ({ restored }: { restored: number }) => ({
        title: messages.undone,
        text: messages.undoneText(integer(restored, locale)),
      }),
      failed(messages.undoFailed),
    ),
  });
  const setActive: UseMutationResult<AdminCandidate, unknown, Switched> = useMutation({
    mutationFn: ({ id, isActive, undoOf }) => client.admin.candidates.setActive({ id, isActive: !isActive, undoOf }),
    ...withNotices(
      ({ id, isActive, version }: AdminCandidate) => ({
        title: messages.updated,
        ...undo(() => setActive.mutate({ id, isActive, undoOf: version })),
      }),
      failed(messages.updateFailed),
    ),
  });
  return {
    restore,
    undo: undoReset,
    setActive,
    remove,
    question,
    reset: useMutation({
      mutationFn: (requested: { id: string; reason: string }) =>
        withProof(() => client.admin.candidates.resetVotes(requested)),
      ...withNotices(
        ({ id, resetId }: AdminCandidate) => ({
          title: messages.reset,
          ...(resetId ? undo(() => undoReset.mutate({ id, resetId })) : {}),
        }),
        failed(messages.resetFailed),
      ),
    }),
  };
}
