import { Check, Undo2, Vote } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useHref, useText } from '#app/lib/i18n.tsx';
import { notify } from '#app/lib/notify.ts';
import { Button, IconButton } from '#app/ui/Button.tsx';
import { useCastVote, useMyVotes, useWithdrawVote } from './voting.queries.ts';

interface VoteControlProps {
  candidateId: string;
  name: string;
  signedIn: boolean;
  size?: 'sm' | 'md' | 'lg';
}

/** Votes for a candidate, or takes today's vote back. A visitor is told to sign in. */
export function VoteControl({ candidateId, name, signedIn, size = 'md' }: VoteControlProps) {
  const text = useText();
  const href = useHref();
  const navigate = useNavigate();
  const { data: mine } = useMyVotes(signedIn);
  const cast = useCastVote();
  const withdraw = useWithdrawVote();
  const voted = signedIn && (mine?.includes(candidateId) ?? false);
  const busy = cast.isPending || withdraw.isPending;

  if (voted)
    return (
      <span className="flex items-center gap-1.5">
        <Button size={size} disabled aria-label={text.vote.votedFor(name)}>
          <Check aria-hidden="true" />
          {text.vote.voted}
        </Button>
        <IconButton
          label={text.vote.withdrawFor(name)}
          size={size}
          onClick={() => {
            if (!busy) withdraw.mutate({ candidateId });
          }}
        >
          <Undo2 aria-hidden="true" />
        </IconButton>
      </span>
    );
  return (
    <Button
      size={size}
      variant="primary"
      aria-label={text.vote.actionFor(name)}
      onClick={() => {
        if (!signedIn) {
          notify.error(text.toast.sessionNeeded);
          void navigate(href('/auth'));
        } else if (!busy) cast.mutate({ candidateId });
      }}
    >
      <Vote aria-hidden="true" />
      {text.vote.action}
    </Button>
  );
}
