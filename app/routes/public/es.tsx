import { Outlet } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Frame } from '#app/features/auth/Frame.tsx';
import { Presence } from '#app/features/presence/Presence.tsx';
import { useMergeSaved } from '#app/features/saved/useMergeSaved.ts';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';

/** Public pages in the default language. */
export default function Spanish() {
  const memberId = useMe()?.id;
  useMergeSaved(memberId);
  return (
    <LanguageProvider locale="es" text={es}>
      <Frame>
        <Outlet />
        <Presence memberId={memberId} />
      </Frame>
    </LanguageProvider>
  );
}
