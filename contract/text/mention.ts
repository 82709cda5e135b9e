/** Names of these characters are mentioned without quotes. */
const BARE = /^[\p{L}\p{M}\p{N}_.-]+$/u;

/**
 * How a text mentions a member: `@name`, or `@"the name"` where the name has spaces or punctuation. Null for a name with quotes, which
 * no text can mention.
 */
export function mentionOf(name: string): string | null {
  if (BARE.test(name)) return `@${name}`;
  return name.includes('"') ? null : `@"${name}"`;
}
