import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { InboxItem } from '#contract/admin/inbox.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { sessionQuery } from '../admin.queries.ts';
import { Actor } from '../audit/Timeline.tsx';
import { About } from '../inbox/Item.tsx';
import { PersonLink } from './PersonLink.tsx';

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

it('a name leads to the account, or to the mailbox without one, for those who may read it', () => {
  expect(page(<PersonLink id="5f6a">Ana</PersonLink>, ['support'])).toContain('href="/admin/people/5f6a"');
  expect(page(<PersonLink id="5f6a">Ana</PersonLink>, ['moderator'])).toBe('Ana');
  const guest = (
    <PersonLink id={null} mailbox="luna@demo.example">
      Luna
    </PersonLink>
  );
  expect(page(guest, ['owner'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(page(guest, ['finance'])).toBe('Luna');
  expect(page(<PersonLink id={null}>Luna</PersonLink>, ['owner'])).toBe('Luna');
});

it('the actor of an entry leads to the account while it exists', () => {
  const actor = { actorId: '5f6a', actorName: 'Ana', actorRole: 'admin' as const };
  expect(page(<Actor entry={actor} />, ['owner'])).toContain('href="/admin/people/5f6a"');
  expect(page(<Actor entry={{ ...actor, actorName: null }} />, ['owner'])).not.toContain('href');
});

it('an item of the inbox names whom it is about', () => {
  const item: InboxItem = {
    source: 'submission',
    id: '1',
    title: 'Luna',
    details: ['PR-1'],
    since: '2026-03-01T00:00:00.000Z',
    dueAt: null,
    owner: null,
    person: { id: null, mailbox: 'luna@demo.example', name: 'luna@demo.example' },
  };
  const shown = (parts: readonly string[]) =>
    page(<About item={item} now={Date.parse(item.since)} shows={(part) => parts.includes(part)} />, ['support']);
  expect(shown(['person'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(shown(['details'])).not.toContain('href');
});
