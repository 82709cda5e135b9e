import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { afterReads, type Feed, removePost } from './forum.queries.ts';

const KEY = [...rpc.forum.posts.key(), { only: 'a' }];
const feed = (...ids: string[]) => ({ items: ids.map((id) => ({ id })), nextCursor: null }) as unknown as Feed;

/** A list of posts with a refetch in flight, and the functions that end that refetch. */
function reading(...ids: string[]) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(KEY, feed(...ids));
  const { promise, resolve, reject } = Promise.withResolvers<Feed>();
  const read = queries.fetchQuery({ queryKey: KEY, queryFn: () => promise }).catch(() => {});
  const shown = () => queries.getQueryData<Feed>(KEY)?.items.map(({ id }) => id);
  return { queries, shown, resolve, reject, read };
}

it('a removed post does not reappear with an answer that was in flight', async () => {
  const { queries, shown, resolve, read } = reading('a', 'b');
  removePost(queries, 'a');
  expect(shown()).toEqual(['b']);
  resolve(feed('a', 'b', 'c'));
  await read;
  await expect.poll(shown).toEqual(['b', 'c']);
});

it('the callback of a changed post runs after each read in flight that succeeds, and not after a failed one', async () => {
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
