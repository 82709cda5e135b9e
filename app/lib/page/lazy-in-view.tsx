import { type ComponentType, lazy, memo, Suspense, use, useEffect, useMemo, useRef, useState } from 'react';
import { UNSAFE_RouteContext as RouteContext } from 'react-router';
import { loadWithRetry } from './lazy-loading.ts';

/** How far below the screen a part may be to be loaded: about as far as a reader scrolls while it loads. */
const AHEAD = '0px 0px 75% 0px';

/** Records a click or submit in the text of a part whose code is not loaded yet, to repeat it afterwards. */
function repeatLater(part: HTMLElement, load: () => void): { repeat: () => void; stop: () => void } {
  const stopped = new AbortController();
  let pending: (() => void) | undefined;
  const listen = (type: 'click' | 'submit', actionOf: (event: Event) => (() => void) | undefined) =>
    // Before React, which drops what happens in a part that it can't hydrate yet.
    addEventListener(
      type,
      (event) => {
        if (!(event.target instanceof Node) || !part.contains(event.target)) return;
        load();
        const repeated = actionOf(event);
        if (!repeated) return;
        event.preventDefault();
        event.stopPropagation();
        pending = repeated;
      },
      { capture: true, signal: stopped.signal },
    );
  listen('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('a, button, summary, label, input') : null;
    return pressed?.matches('button, input[type=checkbox], input[type=radio]') ? () => pressed.click() : undefined;
  });
  listen('submit', ({ target }) => (target instanceof HTMLFormElement ? () => target.requestSubmit() : undefined));
  addEventListener('focusin', ({ target }) => target instanceof Node && part.contains(target) && load(), {
    signal: stopped.signal,
  });
  return {
    repeat() {
      stopped.abort();
      pending?.();
    },
    stop: () => stopped.abort(),
  };
}

/**
 * A part of a page far below the first screen: its text is in the document, its code is loaded when a visitor comes near it or uses it.
 * For members, and on a page that came without a document, it is loaded at once. A click or a submit before that is repeated afterwards.
 * Properties should be simple values: when one changes before the code is there, React discards the document's text and renders the part
 * again.
 *
 * @param load imports the part's module.
 * @returns the part; its `load` loads the code, for a page that finds out later that the reader is a member.
 */
export function lazyInView<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> & { load: () => void } {
  let begin = () => {};
  const wanted = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const Part = lazy(async () => {
    if (!import.meta.env.SSR) await wanted;
    return loadWithRetry<{ default: ComponentType<Props> }>(load);
  });
  /** Rendered where the document's text is not, or no longer. */
  function Missing() {
    begin();
    return null;
  }
  function LazyInView(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    const repeat = useRef(() => {});
    useEffect(() => {
      const part = place.current;
      const shown = [...(part?.children ?? [])];
      const { hydrated, member } = document.documentElement.dataset;
      // A link to a part of the page may lead into this one, and members have more here than the document says.
      if (!part || shown.length === 0 || location.hash || hydrated || member) return begin();
      const early = repeatLater(part, begin);
      repeat.current = early.repeat;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
        },
        { rootMargin: AHEAD },
      );
      for (const element of shown) observer.observe(element);
      void wanted.then(() => observer.disconnect());
      return () => {
        observer.disconnect();
        early.stop();
      };
    }, []);
    // The router renders with another context for each route that it discovers: what waits for its code keeps the first one.
    const route = use(RouteContext);
    const [firstRoute] = useState(route);
    const [hydrated, setHydrated] = useState(false);
    // The same object as long as the properties are the same: see memo below.
    const part = useMemo(
      () => (
        <Suspense fallback={<Missing />}>
          <Part {...props} />
          <Hydrated
            onHydrated={() => {
              setHydrated(true);
              repeat.current();
            }}
          />
        </Suspense>
      ),
      [props],
    );
    return (
      <div ref={place} className="contents">
        <RouteContext value={hydrated ? route : firstRoute}>{part}</RouteContext>
      </div>
    );
  }
  return Object.assign(memo(LazyInView) as unknown as ComponentType<Props>, { load: () => begin() });
}

/** Reports that the content before it in its part is hydrated. */
function Hydrated({ onHydrated }: { onHydrated: () => void }) {
  const done = useRef(onHydrated);
  useEffect(() => done.current(), []);
  return null;
}
