import type { QueryClient } from '@tanstack/react-query';

/** What personal-data.ts does with the personal part of the query cache. */
interface PersonalCache {
  clear: (queries: QueryClient, memberId: string | null) => Promise<void>;
  cancel: (queries: QueryClient) => (resume: boolean) => void;
}

let loaded: PersonalCache | undefined;

/** Called by personal-data.ts, which loads with the code for members only: a tab without a member has nothing personal. */
export const setPersonalCache = (cache: PersonalCache): void => {
  loaded = cache;
};

/** Undefined while no member was signed in in this tab. */
export const personalCache = (): PersonalCache | undefined => loaded;
