import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminUser } from '#contract/admin/users.ts';
import { Access } from './Account.tsx';

const shown = (user: Pick<AdminUser, 'access' | 'bannedUntil'>): string =>
  renderToStaticMarkup(
    <LanguageProvider locale="en" text={en}>
      <Access user={user} />
    </LanguageProvider>,
  );

it('the end of a ban is shown beside its badge, not inside it', () => {
  expect(shown({ access: 'banned', bannedUntil: '2026-03-10T12:00:00.000Z' })).toMatch(
    />Banned<\/span> until Mar 10, 2026/,
  );
  expect(shown({ access: 'open', bannedUntil: null })).toMatch(/>Open<\/span>$/);
});
