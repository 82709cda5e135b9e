import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Polls the title, which a page that is still loading may not have yet. Delay in milliseconds, and number of attempts. */
const DELAY_MS = 150;
const MAX_CHECKS = 30;

/**
 * The content of a page. After navigation within the app the focus moves here, and screen readers announce the title, as after a full
 * page load.
 */
export function Main({ className, children }: { className: string; children: ReactNode }) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const main = useRef<HTMLElement>(null);
  const [title, setTitle] = useState('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    let looks = 0;
    const timer = setInterval(() => {
      if (document.title) setTitle(document.title);
      if (document.title || ++looks > MAX_CHECKS) clearInterval(timer);
    }, DELAY_MS);
    return () => clearInterval(timer);
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
