import { expect, it } from 'vitest';
import type { SearchHit, SearchHitKind } from '#contract/admin/search.ts';
import type { AdminProcedure } from '#contract/domains/admin.ts';
import { contract } from '#contract/index.ts';
import type { StaffRole } from '#contract/staff.ts';
import { screenAt } from '../navigation.ts';
import { listWith, pathOf } from './paths.ts';

const hit = (kind: SearchHit['kind'], over: Partial<SearchHit> = {}): SearchHit => ({
  kind,
  id: '11111111-1111-4111-8111-111111111111',
  title: 'Luna & Sol',
  detail: '',
  ...over,
});

it('a search hit links to its own record', () => {
  expect(pathOf(hit('mailbox', { id: 'luna+1@demo.example' }))).toBe('/admin/mailbox?address=luna%2B1%40demo.example');
  expect(pathOf(hit('unplaced', { id: '5077125051' }))).toBe('/admin/token-creation?deposit=5077125051');
  expect(pathOf(hit('deliverable', { detail: 'FL-000000000A', item: 'docs' }))).toBe(
    '/admin/deliverables?state=all&q=FL-000000000A&item=docs',
  );
  expect(pathOf(hit('post', { title: '¿Y ahora qué?' }))).toBe('/admin/forum?q=11111111-1111-4111-8111-111111111111');
  expect(pathOf(hit('comment'))).toBe('/admin/forum?what=comment&q=11111111-1111-4111-8111-111111111111');
  expect(pathOf(hit('network'))).toBe('/admin/networks?q=Luna+%26+Sol');
});

it('the link to all hits of a kind leads to the screen of that kind', () => {
  const screenOf = (kind: SearchHit['kind']) => screenAt(listWith(kind, 'luna').replace(/\?.*/, ''))?.name;
  expect(screenOf('person')).toBe('users');
  expect(screenOf('mailbox')).toBe('people');
  expect(screenOf('unplaced')).toBe('tokenCreation');
  expect(screenOf('network')).toBe('networks');
  expect(listWith('comment', 'luna')).toBe('/admin/forum?what=comment&q=luna');
});

/** The procedure whose right is required to find a kind, as in server/domains/admin/people/search.service.ts. */
const FOUND_BY: Record<SearchHitKind, AdminProcedure> = {
  person: 'people.find',
  mailbox: 'mailboxes.find',
  order: 'tokenRequests.list',
  unplaced: 'unplaced.list',
  refund: 'refunds.list',
  deliverable: 'deliverables.list',
  submission: 'submissions.list',
  project: 'projects.list',
  next_project: 'nextProjects.list',
  candidate: 'candidates.list',
  network: 'networks.update',
  news: 'news.list',
  post: 'forum.list',
  comment: 'forum.list',
};

/** The staff roles that may call a procedure besides owners. */
function rolesOf(procedure: AdminProcedure): readonly StaffRole[] {
  let part: unknown = contract.admin;
  for (const name of procedure.split('.')) part = (part as Record<string, unknown>)[name];
  return (part as { '~orpc': { meta: { staff: readonly StaffRole[] } } })['~orpc'].meta.staff;
}

it.each(Object.keys(FOUND_BY) as SearchHitKind[])(
  'every staff role that finds a hit of kind %s has access to the screens of its links',
  (kind) => {
    for (const path of [pathOf(hit(kind)), listWith(kind, 'luna')]) {
      const reads: readonly AdminProcedure[] = screenAt(path.replace(/\?.*/, ''))?.reads ?? [];
      expect(reads.length, path).toBeGreaterThan(0);
      expect(reads.flatMap(rolesOf), path).toEqual(expect.arrayContaining([...rolesOf(FOUND_BY[kind])]));
    }
  },
);

it('a title longer than the limit of a search is searched by its beginning, without splitting a character', () => {
  const q = new URL(pathOf(hit('news', { title: `${'a'.repeat(99)}\u{1f680} despega` })), 'https://florka.test')
    .searchParams;
  expect(q.get('q')).toBe('a'.repeat(99));
});
