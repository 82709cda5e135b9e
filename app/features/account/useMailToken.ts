import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** The token of a link from a mail: taken from the address once, and out of the address bar and the history. */
export function useMailToken(): string {
  const { search } = useLocation();
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '');
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return token;
}
