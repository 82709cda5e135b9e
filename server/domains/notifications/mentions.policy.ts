import { MENTIONS_MAX } from '#contract/limits.ts';

/**
 * A name after an @ that follows no letter, which excludes the domain of an e-mail. In quotes it has any characters, as `mentionOf`
 * writes it.
 */
const MENTION = /(?<![\p{L}\p{M}\p{N}._@-])@(?:"([^"\n]{3,30})"|([\p{L}\p{M}\p{N}_.-]{3,30}))/gu;

/**
 * The first `MENTIONS_MAX` names that a text mentions, in lower case, each once. A name before a full stop is returned with and
 * without it, because names can contain one; one in quotes is returned as it is.
 *
 * @param earlier versions of the text, oldest first: their names are excluded, and count among the `MENTIONS_MAX`.
 */
export function mentionedIn(text: string, earlier: readonly string[] = []): string[] {
  const names = new Map<string, Set<string>>();
  for (const version of earlier) addNames(names, version);
  const known = new Set(names.keys());
  addNames(names, text);
  return [...new Set([...names].flatMap(([bare, forms]) => (known.has(bare) ? [] : [...forms])))];
}

function addNames(names: Map<string, Set<string>>, text: string): void {
  for (const [, quoted, typed = ''] of text.matchAll(MENTION)) {
    const written = (quoted ?? typed).toLowerCase();
    const bare = quoted === undefined ? written.replace(/[.-]+$/, '') : written;
    const forms = names.get(bare);
    if (forms) forms.add(written);
    else if (names.size < MENTIONS_MAX) names.set(bare, new Set([written, bare]));
  }
}
