import type { ReactNode } from 'react';
import { type HeadersArgs, isRouteErrorResponse, Outlet } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Frame } from '#app/features/auth/Frame.tsx';
import { NotificationBell } from '#app/features/notifications/NotificationBell.tsx';
import { Presence } from '#app/features/presence/Presence.tsx';
import { useMergeSaved } from '#app/features/saved/useMergeSaved.ts';
import { HeaderSearch } from '#app/features/search/HeaderSearch.tsx';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import { ErrorContent } from '#app/lib/page/ErrorScreen.tsx';

/** When a page is refused, the answer says for how long. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

/** Public pages in the default language. */
export default function Spanish() {
  const memberId = useMe()?.id;
  useMergeSaved(memberId);
  return (
    <Framed tools={<NotificationBell memberId={memberId} />}>
      <Outlet />
      <Presence memberId={memberId} />
    </Framed>
  );
}

/** A page that fails, is refused or does not exist leaves header and footer in place. */
export function ErrorBoundary({ error }: { error: unknown }) {
  return (
    <Framed>
      <ErrorContent locale="es" status={isRouteErrorResponse(error) ? error.status : 500} />
    </Framed>
  );
}

const Framed = ({ tools, children }: { tools?: ReactNode; children: ReactNode }) => (
  <LanguageProvider locale="es" text={es}>
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
