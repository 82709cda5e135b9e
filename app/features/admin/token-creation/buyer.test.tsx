import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { sessionQuery } from '../admin.queries.ts';
import { Buyer, BuyerPage } from './RequestDialog.tsx';

const page = (part: ReactNode, staffRoles: AdminSession['staffRoles']): string => {
  const queries = new QueryClient();
  const session: Partial<AdminSession> = {
    staffRoles,
    rights: { 'people.read': ['support'], 'mailboxes.read': ['support'] },
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
};
const shown = (member: AdminTokenRequest['member'], roles: AdminSession['staffRoles']) =>
  page(<Buyer member={member} />, roles);
const member = { id: '5f6a', name: 'Ana', email: 'ana@demo.example' };

it('the account of an order leads to its page for those who may read it', () => {
  expect(shown(member, ['support'])).toContain('href="/admin/people/5f6a"');
  expect(shown(member, ['finance'])).toBe('Ana ana@demo.example');
});

it('an order without an account leads nowhere', () => {
  expect(shown(null, ['owner'])).toBe('No account');
});

it('an order leads to everything of its buyer, with an account or without', () => {
  const guest = <BuyerPage request={{ email: 'luna@demo.example', member: null }} />;
  expect(page(guest, ['support'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(page(guest, ['support'])).toContain('Everything of this person: orders and mails');
  expect(page(guest, ['finance'])).toBe('');
  expect(page(<BuyerPage request={{ email: 'ana@demo.example', member }} />, ['support'])).toContain(
    '/admin/people/5f6a',
  );
});
