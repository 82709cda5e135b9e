import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { RestrictionLevel } from '#contract/domains/profiles.ts';

/** Live events report changes and renamings; this only helps where the stream cannot get through. Milliseconds. */
const STALE_MS = 60_000;

/** The reader's restriction of an author; undefined when there is none, or while it is loading. */
export type LevelOf = (username: string | null) => RestrictionLevel | undefined;

const restrictionsQuery = (memberId: string | undefined) =>
  rpc.profiles.restrictions.queryOptions({ enabled: memberId !== undefined, staleTime: STALE_MS });

/** True when the signed-in member blocks somebody. */
export function useBlocksSome(memberId: string | undefined): boolean {
  const { data } = useQuery(restrictionsQuery(memberId));
  return memberId !== undefined && (data?.some(({ level }) => level === 'block') ?? false);
}

/** Members whom the signed-in member muted or blocked, by user name. */
export function useRestrictions(memberId: string | undefined): LevelOf {
  const { data } = useQuery(restrictionsQuery(memberId));
  if (memberId === undefined || !data || data.length === 0) return nobody;
  const levels = new Map(data.map(({ username, level }) => [username, level]));
  return (username) => (username === null ? undefined : levels.get(username));
}
const nobody: LevelOf = () => undefined;
