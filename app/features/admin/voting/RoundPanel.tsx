import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, History, Trophy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { exactly, timeLeft, when, whole } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Countdown } from '#app/ui/layout/Countdown.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { roundEndForm } from '#contract/admin/forms/rounds.ts';
import type { CurrentRound, Standing } from '#contract/admin/voting.ts';
import { TIMING } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { FormDialog } from '../kit/FormDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { useReopenedForm } from '../kit/stored-forms.ts';
import { Unread } from '../kit/Unread.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';

type OpenRound = NonNullable<CurrentRound['round']>;

const useCurrentRound = () =>
  useQuery(rpc.admin.rounds.current.queryOptions({ refetchInterval: TIMING.dashboardRefresh }));

/** The open round: its clock, who leads it, and what may be done with it. */
export function RoundPanel() {
  const messages = useText(adminVotingTexts).voting.round;
  const current = useCurrentRound();
  const { data } = current;
  if (data)
    return (
      <section className="admin-panel" aria-labelledby="open-round">
        {data.round ? <Open round={data.round} current={data} /> : <h2 id="open-round">{messages.none}</h2>}
      </section>
    );
  return (
    <section className="admin-panel">
      {current.error ? (
        <Unread what={messages.failed} of={current} screen="votes" className="grid justify-items-start gap-3" />
      ) : (
        <SkeletonGroup label={messages.loading}>
          <Skeleton className="h-28" />
        </SkeletonGroup>
      )}
    </section>
  );
}

function Open({ round, current }: { round: OpenRound; current: CurrentRound }) {
  const text = useText(adminVotingTexts);
  const messages = text.voting.round;
  const locale = useLocale();
  const href = useHref();
  const [moving, setMoving] = useState(false);
  useReopenedForm('roundEnd', () => setMoving(true));
  const left = timeLeft(round.closesAt, useNow(current.serverTime));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [first, second] = current.leaders;
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-[auto_1fr]">
      <div className="grid content-start gap-3">
        <h2 id="open-round">{messages.heading(round.number)}</h2>
        {left ? (
          <div className="grid gap-1">
            <p className="text-sm text-quiet">{messages.closesIn}</p>
            <Countdown
              size="sm"
              hot={left.days === 0 && left.hours === 0}
              parts={[
                { label: text.countdown.days, value: pad(left.days) },
                { label: text.countdown.hours, value: pad(left.hours) },
                { label: text.countdown.minutes, value: pad(left.minutes) },
              ]}
            />
          </div>
        ) : (
          <p className="max-w-60 font-semibold">{messages.over}</p>
        )}
        <p className="text-sm text-quiet">
          {messages.opened} {when(round.opensAt, locale)}
          <br />
          {messages.closes} <When iso={round.closesAt} />
        </p>
      </div>
      <div className="grid content-start gap-3">
        <h3 className="text-sm font-semibold text-quiet">{messages.leaders}</h3>
        {first ? (
          <ol className="grid gap-2">
            {current.leaders.map((one, i) => (
              <Leader key={one.id} place={i + 1} one={one} />
            ))}
          </ol>
        ) : (
          <p>{messages.noVotes}</p>
        )}
        <p className="text-sm text-quiet">
          {first && second?.totalVotes === first.totalVotes ? <strong>{messages.tie} </strong> : null}
          {messages.rule}
        </p>
        <div className="flex flex-wrap gap-2">
          <PromoteWinner />
          <Button onClick={() => setMoving(true)}>
            <CalendarClock aria-hidden="true" />
            {messages.setEnd}
          </Button>
          <ButtonLink to={href('/admin/votes/rounds')} variant="ghost">
            <History aria-hidden="true" />
            {messages.history}
          </ButtonLink>
        </div>
      </div>
      {moving ? <EndForm round={round} onClose={() => setMoving(false)} /> : null}
    </div>
  );
}

function Leader({ place, one }: { place: number; one: Standing }) {
  const messages = useText(adminVotingTexts).voting.round;
  const locale = useLocale();
  return (
    <li className="flex min-w-0 items-center gap-2.5">
      <span className="figures w-4 text-quiet">{place}</span>
      <TokenImage id={one.id} symbol={one.tokenSymbol} src={one.imageUrl} alt="" size={32} />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span dir="auto" className={place === 1 ? 'font-semibold' : undefined}>
          {one.tokenName}
        </span>{' '}
        <span className="text-sm text-quiet">{one.tokenSymbol}</span>
        {one.reachedAt ? (
          <span className="block text-sm text-quiet max-sm:hidden" title={exactly(one.reachedAt, locale)}>
            {messages.reached(when(one.reachedAt, locale))}
          </span>
        ) : null}
      </span>
      <span className="figures flex-none">{messages.votes(whole(one.totalVotes, locale))}</span>
    </li>
  );
}

