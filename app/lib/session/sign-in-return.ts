import { useLocation } from 'react-router';

/**
 * Where a visitor who was asked to sign in goes on afterwards. It travels in the state of the history entry, which survives
 * a reload and which no link from elsewhere can set.
 */
interface SignInReturn {
  /** Path and query of a page of ours. */
  returnTo: string;
  /** The candidate whose vote was asked for: it is in view on that page, with the focus on its button. */
  voteFor?: string | undefined;
}

/** State for a link to /auth that leads back to this page. */
export function useReturnHere(voteFor?: string): SignInReturn {
  const { pathname, search } = useLocation();
  return { returnTo: pathname + search, voteFor };
}

/** What the link to this page said; null after a plain visit. */
export function useSignInReturn(): SignInReturn | null {
  const { state } = useLocation() as { state: Partial<SignInReturn> | null };
  const { returnTo, voteFor } = state ?? {};
  return returnTo ? { returnTo, voteFor } : null;
}
