import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { InboxSource } from '#contract/admin/inbox.ts';
import { useRights } from './kit/rights.tsx';
import type { ScreenName } from './navigation.ts';

/** The screen of each source, in addition to the inbox, which has all of them. */
const SCREENS: Partial<Record<ScreenName, readonly InboxSource[]>> = {
  tokenCreation: ['request', 'payment', 'unplaced', 'creation', 'chain', 'reading', 'source'],
  submissions: ['submission'],
  moderatorRequests: ['moderator'],
  forum: ['report', 'appeal', 'review'],
  voteReview: ['vote_cluster'],
  deliverables: ['deliverable'],
  refunds: ['refund'],
  settlement: ['settlement'],
};

/** Polling interval, in case a live event is lost. Milliseconds. */
const POLL_MS = 60_000;

/** Number of waiting items behind each screen of the menu; undefined while it is loading. */
export function useWaitingCounts(): Partial<Record<ScreenName, number>> | undefined {
  const { may } = useRights();
  const { data } = useQuery({
    ...rpc.admin.inbox.counts.queryOptions({}),
    staleTime: POLL_MS / 2,
    refetchInterval: POLL_MS,
    enabled: may('inbox.counts'),
  });
  if (!data) return undefined;
  const sum = (sources: readonly InboxSource[]) => sources.reduce((all, source) => all + (data[source] ?? 0), 0);
  return {
    inbox: sum(Object.keys(data) as InboxSource[]),
    ...Object.fromEntries(Object.entries(SCREENS).map(([screen, sources]) => [screen, sum(sources)])),
  };
}
