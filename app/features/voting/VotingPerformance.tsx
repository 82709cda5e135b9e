import { useQuery } from '@tanstack/react-query';
import { day, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { AreaChart } from '#app/ui/charts/AreaChart.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import { Stat, Stats } from '#app/ui/layout/Stat.tsx';
import { historyQuery, rankingQuery } from './ranking.queries.ts';
import { useLiveTallies } from './voting.queries.ts';

interface VotingPerformanceProps {
  candidateId: string;
  name: string;
  totalVotes: number;
  votesToday: number;
  /** Votes of the open round that are not in the total. */
  votesUnderReview: number;
  votesVoid: number;
}

/** A candidate's votes: totals and by day. Renders nothing while it has no votes. */
export function VotingPerformance(props: VotingPerformanceProps) {
  const { candidateId, name, totalVotes, votesToday, votesUnderReview, votesVoid } = props;
  const text = useText(tokenTexts);
  const locale = useLocale();
  useLiveTallies();
  const { data: history } = useQuery(historyQuery(candidateId));
  const { data: ranking } = useQuery(rankingQuery(1));
  const round = ranking?.round;
  // Start of the open round, when it is within the days shown.
  const opened = round && history ? history.findIndex((entry) => entry.day === round.opensAt.slice(0, 10)) : -1;
  const marks = round && opened >= 0 ? [{ point: opened, label: text.token.historyRound(round.number) }] : [];
  const uncounted = votesUnderReview + votesVoid > 0;
  if (totalVotes === 0 && votesToday === 0 && !uncounted) return null;
  return (
    <Section title={<English>{text.token.performance}</English>}>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
        <Stats className="lg:grid-cols-1">
          <Stat label={<English>{text.token.totalVotes}</English>} value={integer(totalVotes, locale)} />
          <Stat label={<English>{text.token.votesToday}</English>} value={integer(votesToday, locale)} />
        </Stats>
        {history?.length ? (
          <AreaChart
            points={history.map((entry) => ({ label: day(entry.day, locale), value: entry.votes }))}
            label={text.token.history(name)}
            pointHeading={text.token.historyDay}
            valueHeading={text.token.historyVotes}
            unfinished={text.token.historyToday}
            marks={marks}
            format={(value) => integer(value, locale)}
          />
        ) : null}
      </div>
      {uncounted ? (
        <p className="mt-3 max-w-[70ch] text-sm text-quiet">
          {text.token.uncounted(integer(votesUnderReview, locale), integer(votesVoid, locale))}{' '}
          {text.token.uncountedWhy}
        </p>
      ) : null}
    </Section>
  );
}
