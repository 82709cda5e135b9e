import { Search, X } from 'lucide-react';
import { Form, Link } from 'react-router';
import { useTyped } from '#app/lib/forms/useTyped.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { SEARCH_MAX } from '#contract/limits.ts';

/** Full-text search; the query is a parameter of the address, so a search can be shared. Works before the scripts are loaded. */
export function SearchBox({ searchTerm }: { searchTerm: string }) {
  const text = useText(forumTexts);
  const href = useHref();
  const [value, setValue] = useTyped(searchTerm);
  return (
    <search className="w-full sm:w-80">
      <Form
        method="get"
        action={href('/forum')}
        preventScrollReset
        className="flex gap-2"
        // An empty search shows the whole board, at its address without parameters.
        onSubmit={(event) => {
          if (value.trim() === '' && searchTerm === '') event.preventDefault();
        }}
      >
        {/* Has no label or hint of a `Field`, whose code a reader of the forum would load for this alone. */}
        <input
          type="search"
          className="control"
          name="q"
          dir="auto"
          aria-label={text.forum.search}
          title={text.forum.searchHint}
          placeholder={text.forum.search}
          maxLength={SEARCH_MAX}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <IconButton type="submit" variant="secondary" className="flex-none" label={text.forum.searchAction}>
          <Search aria-hidden="true" />
        </IconButton>
        {searchTerm ? (
          <Link
            to={href('/forum')}
            preventScrollReset
            aria-label={text.forum.searchClear}
            title={text.forum.searchClear}
            className={buttonClass({ variant: 'ghost', icon: true, className: 'flex-none' })}
          >
            <X aria-hidden="true" />
          </Link>
        ) : null}
      </Form>
    </search>
  );
}
