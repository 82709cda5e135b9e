import { codeOf } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import type { client } from '#app/lib/api/rpc.ts';

type Forum = typeof client.forum;
export type PostInput = Parameters<Forum['create']>[0];
export type PublishedPost = Awaited<ReturnType<Forum['create']>>;
export type CommentInput = Parameters<Forum['comment']>[0];
export type PublishedComment = Awaited<ReturnType<Forum['comment']>>;

/** The text that was refused as a duplicate of itself; undefined for every other failure. */
function repeatedText(error: unknown): string | undefined {
  const { id } = (error as { data?: { id?: unknown } }).data ?? {};
  return codeOf(error) === 'DUPLICATE_POST' && typeof id === 'string' ? id : undefined;
}

/**
 * Publishes a text. After a lost response, the refusal of the same text shows that it was published.
 * @param find reads a published text; null, or NOT_FOUND, when it waits for a review.
 * @returns the call; it resolves to null for a text that was accepted and waits for a review.
 */
export const usePublish = <Input, Text>(
  send: (input: Input) => Promise<Text>,
  find: (id: string) => Promise<Text | null>,
): ((input: Input) => Promise<Text | null>) =>
  useRetryAfterLostAnswer<Input, Text | null>(send, (refusal) => {
    const id = repeatedText(refusal);
    if (id === undefined) return undefined;
    return find(id).catch((error) => {
      if (codeOf(error) === 'NOT_FOUND') return null;
      throw error;
    });
  });
