import { expect, it } from 'vitest';
import type { TextOf } from '#app/lib/i18n/i18n.tsx';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { questionText } from './role-change.tsx';

const messages = adminRolesTexts.en.roles as TextOf<typeof adminRolesTexts>['roles'];
const admin = { role: 'admin' as const, staffRoles: ['owner' as const] };
const member = { email: 'ana@florka.test', emailVerified: false, role: 'user' as const };

it('the confirmation before an account becomes an admin names its e-mail address when that is unverified', () => {
  expect(questionText(messages, { row: member, to: admin }, false)).toContain('ana@florka.test');
  expect(questionText(messages, { row: { ...member, emailVerified: true }, to: admin }, false)).toBe(
    messages.confirmText,
  );
  // An admin has access already, and a demotion grants none.
  expect(questionText(messages, { row: { ...member, role: 'admin' }, to: admin }, false)).toBe(messages.confirmText);
  expect(
    questionText(messages, { row: { ...member, role: 'admin' }, to: { role: 'user', staffRoles: [] } }, true),
  ).toBe(`${messages.confirmText} ${messages.confirmSecond}`);
});
