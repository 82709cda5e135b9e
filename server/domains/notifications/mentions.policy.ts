import { MENTIONS_MAX } from '#contract/limits.ts';

/** A name after an @ that follows no letter, which excludes the domain of an e-mail. */
const MENTION = /(?<![\p{L}\p{M}\p{N}._@-])@([\p{L}\p{M}\p{N}_.-]{3,30})/gu;

/** The distinct names that a text mentions, in lower case; a name before a full stop is returned with and without it. */
export function mentionedIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(MENTION)) {
    if (names.size >= MENTIONS_MAX * 2) break;
    names.add(name.toLowerCase());
    names.add(name.toLowerCase().replace(/[.-]+$/, ''));
  }
  return [...names];
}
