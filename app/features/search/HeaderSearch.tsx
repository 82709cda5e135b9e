import { lazy, Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { SearchIcon } from '#app/ui/controls/frame-icons.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';

// Loaded on demand, with the first search.
const SearchPalette = lazy(() =>
  loadWithRetry(async () => ({ default: (await import('./SearchPalette.tsx')).SearchPalette })),
);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Opens the search from the header: a dialog on click, `/` or Ctrl+K; without scripts it links to the search's page. */
export function HeaderSearch() {
  const text = useText();
  const href = useHref();
  /** What had the focus when it was opened; null while it is closed. */
  const [open, setOpen] = useState<{ opener: HTMLElement | null } | null>(null);
  const [typed, setTyped] = useState('');
  const close = () => {
    setOpen(null);
    setTyped('');
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const called =
        (key === 'k' && (ctrlKey || metaKey)) ||
        (key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(event.target));
      // An open dialog receives the keys.
      if (!called || event.defaultPrevented || document.querySelector('[role=dialog],[role=alertdialog],dialog[open]'))
        return;
      event.preventDefault();
      const { activeElement } = document;
      setOpen({ opener: activeElement === document.body ? null : (activeElement as HTMLElement | null) });
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
          // Not every browser gives the focus to a button that is clicked.
          setOpen({ opener: (event.nativeEvent as SubmitEvent).submitter });
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
          <SearchIcon />
        </button>
      </form>
      {open ? (
        <Suspense fallback={<LoadingBox typed={typed} onType={setTyped} onClose={close} opener={open.opener} />}>
          <SearchPalette typed={typed} onType={setTyped} onClose={close} opener={open.opener} />
        </Suspense>
      ) : null}
    </search>
  );
}

export interface SearchBoxProps {
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
  /** Receives the focus when the search is closed. */
  opener: HTMLElement | null;
}

/** Receives what is typed while the dialog is loaded. Enter opens the page of all results. */
function LoadingBox({ typed, onType, onClose, opener }: SearchBoxProps) {
  const text = useText();
  const href = useHref();
  return createPortal(
    <search aria-label={text.nav.search} aria-busy="true" className="dialog">
      <form action={href('/search')}>
        <p className="mb-4 font-display text-[1.375rem] font-bold">{text.nav.search}</p>
        <input
          type="search"
          name="q"
          // biome-ignore lint/a11y/noAutofocus: the user has just opened the search.
          autoFocus
          value={typed}
          maxLength={SEARCH_MAX}
          autoComplete="off"
          dir="auto"
          aria-label={text.nav.search}
          className="control min-h-13"
          onChange={(event) => onType(event.target.value)}
          onKeyDown={({ key }) => {
            if (key !== 'Escape') return;
            opener?.focus({ preventScroll: true });
            onClose();
          }}
        />
      </form>
    </search>,
    document.body,
  );
}
