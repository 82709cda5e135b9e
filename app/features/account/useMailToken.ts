import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * The token of a mailed link: read from the fragment after '#' once, and removed from the address bar and the history. Links of older
 * mails have it in the query, until they expire.
 * @returns null before the page has read its address, which no server receives completely; '' when there is none.
 */
export function useMailToken(): string | null {
  const { hash, search } = useLocation();
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const found = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token');
    // A new link in the same tab replaces the token; an address without one does not.
    setToken((before) => found ?? before ?? '');
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [hash, search]);
  return token;
}
