import { expect, it } from 'vitest';
import type { Notification } from '#contract/domains/notifications.ts';
import { messageOf } from './message.ts';

const COMMENT = '0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11';
const about = (path: string): Notification => ({
  id: COMMENT,
  kind: 'replies',
  detail: 'comment',
  actor: 'Ana',
  title: 'Nota',
  count: 1,
  path,
  at: '2026-01-01T00:00:00.000Z',
  read: false,
});
const addressOf = (path: string) => messageOf(about(path), 'es', 'http://florka.test', false).split('\n').at(-1);

it.each([
  [`/forum/a#comment-${COMMENT}`, `/forum/a?notice=${COMMENT}#comment-${COMMENT}`],
  ['/forum/a#key', `/forum/a?notice=${COMMENT}`],
  [`/forum/a?key=1#comment-${COMMENT}`, `/forum/a?notice=${COMMENT}#comment-${COMMENT}`],
  [`/forum/a#comment-${COMMENT}&key=1`, `/forum/a?notice=${COMMENT}`],
  ['/vote/race?round=7', `/vote/race?round=7&amp;notice=${COMMENT}`],
  ['/vote/race?round=7&key=1', `/vote/race?notice=${COMMENT}`],
])('%s is linked as %s: only the fragment of a comment and the query of a round cannot be keys', (path, linked) => {
  expect(addressOf(path)).toBe(`http://florka.test${linked}`);
});
