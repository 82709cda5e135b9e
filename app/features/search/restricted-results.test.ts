import { expect, it } from 'vitest';
import type { SearchResults } from '#contract/domains/search.ts';
import { seenResults } from './restricted-results.ts';
import { isEmpty } from './SearchResults.tsx';

const none = { items: [], more: false };
const post = (username: string | null) => ({
  id: `${username}`,
  title: 'Title',
  excerpt: 'Words',
  username,
  createdAt: '2026-01-01T00:00:00.000Z',
  commentCount: 0,
});
const person = (username: string, postBy: string | null = username) => ({
  username,
  shortId: '1',
  postId: 'p',
  postTitle: 'Title',
  postBy,
});
const found: SearchResults = {
  tokens: none,
  candidates: none,
  launches: none,
  news: none,
  posts: { items: ['ana', 'muted', 'blocked', null].map(post), more: true },
  people: {
    items: [...['ana', 'muted', 'blocked'].map((name) => person(name)), person('eva', 'blocked'), person('eva', null)],
    more: false,
  },
};
const levelOf = (username: string | null) =>
  username === 'muted' ? ('mute' as const) : username === 'blocked' ? ('block' as const) : undefined;

it('search results omit blocked members and their posts, and collapse posts of muted members', () => {
  const seen = seenResults(found, levelOf);
  expect(seen.posts.items.map(({ username, collapsed }) => [username, collapsed])).toEqual([
    ['ana', false],
    ['muted', true],
    [null, false],
  ]);
  expect(seen.posts.more).toBe(true);
  expect([seen.posts.hidden, seen.people.hidden]).toEqual([1, 1]);
  expect(seen.people.items.map(({ username, postTitle }) => [username, postTitle])).toEqual([
    ['ana', 'Title'],
    ['muted', null],
    ['eva', null],
    ['eva', 'Title'],
  ]);
});

it('search results are unchanged for a member without restrictions', () => {
  const seen = seenResults(found, () => undefined);
  expect(seen.posts.items.map(({ collapsed, ...rest }) => rest)).toEqual(found.posts.items);
  expect(seen.people).toEqual({ ...found.people, hidden: 0 });
});

it('search results that are all by blocked members do not count as empty', () => {
  const only = { items: [post('blocked')], more: true };
  const seen = seenResults({ ...found, posts: only, people: none }, levelOf);
  expect(seen.posts).toEqual({ items: [], more: true, hidden: 1 });
  expect(isEmpty(seen)).toBe(false);
  expect(isEmpty(seenResults({ ...found, posts: { ...only, more: false }, people: none }, levelOf))).toBe(false);
  expect(isEmpty(seenResults({ ...found, posts: none, people: none }, levelOf))).toBe(true);
});
