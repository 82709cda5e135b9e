import { Check, Undo2, Vote } from 'lucide-react';
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { serverClock } from '#app/lib/live/clock.ts';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { useReturnHere, useSignInReturn } from '#app/lib/session/sign-in-return.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { cx } from '#app/ui/cx.ts';
import { fragment } from '#app/ui/fragment.ts';
import type { UncountedVote } from '#contract/domains/voting.ts';
import { useCastVote, useMyVotes, useUncountedVotes, useWithdrawVote } from './voting.queries.ts';

/** Loaded only for members with an uncounted vote, who are few. */
const OwnVote = lazy(() => loadWithRetry(() => import('./OwnVote.tsx')));
const LateOwnVote = ({ vote }: { vote: UncountedVote }) => (
  <Suspense fallback={null}>
    <OwnVote vote={vote} />
  </Suspense>
);

interface VoteControlProps {
  candidateId: string;
  name: string;
  /** Undefined while it is loading. */
  signedIn: boolean | undefined;
  /** `soft` where the control repeats in a list. */
  look?: 'primary' | 'soft' | undefined;
  /**
   * The ticket shown after a vote, and when the member opens it again; `number` is the vote's place among those of the candidate,
   * null when the vote was cast before this page was opened.
   */
  ticket?: (vote: {
    candidateId: string;
    name: string;
    number: number | null;
    /** True when the member opened it: it takes the focus. */
    reopened: boolean;
    /** @param byMember false when another ticket takes its place. */
    onClose: (byMember: boolean) => void;
  }) => ReactNode;
}

/** Once, after the sign-in that this control requested: scrolls to its row and focuses its button. */
function useVoterIsBack(candidateId: string, button: RefObject<HTMLButtonElement | null>): void {
  const navigate = useNavigate();
  const back = useSignInReturn()?.voteFor === candidateId;
  useEffect(() => {
    if (!back) return;
    // After the focus was moved to the content of the new page (Main.tsx).
    const timer = setTimeout(() => {
      button.current?.scrollIntoView({ block: 'center' });
      button.current?.focus({ preventScroll: true });
      void navigate(`.${location.search}`, { replace: true, state: null, preventScrollReset: true });
    });
    return () => clearTimeout(timer);
  }, [back, button, navigate]);
}

/**
 * Votes for a candidate, or withdraws today's vote. A visitor is asked to sign in, and returns to this control. The server, which knows no
 * member, renders what a browser shows first.
 */
export function VoteControl(props: VoteControlProps) {
  if (!import.meta.env.SSR) return <LiveControl {...props} />;
  return <FirstControl name={props.name} look={props.look} alone={isAlone(props)} />;
}

/** True on a token's page: there its room for the ticket of a member's vote is reserved; in a list each row would be higher for it. */
const isAlone = ({ look = 'primary', ticket }: Pick<VoteControlProps, 'look' | 'ticket'>) =>
  look === 'primary' && ticket !== undefined;

/** As wide as the button with the one that withdraws the vote, in the fallback font too; the links below are narrower. */
const ALONE = 'in-data-[member]:sm:min-w-43';
/** As high as the link to the ticket. The receipt, which comes with the answer, follows that link, which stays where it is. */
const TicketSpace = () => <span aria-hidden="true" className="hidden h-6 in-data-[member]:block" />;

interface FirstControlProps extends Pick<VoteControlProps, 'name' | 'look'> {
  alone: boolean;
}

/** The markup of `LiveControl` before the session is loaded. */
const FirstControl = fragment(({ name, look = 'primary', alone }: FirstControlProps) => {
  const text = useText(voteTexts);
  return (
    <span className={cx('grid gap-1.5', alone && ALONE)}>
      <span className="flex items-center gap-1.5">
        <Button variant={look} className="flex-1" aria-label={text.vote.actionFor(name)}>
          <Vote aria-hidden="true" />
          {text.vote.action}
        </Button>
      </span>
      {alone ? <TicketSpace /> : null}
    </span>
  );
});