interface PromoteWinnerProps {
  size?: 'sm';
  /** Stands in its place while there is nobody to graduate. */
  otherwise?: ReactNode;
}

/** 'Graduar ganador' with its question; stands wherever a winner may be graduated. */
export function PromoteWinner({ size, otherwise }: PromoteWinnerProps) {
  const messages = useText(adminVotingTexts).voting.round;
  const failure = useAdminFailure('votes');
  const locale = useLocale();
  const queries = useQueryClient();
  const { data } = useCurrentRound();
  /** What the admin was asked about; the ranking may move on meanwhile. */
  const [asked, setAsked] = useState<{ round: OpenRound; winner: Standing } | null>(null);
  const refresh = () =>
    Promise.all(
      [rpc.admin.rounds, rpc.admin.candidates, rpc.nextProjects, rpc.admin.nextProjects].map((shown) =>
        queries.invalidateQueries({ queryKey: shown.key() }),
      ),
    );
  const promote = useMutation({
    mutationFn: ({ round, winner }: { round: OpenRound; winner: Standing }) =>
      client.admin.rounds.promoteWinner({ id: round.id, candidateId: winner.id }),
    onSuccess: ({ opened }, { winner }) => {
      notify.success({ title: messages.promoted, text: messages.promotedText(winner.tokenName, opened.number) });
      return refresh();
    },
    onError: (error) => {
      // Another leader, or no such round any more: the question has to be asked anew.
      setAsked(null);
      notify.error({ title: messages.promoteFailed, text: failure(error) });
      void refresh();
    },
  });
  const round = data?.round;
  const winner = data?.leaders[0];
  if (otherwise && !winner) return otherwise;
  const early = Boolean(asked && data && asked.round.closesAt > data.serverTime);
  return (
    <>
      <Button
        variant="primary"
        size={size}
        disabled={!round || !winner}
        title={data && !winner ? messages.noVotes : undefined}
        onClick={() => round && winner && setAsked({ round, winner })}
      >
        <Trophy aria-hidden="true" />
        {messages.promote}
      </Button>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={messages.confirmTitle}
        question={
          asked && messages.confirm(asked.winner.tokenName, whole(asked.winner.totalVotes, locale), asked.round.number)
        }
        text={
          <>
            <span className="block">{messages.confirmText}</span>
            {asked && early ? (
              <span className="mt-1 block font-semibold">{messages.early(when(asked.round.closesAt, locale))}</span>
            ) : null}
            <span className="mt-1 block font-semibold">{messages.final}</span>
          </>
        }
        confirmLabel={messages.promote}
        busyLabel={messages.promoting}
        {...(early ? { typed: messages.earlyWord } : { harmless: true })}
        onConfirm={() => (asked ? promote.mutateAsync(asked) : Promise.resolve())}
      />
    </>
  );
}

/** As `<input type="datetime-local">` wants it: the reader's own time, without a zone. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function EndForm({ round, onClose }: { round: OpenRound; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  const locale = useLocale();
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: { closesAt: localTime(round.closesAt) },
    schema: roundEndForm,
    messages: { closesAt: messages.endNeeded },
    readers: { closesAt: (typed) => (Number.isNaN(Date.parse(typed)) ? null : new Date(typed).toISOString()) },
    check: ({ closesAt }) => ({ closesAt: Date.parse(closesAt) <= Date.now() && messages.endPast }),
    failed: messages.endFailed,
    screen: 'votes',
    stored: { form: 'roundEnd', record: { id: round.id } },
    submit: async ({ closesAt }) => {
      await client.admin.rounds.setEnd({ id: round.id, seenClosesAt: round.closesAt, closesAt });
      notify.success({ title: messages.endMoved });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.setEnd}
      submitLabel={messages.save}
      fieldNames={{ closesAt: messages.endLabel }}
    >
      <Field
        label={messages.endLabel}
        hint={
          Number.isNaN(Date.parse(form.values.closesAt))
            ? undefined
            : when(new Date(form.values.closesAt).toISOString(), locale)
        }
        error={form.errors.closesAt}
      >
        <Input {...form.text('closesAt')} type="datetime-local" />
      </Field>
    </FormDialog>
  );
}
