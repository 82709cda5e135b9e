import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { rankingQuery } from './ranking.queries.ts';

/** Result of the last round: its frozen standings, and whether it was closed early. */
export function LastRound() {
  const text = useText(voteTexts);
  const locale = useLocale();
  const href = useHref();
  const { data } = useQuery(rankingQuery());
  const last = data?.lastRound;
  if (!last) return null;
  return (
    <section className="card mt-6 grid gap-2 px-5 py-4" aria-labelledby="last-round">
      <h2 id="last-round" className="text-lg font-semibold">
        {text.vote.last(last.number)}
      </h2>
      {last.closedEarly === null ? null : (
        <p className="[overflow-wrap:anywhere]">
          {text.vote.lastEarly} <LocalTime iso={last.closesAt} />. {text.vote.lastReason(last.closedEarly)}
        </p>
      )}
      {last.standings.length === 0 ? <p className="text-quiet">{text.vote.lastNobody}</p> : null}
      <ol className="grid gap-1">
        {last.standings.map(({ tokenName, tokenSymbol, totalVotes }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frozen standings never move.
          <li key={i} className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <span className="figures w-4 text-quiet">{i + 1}</span>
            {i === 0 && last.winnerSlug ? (
              <Link to={href(`/token/${last.winnerSlug}`)} className="link font-semibold">
                {tokenName}
              </Link>
            ) : (
              <span className={i === 0 ? 'font-semibold' : undefined}>{tokenName}</span>
            )}
            <span className="text-sm text-quiet">
              ${tokenSymbol} · {text.vote.totalVotes(integer(totalVotes, locale))}
              {i === 0 ? ` · ${text.vote.winner}` : null}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Who may vote here; renders nothing while that is loading. */
export function WhoVotes() {
  const text = useText(voteTexts);
  const { data } = useQuery(rankingQuery());
  if (!data) return null;
  return data.confirmedOnly ? text.vote.confirmedVote : text.vote.everybodyVotes;
}