function LiveControl({ candidateId, name, signedIn, look = 'primary', ticket }: VoteControlProps) {
  const text = useText(voteTexts);
  const href = useHref();
  const navigate = useNavigate();
  const here = useReturnHere(candidateId);
  const { data: mine } = useMyVotes(signedIn === true);
  const { data: uncounted } = useUncountedVotes(signedIn === true);
  const cast = useCastVote();
  const withdraw = useWithdrawVote();
  const button = useRef<HTMLButtonElement>(null);
  /** Between the two clicks of a double click there is no render that could disable the button. */
  const inFlight = useRef(false);
  const [number, setNumber] = useState<number | null>(null);
  const [ticketShown, setTicketShown] = useState<'no' | 'voted' | 'reopened'>('no');
  const ticketButton = useRef<HTMLButtonElement>(null);
  const voted = signedIn === true && (mine?.includes(candidateId) ?? false);
  const alone = isAlone({ look, ...(ticket ? { ticket } : {}) });
  const own = signedIn ? uncounted?.find((vote) => vote.candidateId === candidateId) : undefined;
  // An uncounted vote can't be withdrawn, or it could be cast again.
  const today = own?.day === new Date(serverClock.now()).toISOString().slice(0, 10);
  const busy = cast.isPending || withdraw.isPending;
  useVoterIsBack(candidateId, button);
  const unconfirmed = cast.isError && codeOf(cast.error) === 'UNCONFIRMED';

  function promptSignIn() {
    notify.error(text.toast.sessionNeeded);
    void navigate(href('/auth'), { state: here });
  }
  function vote() {
    if (voted || busy || inFlight.current) return;
    if (signedIn === false) return promptSignIn();
    // Clicked before the session is loaded: the server decides.
    const onError = (error: unknown) => {
      if (signedIn === undefined && codeOf(error) === 'UNAUTHORIZED') promptSignIn();
    };
    inFlight.current = true;
    const onSettled = () => {
      inFlight.current = false;
    };
    const onSuccess = ({ totalVotes }: { totalVotes: number }) => {
      setNumber(totalVotes);
      setTicketShown('voted');
    };
    cast.mutate({ candidateId }, { onSuccess, onError, onSettled });
  }
  // One button in both states, so that it keeps the focus.
  return (
    <span className={cx('grid gap-1.5', alone && ALONE)}>
      <span className="flex items-center gap-1.5">
        <Button
          ref={button}
          variant={voted ? 'secondary' : look}
          className="flex-1"
          aria-label={voted ? text.vote.votedFor(name) : text.vote.actionFor(name)}
          aria-disabled={voted || undefined}
          onClick={vote}
        >
          {voted ? <Check aria-hidden="true" /> : <Vote aria-hidden="true" />}
          {voted ? text.vote.voted : text.vote.action}
        </Button>
        {voted && !today ? (
          <IconButton
            label={text.vote.withdrawFor(name)}
            className="flex-none"
            onClick={() => {
              if (busy) return;
              button.current?.focus();
              withdraw.mutate({ candidateId });
            }}
          >
            <Undo2 aria-hidden="true" />
          </IconButton>
        ) : null}
      </span>
      {voted && (cast.isSuccess || ticket) ? (
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {ticket ? (
            <button
              ref={ticketButton}
              type="button"
              className="link min-h-6"
              aria-label={text.vote.ticketFor(name)}
              onClick={() => setTicketShown('reopened')}
            >
              {text.vote.ticket}
            </button>
          ) : null}
          {cast.isSuccess ? (
            <Link to={href('/ledger')} className="link" aria-label={text.vote.receiptFor(name)}>
              {text.vote.receipt}
            </Link>
          ) : null}
        </span>
      ) : alone ? (
        <TicketSpace />
      ) : null}
      {voted && ticketShown !== 'no'
        ? ticket?.({
            candidateId,
            name,
            number,
            reopened: ticketShown === 'reopened',
            onClose: (byMember) => {
              setTicketShown('no');
              if (byMember) ticketButton.current?.focus();
            },
          })
        : null}
      {own ? <LateOwnVote vote={own} /> : null}
      {unconfirmed ? (
        <span role="status" className="text-sm text-quiet">
          {text.vote.confirmFirst}{' '}
          <Link to={href('/account')} className="link">
            {text.vote.confirmAction}
          </Link>
        </span>
      ) : null}
    </span>
  );
}
