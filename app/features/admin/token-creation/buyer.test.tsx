import { expect, it } from 'vitest';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { renderAdmin } from '#tests/support/app/render-admin.tsx';
import { Buyer, BuyerPage } from './RequestDialog.tsx';

const shown = (member: AdminTokenRequest['member'], roles: AdminSession['staffRoles']) =>
  renderAdmin(<Buyer member={member} />, roles);
const member = { id: '5f6a', name: 'Ana', email: 'ana@demo.example' };

it('the account of an order links to its page for admins who may read it', () => {
  expect(shown(member, ['support'])).toContain('href="/admin/people/5f6a"');
  expect(shown(member, ['finance'])).toBe('Ana ana@demo.example');
});

it('an order without an account says so, without a link', () => {
  expect(shown(null, ['owner'])).toBe('No account');
});

it('an order links to the page with everything of its buyer, with an account or without', () => {
  const guest = <BuyerPage request={{ email: 'luna@demo.example', member: null }} />;
  expect(renderAdmin(guest, ['support'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(renderAdmin(guest, ['support'])).toContain('Everything of this person: orders and mails');
  expect(renderAdmin(guest, ['finance'])).toBe('');
  expect(renderAdmin(<BuyerPage request={{ email: 'ana@demo.example', member }} />, ['support'])).toContain(
    '/admin/people/5f6a',
  );
});
