import type { RemovalRule } from '#contract/domains/forum.ts';
import { LIMITS } from '#contract/limits.ts';
import { limit, limitedByService, limitSearch, perMember } from '#server/http/api/guarantees.ts';
import { member, notReady, open } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { concurrentReadsOf, minePosts } from './forum-reads.service.ts';
import { editsOf, namesLike, recentTags } from './post-extras.service.ts';
import { setReaction } from './reactions.service.ts';
import { relabelPost } from './relabel.service.ts';
import { appeal, removalLog, removalsOf } from './removals.service.ts';
import { report } from './reports.service.ts';
import { decline, myReview, release, reviewQueue, withdraw } from './review.service.ts';
import { setTrust, trustOf, undoTrust } from './trust.service.ts';
import { createComment, createPost, deleteComment, deletePost, editComment, editPost } from './write-texts.service.ts';
import type { Writer } from './writer.ts';

const writer = (context: Context & { me: Viewer; actor: Actor }): Writer => ({
  viewer: context.me,
  actor: context.actor,
  now: context.now(),
  missingRequirement: notReady(context, context.me),
  jobs: context.jobs,
  ...(context.settings.get('forumReview') ? { reviews: { host: new URL(context.publicUrl).host } } : {}),
});

const because = ({ id, rule, reason }: { id: string; rule?: RemovalRule; reason?: string }) => ({
  id,
  ...(rule ? { rule } : {}),
  ...(reason ? { reason } : {}),
});

export const forumApi = {
  posts: open.forum.posts
    .use(
      limitSearch(({ q, cursor }: { q?: string | undefined; cursor?: unknown }) =>
        q ? (cursor ? 'more' : 'first') : null,
      ),
    )
    .handler(async ({ input, context }) => {
      return concurrentReadsOf(context.db).posts(input);
    }),
  post: open.forum.post.handler(({ input, context }) => concurrentReadsOf(context.db).post(input.id)),
  comments: open.forum.comments.handler(({ input, context }) => concurrentReadsOf(context.db).comments(input)),
  mine: open.forum.mine.handler(async ({ input, context }) => {
    const viewer = await context.viewer();
    return viewer ? minePosts(context.db, viewer.id, input.postIds) : { reactions: [], posts: [], comments: [] };
  }),
  tags: open.forum.tags.handler(({ context }) => recentTags(context.db)),
  names: member.forum.names
    .use(limit(perMember('names', LIMITS.namesMinute)))
    .handler(({ input, context }) => namesLike(context.db, context.me.id, input.q)),
  history: member.forum.history.handler(({ input, context }) => editsOf(context.db, writer(context), input)),
  create: member.forum.create
    .use(limitedByService({ pause: LIMITS.postPause, pauseNew: LIMITS.postPauseNew, day: LIMITS.postDay }))
    .handler(({ input, context }) => createPost(context.db, writer(context), input, context.limits)),
  editPost: member.forum.editPost.handler(({ input, context }) => editPost(context.db, writer(context), input)),
  relabel: member.forum.relabel.handler(({ input, context }) => relabelPost(context.db, writer(context), input)),
  deletePost: member.forum.deletePost
    .use(limit(perMember('forum-delete', LIMITS.forumDeleteMinute)))
    .handler(async ({ input, context }) => {
      await deletePost(context.db, writer(context), because(input));
      return { id: input.id };
    }),
  comment: member.forum.comment
    .use(limitedByService({ pause: LIMITS.commentPause, pauseNew: LIMITS.commentPauseNew }))
    .handler(({ input, context }) => createComment(context.db, writer(context), input, context.limits)),
  editComment: member.forum.editComment.handler(({ input, context }) =>
    editComment(context.db, writer(context), input),
  ),
  deleteComment: member.forum.deleteComment
    .use(limit(perMember('forum-delete', LIMITS.forumDeleteMinute)))
    .handler(async ({ input, context }) => ({
      id: input.id,
      postId: await deleteComment(context.db, writer(context), because(input)),
    })),
  report: member.forum.report
    .use(limit(perMember('report', LIMITS.reportAccountHour)))
    .handler(async ({ input, context }) => {
      await report(context.db, writer(context), input);
      return { ok: true as const };
    }),
  removalLog: open.forum.removalLog.handler(async ({ input, context }) => ({
    ...(await removalLog(context.db, input.page)),
    reviews: context.settings.get('forumReview'),
  })),
  myRemovals: member.forum.myRemovals.handler(({ context }) => removalsOf(context.db, context.me.id)),
  appeal: member.forum.appeal
    .use(limit(perMember('appeal', LIMITS.reportAccountHour)))
    .handler(async ({ input, context }) => {
      await appeal(context.db, writer(context), input);
      return { ok: true as const };
    }),
  react: member.forum.react
    .use(limit(perMember('reaction', LIMITS.reactionMinute)))
    .handler(async ({ input, context }) => ({
      postId: input.postId,
      emojiType: input.emojiType,
      on: input.on,
      count: await setReaction(context.db, context.me, input, context.now()),
    })),
  myReview: member.forum.myReview.handler(({ context }) => myReview(context.db, context.me.id)),
  withdraw: member.forum.withdraw
    .use(limit(perMember('forum-delete', LIMITS.forumDeleteMinute)))
    .handler(async ({ input, context }) => {
      await withdraw(context.db, writer(context), input.id);
      return { ok: true as const };
    }),
  reviewQueue: member.forum.reviewQueue.handler(({ context }) => reviewQueue(context.db, writer(context))),
  release: member.forum.release.handler(async ({ input, context }) => {
    await release(context.db, writer(context), input.id);
    return { ok: true as const };
  }),
  decline: member.forum.decline.handler(async ({ input, context }) => {
    await decline(context.db, writer(context), input);
    return { ok: true as const };
  }),
  trust: member.forum.trust.handler(({ input, context }) => trustOf(context.db, writer(context), input)),
  setTrust: member.forum.setTrust.handler(({ input, context }) => setTrust(context.db, writer(context), input)),
  undoTrust: member.forum.undoTrust.handler(({ input, context }) => undoTrust(context.db, writer(context), input)),
};
