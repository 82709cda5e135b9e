import type { Tx } from '#server/db/client.ts';
import { forumComments, forumPosts, postReactions } from '#server/db/tables/forum.ts';
import { countComments, countReactions, trustMembers } from './demo.sql.ts';
import { ARCHIVED_POSTS } from './forum-archive.ts';
import { type DemoPost, RECENT_POSTS } from './forum-posts.ts';
import { MEMBER_NAMES, memberId } from './members.ts';
import { idOf, pick, randomOf } from './random.ts';
import { hoursFrom } from './text.ts';

/** Repeated by weight: most reactions are friendly. */
const REACTIONS = ['like', 'like', 'like', 'like', 'love', 'love', 'love', 'laugh', 'laugh', 'wow', 'sad'] as const;

const POSTS = [...RECENT_POSTS, ...ARCHIVED_POSTS];
const postId = (post: DemoPost) => idOf(`post ${post.title}`);

export async function seedForum(tx: Tx, now: Date): Promise<void> {
  // Demo members are long-standing ones.
  await trustMembers(tx, {});
  await tx.insert(forumPosts).values(
    POSTS.map((post) => ({
      id: postId(post),
      title: post.title,
      content: post.content,
      forumUserId: memberId(post.author),
      createdAt: hoursFrom(now, -post.hoursAgo),
    })),
  );
  await tx.insert(forumComments).values(POSTS.flatMap((post) => commentsOf(post, now)));
  await tx.insert(postReactions).values(POSTS.flatMap((post) => reactionsTo(post, now)));
  await countComments(tx, {});
  await countReactions(tx, {});
}

/** The comments are written in the first two thirds of the post's age, in this order. */
function commentsOf(post: DemoPost, now: Date) {
  const step = (Math.min(post.hoursAgo, 30) * 0.66) / post.comments.length;
  const next = randomOf(`comments ${post.title}`);
  return post.comments.map(([author, content], index) => ({
    id: idOf(`comment ${post.title} ${index}`),
    postId: postId(post),
    userId: memberId(author),
    content,
    createdAt: hoursFrom(now, -post.hoursAgo + step * (index + 0.2 + next() * 0.7)),
  }));
}

function reactionsTo(post: DemoPost, now: Date) {
  const next = randomOf(`reactions ${post.title}`);
  return MEMBER_NAMES.filter(() => next() < post.warmth).map((name) => ({
    postId: postId(post),
    userId: memberId(name),
    emojiType: pick(next, REACTIONS),
    createdAt: hoursFrom(now, -post.hoursAgo * (0.05 + next() * 0.9)),
  }));
}
