import { Outlet } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Frame } from '#app/features/auth/Frame.tsx';
import { Presence } from '#app/features/presence/Presence.tsx';
import { useMergeSaved } from '#app/features/saved/useMergeSaved.ts';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';

/** Public pages in English. */
export default function English() {
  const memberId = useMe()?.id;
  useMergeSaved(memberId);
  return (
    <LanguageProvider locale="en" text={en}>
      <Frame>
        <Outlet />
        <Presence memberId={memberId} />
      </Frame>
    </LanguageProvider>
  );
}
