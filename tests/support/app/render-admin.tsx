import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { sessionQuery } from '#app/features/admin/admin.queries.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminSession } from '#contract/domains/admin.ts';

/** The English markup of a part of the back office, for an admin with these staff roles; people are read by support, the forum by moderators. */
export function renderAdmin(part: ReactNode, staffRoles: AdminSession['staffRoles']): string {
  const queries = new QueryClient();
  const session: Partial<AdminSession> = {
    staffRoles,
    rights: { 'people.read': ['support'], 'mailboxes.read': ['support'], 'forum.list': ['moderator'] },
  };
  queries.setQueryData(sessionQuery().queryKey, session as AdminSession);
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={queries}>
        <LanguageProvider locale="en" text={en}>
          {part}
        </LanguageProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}
