import { History } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { dateTime, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import type { ClosedRound } from '#contract/admin/voting.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';

/** Closed rounds, newest first. */
export function RoundsPanel({ list }: { list: AdminList<ClosedRound> }) {
  const messages = useText(adminVotingTexts).voting.rounds;
  const title = useText(adminVotingTexts).voting.round.heading;
  const locale = useLocale();
  const href = useHref();
  const [historyOf, setHistoryOf] = useState<ClosedRound | null>(null);
  const columns: Column<ClosedRound>[] = [
    { key: 'number', header: messages.number, sort: 'number', lead: true, cell: ({ number }) => title(number) },
    { key: 'opened', header: messages.opened, cell: ({ opensAt }) => dateTime(opensAt, locale) },
    {
      key: 'closed',
      header: messages.closed,
      sort: 'closedAt',
      cell: ({ closedAt, closedEarly }) => (
        <>
          {closedAt ? dateTime(closedAt, locale) : ''}
          {closedEarly === null ? null : (
            <span className="block text-sm text-quiet [overflow-wrap:anywhere]">{messages.early(closedEarly)}</span>
          )}
        </>
      ),
    },
    {
      key: 'winner',
      header: messages.winner,
      cell: ({ winnerName, nextProjectId }) =>
        winnerName && nextProjectId ? (
          // Links to its record here: the public page exists only while it is published.
          <Link
            to={href(`/admin/next-projects?q=${encodeURIComponent(winnerName)}`)}
            className="link"
            title={messages.nextOf(winnerName)}
            dir="auto"
          >
            {winnerName}
          </Link>
        ) : (
          <span className={winnerName ? undefined : 'text-quiet'}>{winnerName ?? messages.nobody}</span>
        ),
    },
    {
      key: 'votes',
      header: messages.votes,
      align: 'end',
      cell: ({ winnerVotes }) => (
        <span className="figures">{winnerVotes === null ? '' : integer(winnerVotes, locale)}</span>
      ),
    },
    { key: 'by', header: messages.by, cell: ({ closedBy }) => closedBy ?? <span className="text-quiet">—</span> },
  ];
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={({ number }) => title(number)}
        screen="votes"
        actions={(round) => (
          <IconButton size="sm" label={messages.historyOf(round.number)} onClick={() => setHistoryOf(round)}>
            <History aria-hidden="true" />
          </IconButton>
        )}
      />
      <HistoryDialog
        record={historyOf && { resourceType: 'round', resourceId: historyOf.id, name: title(historyOf.number) }}
        onClose={() => setHistoryOf(null)}
      />
    </>
  );
}
