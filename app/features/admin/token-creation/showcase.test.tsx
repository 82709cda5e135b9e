import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import type { StaffRole } from '#contract/staff.ts';
import { sessionQuery } from '../admin.queries.ts';
import { ShowcasePart } from './ShowcasePart.tsx';

const shownTo = (role: StaffRole): string => {
  const queries = new QueryClient();
  const rights: Partial<AdminSession['rights']> = { 'candidates.update': ['editor'] };
  const session = { staffRoles: [role], rights } as AdminSession;
  queries.setQueryData(sessionQuery().queryKey, session);
  const made = { kind: 'candidate', tokenName: 'Luna', slug: 'luna', deleted: false } as const;
  queries.setQueryData(rpc.admin.showcase.list.queryKey({ input: { requestId: 'r' } }), [made as never]);
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={queries}>
        <LanguageProvider locale="en" text={en}>
          <ShowcasePart requestId="r" />
        </LanguageProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
};

it('the link to edit a published token is shown only to admins with access to that screen', () => {
  expect(shownTo('owner')).toContain('href="/admin/votes"');
  expect(shownTo('finance')).not.toContain('/admin/votes');
  expect(shownTo('finance')).toContain('href="/token/luna"');
});
