import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { searchTermsOf } from '#app/lib/forms/search-terms.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { searchTexts } from '#app/lib/messages/search.ts';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Input } from '#app/ui/controls/Field.tsx';
import { HIT_ATTRIBUTE, moveThroughHits } from '#app/ui/controls/move-through-hits.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import type { SearchBoxProps } from './HeaderSearch.tsx';
import { isEmpty, SearchResults } from './SearchResults.tsx';
import { searchPath, suggestionsQuery } from './search.queries.ts';
import { useSeenResults } from './useSeenResults.ts';

/** Debounce delay of the search. Milliseconds. */
const DELAY_MS = 200;

/** The search dialog: suggestions while the user types, and Enter for the page of all results. */
export function SearchPalette({ typed, onType, onClose, opener }: SearchBoxProps) {
  const text = useText(searchTexts);
  const href = useHref();
  const navigate = useNavigate();
  const [terms, setTerms] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTerms(searchTermsOf(typed)), DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data: results, error, isPlaceholderData } = useQuery(suggestionsQuery(terms));
  const data = useSeenResults(results);
  const found = terms && data ? data : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={text.search.heading}
      className="search-palette"
      opener={opener}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between what can be focused inside. */}
      <div className="grid gap-4" onKeyDown={moveThroughHits}>
        <form
          action={href('/search')}
          className="relative"
          onSubmit={(event) => {
            event.preventDefault();
            void navigate(href(searchPath(searchTermsOf(typed))));
            onClose();
          }}
        >
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-quiet"
          />
          <Input
            {...HIT_ATTRIBUTE}
            type="search"
            name="q"
            autoFocus
            value={typed}
            onChange={(event) => onType(event.target.value)}
            placeholder={text.search.placeholder}
            aria-label={text.search.label}
            autoComplete="off"
            enterKeyHint="search"
            dir="auto"
            maxLength={SEARCH_MAX}
            className="min-h-13 pl-12"
          />
        </form>
        <p className="visually-hidden" role="status">
          {found && !isPlaceholderData ? (isEmpty(found) ? text.search.none(terms) : text.search.results(terms)) : ''}
        </p>
        {error && terms ? (
          <p role="alert" className="text-sm">
            {text.search.error}: {failureText(error, text)}
          </p>
        ) : found ? (
          <div className="grid gap-5" aria-busy={isPlaceholderData}>
            {isEmpty(found) ? (
              <p className="text-quiet wrap-anywhere">
                <span className="text-text">{text.search.none(terms)}.</span> {text.search.noneText}
              </p>
            ) : (
              <SearchResults results={found} terms={terms} level={3} onFollow={onClose} />
            )}
            <Link
              to={href(searchPath(terms))}
              {...HIT_ATTRIBUTE}
              onClick={onClose}
              className="link inline-flex min-h-10 items-center"
            >
              {text.search.all}
            </Link>
          </div>
        ) : (
          <p className="text-sm text-quiet">{text.search.hint}</p>
        )}
        <p className="text-sm text-quiet max-sm:hidden">{text.search.keys}</p>
      </div>
    </Dialog>
  );
}
