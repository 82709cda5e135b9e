import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n.tsx';
import { LanguageOffer } from '#app/lib/LanguageOffer.tsx';
import { Main } from '#app/lib/Main.tsx';
import { StaleGuard, StaleNotice } from '#app/lib/StaleNotice.tsx';
import { ToastArea } from '#app/lib/ToastArea.tsx';
import { Logo } from '#app/ui/Logo.tsx';
import { Marquee } from '#app/ui/Marquee.tsx';
import { Header, WithoutScripts } from './Header.tsx';

/** Header, content and footer of every public page. */
export function Frame({ children }: { children: ReactNode }) {
  const text = useText();
  return (
    <>
      <a href="#content" className="skip-link">
        {text.nav.skip}
      </a>
      <Header />
      <LanguageOffer />
      <StaleNotice />
      <WithoutScripts />
      <Main className="min-h-[calc(100svh-4rem)] outline-none">
        <StaleGuard>{children}</StaleGuard>
      </Main>
      <Footer />
      <ToastArea />
    </>
  );
}

function Footer() {
  const text = useText();
  const href = useHref();
  return (
    <footer className="mt-16 border-t border-line">
      <Marquee />
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-8 text-sm text-quiet">
        <div className="flex items-center gap-3">
          <Logo name={text.brand.name} size={36} decorative className="flex-none text-text" />
          <p>
            {text.brand.name} · {text.nav.footer}
          </p>
        </div>
        <p className="flex gap-3">
          <Link to={href('/saved')} className="link inline-flex min-h-11 min-w-11 items-center justify-center">
            {text.nav.saved}
          </Link>
          <a href="/api/docs" className="link inline-flex min-h-11 min-w-11 items-center justify-center">
            {text.nav.apiDocs}
          </a>
        </p>
      </div>
    </footer>
  );
}
