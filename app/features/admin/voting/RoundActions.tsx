import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { OctagonX, Trophy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { CurrentRound } from '#contract/admin/voting.ts';
import { TIMING } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';

export type OpenRound = NonNullable<CurrentRound['round']>;
type Winner = NonNullable<CurrentRound['winner']>;

export const useCurrentRound = () =>
  useQuery(rpc.admin.rounds.current.queryOptions({ refetchInterval: TIMING.dashboardRefresh }));

/** Refetches everything that the end of a round or a graduation changes. */
function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [rpc.admin.rounds, rpc.admin.candidates, rpc.nextProjects, rpc.admin.nextProjects].map((shown) =>
        queries.invalidateQueries({ queryKey: shown.key() }),
      ),
    );
}

interface PromoteWinnerProps {
  size?: 'sm';
  /** Rendered instead while there is no winner to graduate. */
  otherwise?: ReactNode;
}

/** 'Graduar ganador' with its confirmation, wherever a winner can be graduated. */
export function PromoteWinner({ size, otherwise }: PromoteWinnerProps) {
  const messages = useText(adminVotingTexts).voting.round;
  const failure = useAdminFailure('votes');
  const locale = useLocale();
  const refresh = useRefresh();
  const withProof = useStepUp();
  const { data } = useCurrentRound();
  /** The winner that the admin was asked to confirm. */
  const [requested, setRequested] = useState<Winner | null>(null);
  const promote = useMutation({
    mutationFn: (winner: Winner) =>
      withProof(() => client.admin.rounds.promoteWinner({ id: winner.roundId, candidateId: winner.id })),
    onSuccess: (_, winner) => {
      notify.success({ title: messages.promoted, text: messages.promotedText(winner.tokenName) });
      return refresh();
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      // Somebody else was faster: the confirmation has to be repeated, if there is still a winner.
      setRequested(null);
      notify.failed(error, { title: messages.promoteFailed, text: failure(error) });
      void refresh();
    },
  });
  const winner = data?.winner ?? null;
  if (otherwise && !winner) return otherwise;
  return (
    <>
      <Button
        variant="primary"
        size={size}
        disabled={!winner}
        title={data && !winner ? messages.nobodyWaits : undefined}
        onClick={() => setRequested(winner)}
      >
        <Trophy aria-hidden="true" />
        {messages.promote}
      </Button>
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.confirmTitle}
        question={
          requested &&
          messages.confirm(requested.tokenName, integer(requested.totalVotes, locale), requested.roundNumber)
        }
        text={
          <>
            <span className="block">{messages.confirmText}</span>
            <span className="mt-1 block font-semibold">{messages.final}</span>
          </>
        }
        confirmLabel={messages.promote}
        busyLabel={messages.promoting}
        harmless
        typed={messages.promoteWord}
        onConfirm={() => (requested ? promote.mutateAsync(requested) : Promise.resolve())}
      />
    </>
  );
}

/** Closes the open round before its end, after a typed word and a public reason. */
export function CloseEarly({ round }: { round: OpenRound }) {
  const messages = useText(adminVotingTexts).voting.round;
  const failure = useAdminFailure('votes');
  const locale = useLocale();
  const refresh = useRefresh();
  const withProof = useStepUp();
  const [requested, setRequested] = useState<OpenRound | null>(null);
  const close = useMutation({
    mutationFn: ({ id, closesAt, reason }: OpenRound & { reason: string }) =>
      withProof(() => client.admin.rounds.closeEarly({ id, seenClosesAt: closesAt, reason })),
    onSuccess: () => {
      notify.success({ title: messages.closed });
      return refresh();
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      notify.failed(error, { title: messages.closeFailed, text: failure(error) });
      void refresh();
    },
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setRequested(round)}>
        <OctagonX aria-hidden="true" />
        {messages.close}
      </Button>
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.close}
        question={requested && messages.closeQuestion(requested.number)}
        text={requested && messages.closeText(dateTime(requested.closesAt, locale))}
        confirmLabel={messages.close}
        busyLabel={messages.closing}
        reason="required"
        typed={messages.closeWord}
        onConfirm={(reason) => (requested ? close.mutateAsync({ ...requested, reason }) : Promise.resolve())}
      />
    </>
  );
}
