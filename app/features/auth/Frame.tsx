import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { LanguageOffer } from '#app/lib/i18n/LanguageOffer.tsx';
import { StaleGuard, StaleNotice } from '#app/lib/live/StaleNotice.tsx';
import { ToastArea } from '#app/lib/notices/ToastArea.tsx';
import { Footer } from '#app/lib/page/Footer.tsx';
import { Main } from '#app/lib/page/Main.tsx';
import { Header, WithoutScripts } from './Header.tsx';

/** Header, content and footer of every public page. */
export function Frame({ tools, children }: { tools?: ReactNode; children: ReactNode }) {
  const text = useText();
  return (
    <>
      <a href="#content" className="skip-link">
        {text.nav.skip}
      </a>
      <Header tools={tools} />
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
