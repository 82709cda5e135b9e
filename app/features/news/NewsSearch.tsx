import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { searchTermsOf } from '#app/lib/forms/search-terms.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { newsTexts } from '#app/lib/messages/news.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Input } from '#app/ui/controls/Field.tsx';

/** Debounce delay of the search. Milliseconds. */
const DELAY_MS = 300;

/** The search box. The query is a parameter of the address; without the script it is a plain form with the same result. */
export function NewsSearch({ searchTerm, onSearch }: { searchTerm: string; onSearch: (searchTerm: string) => void }) {
  const text = useText(newsTexts);
  const href = useHref();
  const [typed, setTyped] = useState(searchTerm);
  const input = useRef<HTMLInputElement>(null);
  const lastRequested = useRef(searchTerm);
  const search = useRef(onSearch);
  search.current = onSearch;

  useEffect(() => {
    // The address was changed by navigation: back, forward, or 'see all'.
    if (searchTerm !== lastRequested.current) {
      lastRequested.current = searchTerm;
      setTyped(searchTerm);
    }
  }, [searchTerm]);
  const send = (value: string) => {
    if (searchTermsOf(value) === lastRequested.current) return;
    lastRequested.current = searchTermsOf(value);
    search.current(lastRequested.current);
  };
  const sendNow = useRef(send);
  sendNow.current = send;
  useEffect(() => {
    const timer = setTimeout(() => sendNow.current(typed), DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <search className="w-full max-w-lg">
      <form
        action={href('/news')}
        className="relative"
        onSubmit={(event) => {
          event.preventDefault();
          send(typed);
        }}
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-quiet"
        />
        <Input
          ref={input}
          type="search"
          name="q"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={text.news.search}
          aria-label={text.news.searchLabel}
          autoComplete="off"
          enterKeyHint="search"
          dir="auto"
          className="min-h-13 pr-13 pl-12 [&::-webkit-search-cancel-button]:hidden"
        />
        {typed ? (
          <IconButton
            label={text.news.clear}
            size="sm"
            className="absolute top-1/2 right-1.5 -translate-y-1/2"
            onClick={() => {
              setTyped('');
              send('');
              input.current?.focus();
            }}
          >
            <X aria-hidden="true" />
          </IconButton>
        ) : null}
      </form>
    </search>
  );
}
