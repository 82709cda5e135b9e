import { Outlet } from 'react-router';
import { Frame } from '#app/features/auth/Frame.tsx';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';

/** Public pages in the English. */
export default function English() {
  return (
    <LanguageProvider locale="en" text={en}>
      <Frame>
        <Outlet />
      </Frame>
    </LanguageProvider>
  );
}
