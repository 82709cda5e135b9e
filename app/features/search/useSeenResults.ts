import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useRestrictions } from '#app/lib/session/restrictions.ts';
import type { SearchResults } from '#contract/domains/search.ts';
import { type SeenResults, seenResults } from './restricted-results.ts';

/** The results filtered for the signed-in member; unfiltered until the session is loaded. */
export function useSeenResults(results: SearchResults | undefined): SeenResults | undefined {
  // The frame of every page loads the session.
  const { data: me } = useQuery(rpc.auth.me.queryOptions({ enabled: false }));
  const levelOf = useRestrictions(me?.id);
  return results && seenResults(results, levelOf);
}
