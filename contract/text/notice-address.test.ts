import { expect, it } from 'vitest';
import { noticeOf, withNotice } from './notice-address.ts';

const ID = '0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11';

it.each([
  ['/next', `/next?notice=${ID}`],
  ['/next?tab=new', `/next?tab=new&notice=${ID}`],
  ['/forum/a#comment-b', `/forum/a?notice=${ID}#comment-b`],
  ['/submission/a#key', `/submission/a?notice=${ID}#key`],
])('%s becomes %s with the id of a notification, and is restored from it', (path, marked) => {
  expect(withNotice(path, ID)).toBe(marked);
  const { pathname, search, hash } = new URL(marked, 'http://florka.test');
  const found = noticeOf(search);
  expect(found?.id).toBe(ID);
  expect(pathname + found?.search + hash).toBe(path);
});

it.each(['', '?tab=new', '?notice=', '?notice=1', `?notice=${ID}x`])('“%s” has no id of a notification', (search) => {
  expect(noticeOf(search)).toBeNull();
});
