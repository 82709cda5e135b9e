import { Link } from 'react-router';
import { day } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ownVoteTexts } from '#app/lib/messages/own-votes.ts';
import type { UncountedVote } from '#contract/domains/voting.ts';

/** Shows members that their vote is not counted, and why. */
export default function OwnVote({ vote }: { vote: UncountedVote }) {
  const text = useText(ownVoteTexts).ownVotes;
  const href = useHref();
  const locale = useLocale();
  return (
    <span role="status" className="max-w-[22rem] text-left text-sm">
      {text.ofDay(day(vote.day, locale))} {text.explain(vote)}{' '}
      <Link to={href('/ledger')} className="link">
        {text.more}
      </Link>
    </span>
  );
}
