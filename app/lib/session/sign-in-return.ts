import { useLocation } from 'react-router';

/**
 * Where a visitor returns after signing in. It is in the state of the history entry, which survives a reload and which no external
 * link can set.
 */
interface SignInReturn {
  /** Path and query of a page of the site. */
  returnTo: string;
  /** The candidate that the visitor wanted to vote for: the page scrolls to it and focuses its button. */
  voteFor?: string | undefined;
}

/** State for a link to /auth that returns to this page. */
export function useReturnHere(voteFor?: string): SignInReturn {
  const { pathname, search } = useLocation();
  return { returnTo: pathname + search, voteFor };
}

/** The return state of the link to this page; null after a direct visit. */
export function useSignInReturn(): SignInReturn | null {
  const { state } = useLocation() as { state: Partial<SignInReturn> | null };
  const { returnTo, voteFor } = state ?? {};
  return returnTo ? { returnTo, voteFor } : null;
}
