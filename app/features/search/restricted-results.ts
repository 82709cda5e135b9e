import type { LevelOf } from '#app/lib/session/restrictions.ts';
import type { SearchResults } from '#contract/domains/search.ts';

/** A post among the results, as its reader sees it. */
export type SeenPost = SearchResults['posts']['items'][number] & {
  /** Its author is muted: neither its title nor its text is shown. */
  collapsed: boolean;
};
export type SeenResults = Omit<SearchResults, 'posts'> & { posts: { items: SeenPost[]; more: boolean } };

/**
 * Filters the results for the reader: without posts of members they blocked, and without the text of those they muted. The results are
 * the same for everybody, so the browser does this (docs/adr/0062).
 */
export function seenResults(results: SearchResults, levelOf: LevelOf): SeenResults {
  const { posts, people } = results;
  return {
    ...results,
    posts: {
      ...posts,
      items: posts.items
        .filter(({ username }) => levelOf(username) !== 'block')
        .map((post) => ({ ...post, collapsed: levelOf(post.username) === 'mute' })),
    },
    people: { ...people, items: people.items.filter(({ username }) => levelOf(username) !== 'block') },
  };
}
