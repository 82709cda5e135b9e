import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useRestrictions } from '#app/lib/session/restrictions.ts';
import type { SearchResults } from '#contract/domains/search.ts';
import { type SeenResults, seenResults } from './restricted-results.ts';

/** What was found as whoever is signed in wants to see it; as everybody does until that is known. */
export function useSeenResults(results: SearchResults | undefined): SeenResults | undefined {
  // The frame of every page asks who is here.
  const { data: me } = useQuery(rpc.auth.me.queryOptions({ enabled: false }));
  const levelOf = useRestrictions(me?.id);
  return results && seenResults(results, levelOf);
}
