import type { Context } from '#server/http/context.ts';
import { lacksSecondFactor, member, open } from '#server/http/procedures.ts';
import type { Actor } from '#server/lib/audit.ts';
import { takeSearch } from '#server/lib/search-limits.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { minePosts, readsForAll } from './forum-reads.service.ts';
import {
  createComment,
  createPost,
  deleteComment,
  deletePost,
  editComment,
  editPost,
  type Writer,
} from './posts.service.ts';
import { setReaction } from './reactions.service.ts';
import { report } from './reports.service.ts';

const writer = (context: Context & { me: Viewer; actor: Actor }): Writer => ({
  viewer: context.me,
  actor: context.actor,
  now: context.now(),
  withoutPowers: lacksSecondFactor(context, context.me),
});

export const forumApi = {
  posts: open.forum.posts.handler(async ({ input, context }) => {
    if (input.q) await takeSearch(context, input.cursor ? 'more' : 'first');
    return readsForAll(context.db).posts(input);
  }),
  post: open.forum.post.handler(({ input, context }) => readsForAll(context.db).post(input.id)),
  comments: open.forum.comments.handler(({ input, context }) => readsForAll(context.db).comments(input)),
  mine: open.forum.mine.handler(async ({ input, context }) => {
    const viewer = await context.viewer();
    return viewer ? minePosts(context.db, viewer.id, input.postIds) : { reactions: [], posts: [], comments: [] };
  }),
  create: member.forum.create.handler(({ input, context }) => createPost(context.db, writer(context), input)),
  editPost: member.forum.editPost.handler(({ input, context }) => editPost(context.db, writer(context), input)),
  deletePost: member.forum.deletePost.handler(async ({ input, context }) => {
    await deletePost(context.db, writer(context), input.id);
    return { id: input.id };
  }),
  comment: member.forum.comment.handler(({ input, context }) => createComment(context.db, writer(context), input)),
  editComment: member.forum.editComment.handler(({ input, context }) =>
    editComment(context.db, writer(context), input),
  ),
  deleteComment: member.forum.deleteComment.handler(async ({ input, context }) => ({
    id: input.id,
    postId: await deleteComment(context.db, writer(context), input.id),
  })),
  report: member.forum.report.handler(async ({ input, context }) => {
    await report(context.db, writer(context), input);
    return { ok: true as const };
  }),
  react: member.forum.react.handler(async ({ input, context }) => ({
    postId: input.postId,
    emojiType: input.emojiType,
    on: input.on,
    count: await setReaction(context.db, context.me, input, context.now()),
  })),
};
