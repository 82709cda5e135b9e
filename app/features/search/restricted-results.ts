import type { LevelOf } from '#app/lib/session/restrictions.ts';
import type { SearchResults } from '#contract/domains/search.ts';

/** A post that was found, as its reader sees it. */
export type SeenPost = SearchResults['posts']['items'][number] & {
  /** Its author is muted: neither its title nor its words are shown. */
  collapsed: boolean;
};
export type SeenResults = Omit<SearchResults, 'posts'> & { posts: { items: SeenPost[]; more: boolean } };

/**
 * What was found, without what the reader does not want to see: nothing of people whom they blocked, and of those whom they muted
 * no words. What is found is the same for everybody, so this is the browser's to do (docs/adr/0062).
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
