import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { EmojiType, Post } from '#contract/domains/forum.ts';
import { heldPost, patchMine, patchPost, refetchSessionIfRefused, rereadPost } from './forum.queries.ts';
import { MutationQueue } from './mutation-queue.ts';

/** In the order of the contract. */
const ORDER: readonly EmojiType[] = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'];

type Change = (count: number) => number;

function withCount(post: Post, emojiType: EmojiType, change: Change): Post {
  const counts = new Map(post.reactions.map((reaction) => [reaction.emojiType, reaction.count]));
  counts.set(emojiType, change(counts.get(emojiType) ?? 0));
  const reactions = ORDER.map((type) => ({ emojiType: type, count: counts.get(type) ?? 0 }));
  return { ...post, reactions: reactions.filter(({ count }) => count > 0) };
}

const keyOf = (postId: string, emojiType: EmojiType) => `${postId} ${emojiType}`;
const partsOf = (key: string) => key.split(' ') as [postId: string, emojiType: EmojiType];

function show(queries: QueryClient, key: string, on: boolean, change: Change): void {
  const [postId, emojiType] = partsOf(key);
  patchPost(queries, postId, (post) => withCount(post, emojiType, change));
  patchMine(queries, (mine) => {
    const others = mine.reactions.filter((own) => own.postId !== postId || own.emojiType !== emojiType);
    return { ...mine, reactions: on ? [...others, { postId, emojiType }] : others };
  });
}

/** Optimistic reactions; however fast the user clicks, the last choice is stored. */
export function useReactions() {
  const queries = useQueryClient();
  const text = useText(forumTexts);
  const [queue] = useState(
    () =>
      new MutationQueue({
        send: async (key, mutation, newest) => {
          const [postId, emojiType] = partsOf(key);
          const { count } = await retryAfterLostAnswer(() => rpc.forum.react.call({ postId, emojiType, on: mutation }));
          const ahead = newest() === mutation ? 0 : newest() ? 1 : -1;
          show(queries, key, newest(), () => count + ahead);
          // A request for the user's reactions that started before this change may return the old state.
          if (queries.isFetching({ queryKey: rpc.forum.mine.key() }))
            void queries.invalidateQueries({ queryKey: rpc.forum.mine.key() });
        },
        failed: (key, { shown, settled }, error) => {
          const [postId] = partsOf(key);
          if (shown !== settled) show(queries, key, settled, (count) => Math.max(0, count + (settled ? 1 : -1)));
          notify.error(text.forum.reactionFailed);
          refetchSessionIfRefused(queries, error);
          void rereadPost(postId, heldPost(queries, postId))
            .then((fresh) => patchPost(queries, postId, () => fresh))
            .catch(() => {});
          void queries.invalidateQueries({ queryKey: rpc.forum.mine.key() });
        },
      }),
  );
  return {
    isBusy: (postId: string) => queue.isBusy(postId),
    /** @param on whether the reaction is shown now. */
    toggle(postId: string, emojiType: EmojiType, on: boolean) {
      const key = keyOf(postId, emojiType);
      const mutation = !(queue.mutationOf(key) ?? on);
      show(queries, key, mutation, (count) => Math.max(0, count + (mutation ? 1 : -1)));
      queue.enqueue(key, mutation);
    },
  };
}
