import { CalendarClock, CalendarPlus, History, ListEnd } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { dateTime, fullDateTime, integer, timeLeft } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Countdown } from '#app/ui/layout/Countdown.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { CurrentRound, Standing } from '#contract/admin/voting.ts';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { CloseEarly, type OpenRound, PromoteWinner, useCurrentRound } from './RoundActions.tsx';
import { EndForm, NewRoundForm, NextRoundForm } from './RoundForms.tsx';

/** The open round: its countdown, its leader, and the actions on it. */
export function RoundPanel() {
  const messages = useText(adminVotingTexts).voting.round;
  const current = useCurrentRound();
  const { data } = current;
  if (data)
    return (
      <section className="admin-panel grid gap-4" aria-labelledby="open-round">
        {data.winner ? <Waiting winner={data.winner} /> : null}
        {data.round ? <Open round={data.round} current={data} /> : <Paused days={data.calendarDays} />}
      </section>
    );
  return (
    <section className="admin-panel">
      {current.error ? (
        <LoadError what={messages.failed} of={current} screen="votes" className="grid justify-items-start gap-3" />
      ) : (
        <SkeletonGroup label={messages.loading}>
          <Skeleton className="h-28" />
        </SkeletonGroup>
      )}
    </section>
  );
}

/** The winner of a closed round, until it is graduated. */
function Waiting({ winner }: { winner: NonNullable<CurrentRound['winner']> }) {
  const messages = useText(adminVotingTexts).voting.round;
  const locale = useLocale();
  return (
    <div className="card flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-semibold">
          {messages.waiting(winner.tokenName, winner.roundNumber, integer(winner.totalVotes, locale))}
        </p>
        {winner.closedEarly ? <p className="text-sm text-quiet">{messages.waitingEarly(winner.closedEarly)}</p> : null}
      </div>
      <IfAllowed call="rounds.promoteWinner">
        <PromoteWinner />
      </IfAllowed>
    </div>
  );
}

function Paused({ days }: { days: number }) {
  const messages = useText(adminVotingTexts).voting.round;
  const href = useHref();
  const [opening, setOpening] = useState(false);
  useReopenedForm('newRound', () => setOpening(true));
  return (
    <div className="grid justify-items-start gap-3">
      <h2 id="open-round">{messages.none}</h2>
      <p>{messages.noneText}</p>
      <div className="flex flex-wrap gap-2">
        <IfAllowed call="rounds.open">
          <Button variant="primary" onClick={() => setOpening(true)}>
            <CalendarPlus aria-hidden="true" />
            {messages.open}
          </Button>
        </IfAllowed>
        <ButtonLink to={href('/admin/votes/rounds')} variant="ghost">
          <History aria-hidden="true" />
          {messages.history}
        </ButtonLink>
      </div>
      <Elsewhere />
      {opening ? <NewRoundForm days={days} onClose={() => setOpening(false)} /> : null}
    </div>
  );
}

/** Links to actions that admins look for here and that are on other pages. */
function Elsewhere() {
  const messages = useText(adminVotingTexts).voting.round;
  const href = useHref();
  return (
    <p className="flex flex-wrap gap-x-5">
      <IfAllowed call="settings.save">
        <Link to={href('/admin/settings#votes')} className="link inline-flex min-h-11 items-center text-sm">
          {messages.limits}
        </Link>
        <Link to={href('/admin/settings#rounds')} className="link inline-flex min-h-11 items-center text-sm">
          {messages.calendar}
        </Link>
      </IfAllowed>
      <Link to={href('/ledger')} className="link inline-flex min-h-11 items-center text-sm">
        {messages.ledger}
      </Link>
    </p>
  );
}

function Open({ round, current }: { round: OpenRound; current: CurrentRound }) {
  const text = useText(adminVotingTexts);
  const messages = text.voting.round;
  const locale = useLocale();
  const href = useHref();
  const { may } = useRights();
  // The round as it was when the form was opened: by its save, another one may be open, or its end moved by somebody else.
  const [moving, setMoving] = useState<OpenRound | null>(null);
  const [settingNext, setSettingNext] = useState<OpenRound | null>(null);
  useReopenedForm<OpenRound>('roundEnd', setMoving);
  useReopenedForm<OpenRound>('roundNext', setSettingNext);
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
          {messages.opened} {dateTime(round.opensAt, locale)}
          <br />
          {messages.closes} <When iso={round.closesAt} />
        </p>
        <p className="max-w-60 text-sm text-quiet">
          {round.nextDays === null ? messages.pauses : messages.follows(round.nextDays)}
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
          {left && may('rounds.setEnd') ? (
            <Button onClick={() => setMoving(round)}>
              <CalendarClock aria-hidden="true" />
              {messages.setEnd}
            </Button>
          ) : null}
          <IfAllowed call="rounds.setNext">
            <Button onClick={() => setSettingNext(round)}>
              <ListEnd aria-hidden="true" />
              {messages.setNext}
            </Button>
          </IfAllowed>
          {left && may('rounds.closeEarly') ? <CloseEarly round={round} /> : null}
          <ButtonLink to={href('/admin/votes/rounds')} variant="ghost">
            <History aria-hidden="true" />
            {messages.history}
          </ButtonLink>
        </div>
        <Elsewhere />
      </div>
      {moving ? <EndForm round={moving} onClose={() => setMoving(null)} /> : null}
      {settingNext ? <NextRoundForm round={settingNext} onClose={() => setSettingNext(null)} /> : null}
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
          <span className="block text-sm text-quiet max-sm:hidden" title={fullDateTime(one.reachedAt, locale)}>
            {messages.reached(dateTime(one.reachedAt, locale))}
          </span>
        ) : null}
      </span>
      <span className="figures flex-none">{messages.votes(integer(one.totalVotes, locale))}</span>
    </li>
  );
}
