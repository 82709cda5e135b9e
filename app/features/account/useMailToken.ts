import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * The token of a link from a mail: taken from behind '#' once, and out of the address bar and the history. Links of mails from
 * before have it in the query, as long as they count.
 *
 * @returns null before the page has read its address, which no server sees whole; '' when there is none.
 */
export function useMailToken(): string | null {
  const { hash, search } = useLocation();
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const found = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token');
    // Another link in the same tab counts; the address without one says nothing new.
    setToken((before) => found ?? before ?? '');
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [hash, search]);
  return token;
}
