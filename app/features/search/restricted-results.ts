import type { LevelOf } from '#app/lib/session/restrictions.ts';
import type { SearchResults } from '#contract/domains/search.ts';

/** A post among the results, as its reader sees it. */
export type SeenPost = SearchResults['posts']['items'][number] & {
  /** Its author is muted: neither its title nor its text is shown. */
  collapsed: boolean;
};
/** A person among the results; without the title of a post whose author the reader restricts. */
export type SeenPerson = Omit<SearchResults['people']['items'][number], 'postTitle'> & { postTitle: string | null };
export type SeenResults = Omit<SearchResults, 'posts' | 'people'> & {
  posts: SeenGroup<SeenPost>;
  people: SeenGroup<SeenPerson>;
};
interface SeenGroup<Item> {
  items: Item[];
  more: boolean;
  /** Number of results that are omitted because their author is blocked. */
  hidden: number;
}

/**
 * Filters the results for the reader: without posts of members they blocked, without the text of posts of members they muted, and without
 * the titles of both below a person's name. The server's results are the same for everybody, so the browser does this (docs/adr/0062).
 */
export function seenResults(results: SearchResults, levelOf: LevelOf): SeenResults {
  const { posts, people } = results;
  const isSeen = ({ username }: { username: string | null }) => levelOf(username) !== 'block';
  const hidden = (items: readonly { username: string | null }[]) => items.filter((one) => !isSeen(one)).length;
  return {
    ...results,
    posts: {
      ...posts,
      hidden: hidden(posts.items),
      items: posts.items.filter(isSeen).map((post) => ({ ...post, collapsed: levelOf(post.username) === 'mute' })),
    },
    people: {
      ...people,
      hidden: hidden(people.items),
      items: people.items
        .filter(isSeen)
        .map((person) => ({ ...person, postTitle: levelOf(person.postBy) ? null : person.postTitle })),
    },
  };
}
