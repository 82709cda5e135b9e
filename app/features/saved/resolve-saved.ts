import { client } from '#app/lib/api/rpc.ts';
import type { SavedRef } from '#contract/domains/saved.ts';
import { SAVED_MAX } from '#contract/limits.ts';

/**
 * The tokens behind references, in portions that the server accepts: a browser's list has no limit. A project is there once, also when its
 * candidate was in another portion.
 */
export async function resolveSaved(refs: readonly SavedRef[], signal: AbortSignal) {
  const portions = Array.from({ length: Math.ceil(refs.length / SAVED_MAX) }, (_, i) =>
    refs.slice(i * SAVED_MAX, (i + 1) * SAVED_MAX),
  );
  const answers = await Promise.all(portions.map((some) => client.saved.resolve({ refs: some }, { signal })));
  const tokens = new Map<string, (typeof answers)[number][number]>();
  for (const token of answers.flat()) {
    const key = `${token.kind}:${token.id}`;
    if (!tokens.has(key) || token.candidateId) tokens.set(key, token);
  }
  return [...tokens.values()];
}
