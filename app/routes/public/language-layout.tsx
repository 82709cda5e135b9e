import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Frame } from '#app/features/auth/Frame.tsx';
import { NotificationBell } from '#app/features/notifications/NotificationBell.tsx';
import { Presence } from '#app/features/presence/Presence.tsx';
import { useMergeSaved } from '#app/features/saved/useMergeSaved.ts';
import { HeaderSearch } from '#app/features/search/HeaderSearch.tsx';
import { type Language, LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { ErrorContent } from '#app/lib/page/ErrorScreen.tsx';

/** Header, page and footer of the public pages in one language. The caller passes the messages, so that a page loads only its own. */
export function LanguageLayout(language: Language) {
  const memberId = useMe()?.id;
  useMergeSaved(memberId);
  return (
    <Framed {...language} tools={<NotificationBell memberId={memberId} />}>
      <Outlet />
      <Presence memberId={memberId} />
    </Framed>
  );
}

/** A page that fails, is refused or does not exist is replaced within header and footer. */
export function LanguageFailure({ status, ...language }: Language & { status: number }) {
  return (
    <Framed {...language}>
      <ErrorContent locale={language.locale} status={status} />
    </Framed>
  );
}

function Framed({ tools, children, ...language }: Language & { tools?: ReactNode; children: ReactNode }) {
  return (
    <LanguageProvider {...language}>
      <Frame
        tools={
          <>
            <HeaderSearch />
            {tools}
          </>
        }
      >
        {children}
      </Frame>
    </LanguageProvider>
  );
}
