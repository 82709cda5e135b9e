import { lazy, Suspense, useEffect, useState } from 'react';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { later } from '#app/lib/page/later.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';

// Nobody needs it before the first search.
const SearchPalette = lazy(() => later(async () => ({ default: (await import('./SearchPalette.tsx')).SearchPalette })));

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The way to the search in the header: a box over the page on a click, `/` or Ctrl+K; without scripts the search's page. */
export function HeaderSearch() {
  const text = useText();
  const href = useHref();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const called =
        (key === 'k' && (ctrlKey || metaKey)) ||
        (key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(event.target));
      // A dialog that is open has the keyboard to itself.
      if (!called || event.defaultPrevented || document.querySelector('[role=dialog],[role=alertdialog],dialog[open]'))
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className="flex-none">
      <form
        action={href('/search')}
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        <button
          type="submit"
          aria-label={text.nav.search}
          title={text.nav.searchKeys}
          aria-keyshortcuts="/ Control+K"
          aria-haspopup="dialog"
          className={buttonClass({ variant: 'ghost', icon: true })}
        >
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            aria-hidden="true"
          >
            <path d="m21 21-4.3-4.3M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z" />
          </svg>
        </button>
      </form>
      {open ? (
        <Suspense>
          <SearchPalette onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </search>
  );
}
