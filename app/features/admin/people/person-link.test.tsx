import { expect, it } from 'vitest';
import type { InboxItem } from '#contract/admin/inbox.ts';
import type { StaffRole } from '#contract/staff.ts';
import { renderAdmin } from '#tests/support/app/render-admin.tsx';
import { Actor } from '../audit/Timeline.tsx';
import { About } from '../inbox/Item.tsx';
import { PersonLink } from './PersonLink.tsx';
import { Texts } from './PersonParts.tsx';

it('a name links to the account, or without one to the mailbox, for admins who may read it', () => {
  expect(renderAdmin(<PersonLink id="5f6a">Ana</PersonLink>, ['support'])).toContain('href="/admin/people/5f6a"');
  expect(renderAdmin(<PersonLink id="5f6a">Ana</PersonLink>, ['moderator'])).toBe('Ana');
  const guest = (
    <PersonLink id={null} mailbox="luna@demo.example">
      Luna
    </PersonLink>
  );
  expect(renderAdmin(guest, ['owner'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(renderAdmin(guest, ['finance'])).toBe('Luna');
  expect(renderAdmin(<PersonLink id={null}>Luna</PersonLink>, ['owner'])).toBe('Luna');
});

it('the actor of an audit log entry links to the account while it exists', () => {
  const actor = { actorId: '5f6a', actorName: 'Ana', actorRole: 'admin' as const };
  expect(renderAdmin(<Actor entry={actor} />, ['owner'])).toContain('href="/admin/people/5f6a"');
  expect(renderAdmin(<Actor entry={{ ...actor, actorName: null }} />, ['owner'])).not.toContain('href');
});

it('an item of the inbox links to the person it is about, where that detail is shown', () => {
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
    renderAdmin(<About item={item} now={Date.parse(item.since)} shows={(part) => parts.includes(part)} />, ['support']);
  expect(shown(['person'])).toContain('href="/admin/mailbox?address=luna%40demo.example"');
  expect(shown(['details'])).not.toContain('href');
});

it('a hidden text links to its moderation for admins with that right, and never to its public page', () => {
  const text = { id: '5f6a', title: 'Buy now', hidden: true, at: '2026-03-01T00:00:00.000Z' };
  const shown = (hidden: boolean, ...roles: StaffRole[]) =>
    renderAdmin(
      <Texts
        posts={{ count: 1, newest: [{ ...text, hidden }] }}
        comments={{ count: 0, newest: [] }}
        olderPosts={{ id: '1', after: null }}
        olderComments={{ id: '1', after: null }}
      />,
      roles,
    );
  expect(shown(false, 'support')).toContain('href="/forum/5f6a"');
  expect(shown(true, 'support', 'moderator')).toContain('href="/admin/forum?what=post&amp;q=5f6a"');
  expect(shown(true, 'support')).not.toContain('href');
  expect(shown(true, 'support')).toContain('Buy now');
});
