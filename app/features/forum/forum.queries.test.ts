import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { afterReads, type Feed, removePost } from './forum.queries.ts';

const KEY = [...rpc.forum.posts.key(), { only: 'a' }];
const feed = (...ids: string[]) => ({ items: ids.map((id) => ({ id })), nextCursor: null }) as unknown as Feed;

/** A list of posts that is being read again, and what answers that read. */
function reading(...ids: string[]) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(KEY, feed(...ids));
  const { promise, resolve, reject } = Promise.withResolvers<Feed>();
  const read = queries.fetchQuery({ queryKey: KEY, queryFn: () => promise }).catch(() => {});
  const shown = () => queries.getQueryData<Feed>(KEY)?.items.map(({ id }) => id);
  return { queries, shown, resolve, reject, read };
}

it('a removed post does not come back with an answer that was on its way', async () => {
  const { queries, shown, resolve, read } = reading('a', 'b');
  removePost(queries, 'a');
  expect(shown()).toEqual(['b']);
  resolve(feed('a', 'b', 'c'));
  await read;
  await expect.poll(shown).toEqual(['b', 'c']);
});

it('a post that changed is read again after every answer that was on its way, and not after a failure', async () => {
  const answered = reading('a');
  const failed = reading('a');
  let answers = 0;
  for (const { queries } of [answered, failed]) afterReads(queries, () => answers++);
  failed.reject(new Error('away'));
  await failed.read;
  expect(answers).toBe(0);
  answered.resolve(feed('a'));
  await answered.read;
  await expect.poll(() => answers).toBe(1);
  afterReads(answered.queries, () => answers++);
  expect(answers).toBe(1);
});
