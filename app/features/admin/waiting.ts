import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { InboxSource } from '#contract/admin/inbox.ts';
import { useRights } from './kit/rights.tsx';
import type { ScreenName } from './navigation.ts';

/** Where the work of each source is done, beside the inbox, which has all of it. */
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

/** Between two looks while nothing is heard of a change. Milliseconds. */
const POLL_MS = 60_000;

/** How much waits behind each screen of the menu; undefined while it is not known. */
export function useWaiting(): Partial<Record<ScreenName, number>> | undefined {
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
