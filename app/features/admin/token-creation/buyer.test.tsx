import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { sessionQuery } from '../admin.queries.ts';
import { Buyer } from './RequestDialog.tsx';

const shown = (member: AdminTokenRequest['member'], staffRoles: AdminSession['staffRoles']): string => {
  const queries = new QueryClient();
  const session: Partial<AdminSession> = { staffRoles, rights: { 'people.read': ['support'] } };
  queries.setQueryData(sessionQuery().queryKey, session as AdminSession);
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={queries}>
        <LanguageProvider locale="en" text={en}>
          <Buyer member={member} />
        </LanguageProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
};
const member = { id: '5f6a', name: 'Ana', email: 'ana@demo.example' };

it('the account of an order leads to its page for those who may read it', () => {
  expect(shown(member, ['support'])).toContain('href="/admin/people/5f6a"');
  expect(shown(member, ['finance'])).toBe('Ana ana@demo.example');
});

it('an order without an account leads nowhere', () => {
  expect(shown(null, ['owner'])).toBe('No account');
});
