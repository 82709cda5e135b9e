import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Until the title of the new page stands. Milliseconds. */
const SETTLED = 150;

/** The content of a page. After a change of page inside the app the reader starts here, and hears the title, as after a real page load. */
export function Main({ className, children }: { className: string; children: ReactNode }) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const main = useRef<HTMLElement>(null);
  const [title, setTitle] = useState('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => setTitle(document.title), SETTLED);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <>
      <main id="content" ref={main} tabIndex={-1} className={className}>
        {children}
      </main>
      <p className="visually-hidden" aria-live="polite">
        {title}
      </p>
    </>
  );
}
