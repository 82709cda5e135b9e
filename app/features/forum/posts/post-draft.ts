import type { PostCategory } from '#contract/domains/forum.ts';
import { POST_TAGS_MAX } from '#contract/limits.ts';

/**
 * Categories in the order of contract/domains/forum.ts, which the scripts of visitors do not include; post-draft.test.ts compares
 * them.
 */
export const CATEGORIES = ['general', 'tokens', 'launches', 'help', 'ideas'] as const satisfies PostCategory[];

export const isCategory = (value: string): value is PostCategory => (CATEGORIES as readonly string[]).includes(value);

const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{1,23}$/u;

/** Tags as typed, separated by commas or spaces, with or without #; null when they are invalid. */
export function tagsOf(typed: string): string[] | null {
  const tags = typed
    .normalize()
    .toLowerCase()
    .split(/[,\s]+/)
    .map((tag) => tag.replace(/^#/, ''))
    .filter(Boolean);
  const each = [...new Set(tags)];
  return each.length <= POST_TAGS_MAX && each.every((tag) => TAG.test(tag)) ? each : null;
}

/** Images of a stored draft; an unreadable value has none. */
export function imagesOf(stored: string): { url: string; alt: string }[] {
  try {
    const list: unknown = JSON.parse(stored || '[]');
    if (!Array.isArray(list)) return [];
    return list.flatMap((image: { url?: unknown; alt?: unknown } | null) =>
      typeof image?.url === 'string' && typeof image.alt === 'string' ? [{ url: image.url, alt: image.alt }] : [],
    );
  } catch {
    return [];
  }
}
