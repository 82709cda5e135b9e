import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { cursor, requiredText, tokenKind } from '../fields/schemas.ts';
import {
  APPEAL_MAX,
  COMMENT_MAX,
  COMMENTS_PAGE,
  EMAIL_MAX,
  IMAGE_ALT_MAX,
  NAMES_SUGGESTED,
  POST_CONTENT_MAX,
  POST_IMAGES_MAX,
  POST_TAGS_MAX,
  POST_TITLE_MAX,
  POSTS_PAGE,
  REASON_MAX,
  REMOVAL_REASON_MIN,
  REMOVAL_RULES,
  REMOVALS_SHOWN,
  SEARCH_MAX,
  TAG_MAX,
  TAGS_SUGGESTED,
  USERNAME_MAX,
} from '../limits.ts';

/** In display order: thumbs up, heart, laugh, surprised, sad, angry. */
export const emojiType = z.enum(['like', 'love', 'laugh', 'wow', 'sad', 'angry']);
export type EmojiType = z.infer<typeof emojiType>;

export const author = z.object({
  /** Null when the account was deleted. */
  username: z.string().nullable(),
  /** First 8 characters of wallet or id; never derived from an e-mail. Empty for a deleted account. */
  shortId: z.string(),
  /** True for an admin or a moderator, whose name has a mark on the page. */
  staff: z.boolean(),
});

/** Categories of posts, in the order of the form. */
export const postCategory = z.enum(['general', 'tokens', 'launches', 'help', 'ideas']);
export type PostCategory = z.infer<typeof postCategory>;

/** The token that a post is about. */
const tokenRef = z.strictObject({ kind: tokenKind, id: z.uuid() });

/** An image of a post: its URL on this site and its alternative text; '' when the author provided none. */
const postImage = z.object({
  url: z.string(),
  alt: z.string(),
  /** Pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
});

/** Current beginning of the comment that a comment replies to; null content when it was deleted. */
export const quote = z.object({ id: z.uuid(), content: z.string().nullable(), username: z.string().nullable() });

/** Null content: deleted by its author; only the placeholder remains. */
export const comment = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  content: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  author,
  /** One level only: a quoted comment does not include its own quote. */
  quote: quote.nullable(),
});
export type Comment = z.infer<typeof comment>;

export const post = z.object({
  id: z.uuid(),
  title: z.string(),
  content: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  author,
  category: postCategory,
  /** Lower case. */
  tags: z.array(z.string()),
  /** The token that the post is about; null when there is none, or it is not public. */
  about: z
    .object({
      kind: tokenKind,
      id: z.uuid(),
      tokenName: z.string(),
      tokenSymbol: z.string(),
      tokenSlug: z.string().nullable(),
    })
    .nullable(),
  images: z.array(postImage),
  /** Only kinds with at least one reaction. */
  reactions: z.array(z.object({ emojiType, count: z.int().positive() })),
  commentCount: z.int().nonnegative(),
  /** The first comments, oldest first. */
  comments: z.array(comment),
  /** Cursor of the remaining comments; null when all are included. */
  commentsCursor: cursor.nullable(),
});
export type Post = z.infer<typeof post>;

/** Reason why a text waits for a moderator: one of the member's first texts, or one with a link. */
export const reviewWhy = z.enum(['first', 'link']);
export type ReviewWhy = z.infer<typeof reviewWhy>;
/** Review status of a waiting text; sent to its author only. */
const review = z.object({ why: reviewWhy, dueAt: z.iso.datetime() });
/** Review status of a new text: while it is present, only author and staff see the text. */
const written = { review: review.optional() };

export const reportReason = z.enum(['spam', 'scam', 'abuse', 'other']);
export type ReportReason = z.infer<typeof reportReason>;

/** The rule by which a text was removed. */
export const removalRule = z.enum(REMOVAL_RULES);
export type RemovalRule = z.infer<typeof removalRule>;
/** Reason in words for the author. */
export const removalReason = requiredText(REMOVAL_REASON_MIN, REASON_MAX);
const removalOutcome = z.enum(['upheld', 'reversed', 'restored']);
const removal = z.object({
  id: z.uuid(),
  what: z.enum(['post', 'comment']),
  rule: removalRule,
  at: z.iso.datetime(),
  /** Result of an appeal: upheld or reversed; or restored without an appeal. Null: removed, or an appeal waits. */
  outcome: removalOutcome.nullable(),
  /** True when it was declined before it was published. */
  unseen: z.boolean(),
  /** True when who removed the text decided about the appeal, because nobody else on the team could. */
  decidedAlone: z.boolean(),
});
export const removalEntry = removal.extend({ by: z.enum(['moderator', 'admin']), appealed: z.boolean() });
export type RemovalEntry = z.infer<typeof removalEntry>;
export const myRemoval = removal.extend({
  /** Title of the post; for a comment, of the post it belongs to. */
  title: z.string(),
  content: z.string(),
  reason: z.string(),
  appealUntil: z.iso.datetime(),
  appeal: z.string().nullable(),
  answer: z.string().nullable(),
});
export type MyRemoval = z.infer<typeof myRemoval>;

const title = requiredText(1, POST_TITLE_MAX);
const content = requiredText(1, POST_CONTENT_MAX);
export const postInput = z.strictObject({ title, content });
/** Letters, digits and hyphens, lower case. */
export const postTag = z
  .string()
  .normalize()
  .trim()
  .toLowerCase()
  .min(2)
  .max(TAG_MAX)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u);
const newPost = postInput.extend({
  category: postCategory.default('general'),
  tags: z.array(postTag).max(POST_TAGS_MAX).default([]),
  about: tokenRef.optional(),
  /** The caller's own uploads to the bucket forum-images. */
  images: z
    .array(z.strictObject({ url: z.string().max(120), alt: z.string().trim().max(IMAGE_ALT_MAX).default('') }))
    .max(POST_IMAGES_MAX)
    .default([]),
});
const commentContent = requiredText(1, COMMENT_MAX);

/** Input for deleting one's own text, or a moderator's deletion. */
const deletion = z.strictObject({
  id: z.uuid(),
  /** Accepted and ignored: the caller is identified by the session. */
  p_wallet_address: z.string().max(EMAIL_MAX).optional(),
  /** Both are required for another member's text. */
  rule: removalRule.optional(),
  reason: removalReason.optional(),
});

const byMember = { UNAUTHORIZED: errors.UNAUTHORIZED, RATE_LIMITED: errors.RATE_LIMITED };
const ofSomething = { ...byMember, NOT_FOUND: errors.NOT_FOUND, FORBIDDEN: errors.FORBIDDEN };

export const forum = {
  posts: oc
    .route({ method: 'GET', path: '/forum/posts', tags: ['forum'], summary: 'Posts, newest first, or found by words' })
    .errors({ RATE_LIMITED: errors.RATE_LIMITED })
    .input(
      z
        .strictObject({
          /** Search words for posts and their comments, compared without accents. */
          q: z.string().trim().max(SEARCH_MAX).optional(),
          /** Id of a token; for a NEXT project, posts about the candidate that won its round are included. */
          about: z.uuid().optional(),
          tag: z.string().trim().max(TAG_MAX).optional(),
          category: postCategory.optional(),
          /** Name of an author. */
          by: z.string().trim().max(120).optional(),
          cursor: cursor.nullish(),
          limit: z.coerce.number().int().min(1).max(50).default(POSTS_PAGE),
        })
        .refine(
          ({ q, about, tag, category, by }) => [q, about, tag, category, by].filter(Boolean).length <= 1,
          'one filter at a time',
        ),
    )
    .output(z.object({ items: z.array(post), nextCursor: cursor.nullable() })),
  post: oc
    .route({ method: 'GET', path: '/forum/posts/{id}', tags: ['forum'], summary: 'One post' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(post),
  comments: oc
    .route({
      method: 'GET',
      path: '/forum/posts/{postId}/comments',
      tags: ['forum'],
      summary: 'Comments, oldest first',
    })
    .input(
      z.strictObject({
        postId: z.uuid(),
        cursor: cursor.nullish(),
        limit: z.coerce.number().int().min(1).max(100).default(COMMENTS_PAGE),
      }),
    )
    .output(z.object({ items: z.array(comment), nextCursor: cursor.nullable() })),
  /** The caller's own reactions, posts and comments among the given posts. */
  mine: oc
    .route({ method: 'GET', path: '/forum/mine', tags: ['forum'], summary: 'My part in these posts' })
    .input(z.strictObject({ postIds: z.array(z.uuid()).max(200) }))
    .output(
      z.object({
        reactions: z.array(z.object({ postId: z.uuid(), emojiType })),
        posts: z.array(z.uuid()),
        comments: z.array(z.uuid()),
      }),
    ),
  /** Tags of the newest posts, most used first. */
  tags: oc
    .route({ method: 'GET', path: '/forum/tags', tags: ['forum'], summary: 'Tags in use' })
    .output(z.object({ tags: z.array(z.string()).max(TAGS_SUGGESTED) })),
  /** Names with this prefix, of members with published posts or comments: others cannot be found by name. */
  names: oc
    .route({ method: 'GET', path: '/forum/names', tags: ['forum'], summary: 'Names for a mention' })
    .errors(byMember)
    .input(z.strictObject({ q: z.string().trim().min(1).max(USERNAME_MAX) }))
    .output(z.object({ names: z.array(z.string()).max(NAMES_SUGGESTED) })),
  /** Text before each of its edits, newest first; for moderators and admins. */
  history: oc
    .route({ method: 'GET', path: '/forum/history', tags: ['forum'], summary: 'Earlier versions of a text' })
    .errors({
      ...ofSomething,
      PASSWORD_INITIAL: errors.PASSWORD_INITIAL,
      SECOND_FACTOR_REQUIRED: errors.SECOND_FACTOR_REQUIRED,
    })
    .input(z.strictObject({ what: z.enum(['post', 'comment']), id: z.uuid() }))
    .output(
      z.object({
        versions: z.array(
          z.object({ title: z.string().nullable(), content: z.string(), replacedAt: z.iso.datetime() }),
        ),
      }),
    ),
  create: oc
    .route({ method: 'POST', path: '/forum/posts', tags: ['forum'], summary: 'Publish a post' })
    .errors({
      ...byMember,
      DUPLICATE_POST: errors.DUPLICATE_POST,
      NOT_FOUND: errors.NOT_FOUND,
      REVIEWS_FULL: errors.REVIEWS_FULL,
    })
    .input(newPost)
    .output(post.extend(written)),
  editPost: oc
    .route({ method: 'PUT', path: '/forum/posts/{id}', tags: ['forum'], summary: 'Edit my post within 15 minutes' })
    .errors({
      ...ofSomething,
      EDIT_WINDOW_CLOSED: errors.EDIT_WINDOW_CLOSED,
      EDIT_NEEDS_REVIEW: errors.EDIT_NEEDS_REVIEW,
    })
    .input(postInput.extend({ id: z.uuid() }))
    .output(post),
  /** Category and tags: the author within 15 minutes, moderators and admins for any post at any time. */
  relabel: oc
    .route({ method: 'PUT', path: '/forum/posts/{id}/labels', tags: ['forum'], summary: 'Change category and tags' })
    .errors({
      ...ofSomething,
      EDIT_WINDOW_CLOSED: errors.EDIT_WINDOW_CLOSED,
      PASSWORD_INITIAL: errors.PASSWORD_INITIAL,
      SECOND_FACTOR_REQUIRED: errors.SECOND_FACTOR_REQUIRED,
    })
    .input(z.strictObject({ id: z.uuid(), category: postCategory, tags: z.array(postTag).max(POST_TAGS_MAX) }))
    .output(post),
  /** Soft deletion: the author at any time, moderators and admins for any post. */
  deletePost: oc
    .route({ method: 'DELETE', path: '/forum/posts/{id}', tags: ['forum'], summary: 'Delete a post' })
    .errors(ofSomething)
    .input(deletion)
    .output(z.object({ id: z.uuid() })),
  comment: oc
    .route({ method: 'POST', path: '/forum/posts/{postId}/comments', tags: ['forum'], summary: 'Comment on a post' })
    .errors({
      ...byMember,
      NOT_FOUND: errors.NOT_FOUND,
      DUPLICATE_POST: errors.DUPLICATE_POST,
      REVIEWS_FULL: errors.REVIEWS_FULL,
    })
    .input(z.strictObject({ postId: z.uuid(), content: commentContent, quoted: z.uuid().optional() }))
    .output(comment.extend(written)),
  editComment: oc
    .route({
      method: 'PUT',
      path: '/forum/comments/{id}',
      tags: ['forum'],
      summary: 'Edit my comment within 15 minutes',
    })
    .errors({
      ...ofSomething,
      EDIT_WINDOW_CLOSED: errors.EDIT_WINDOW_CLOSED,
      EDIT_NEEDS_REVIEW: errors.EDIT_NEEDS_REVIEW,
    })
    .input(z.strictObject({ id: z.uuid(), content: commentContent }))
    .output(comment),
  deleteComment: oc
    .route({ method: 'DELETE', path: '/forum/comments/{id}', tags: ['forum'], summary: 'Delete a comment' })
    .errors(ofSomething)
    .input(deletion)
    .output(z.object({ id: z.uuid(), postId: z.uuid() })),
  /** Notifies the moderators; one report per member and text. */
  report: oc
    .route({ method: 'POST', path: '/forum/reports', tags: ['forum'], summary: 'Report a post or comment' })
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE })
    .input(
      z.strictObject({
        what: z.enum(['post', 'comment']),
        id: z.uuid(),
        reason: reportReason,
        note: z.string().trim().max(REASON_MAX).default(''),
      }),
    )
    .output(z.object({ ok: z.literal(true) })),
  /** Removals by the team, without names of members; newest first. */
  removalLog: oc
    .route({ method: 'GET', path: '/forum/removals', tags: ['forum'], summary: 'Removed texts, without names' })
    .input(z.strictObject({ page: z.coerce.number().int().min(1).max(10_000).default(1) }))
    .output(
      z.object({
        items: z.array(removalEntry).max(REMOVALS_SHOWN),
        more: z.boolean(),
        /** True when texts of new members currently wait for a review. */
        reviews: z.boolean(),
      }),
    ),
  /** The caller's texts that the team removed, each with a copy of it. */
  myRemovals: oc
    .route({ method: 'GET', path: '/forum/removals/mine', tags: ['forum'], summary: 'My removed texts' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(myRemoval)),
  /** Once per removal, within 14 days; decided by somebody other than who removed the text, if the team has somebody. */
  appeal: oc
    .route({ method: 'POST', path: '/forum/removals/{id}/appeal', tags: ['forum'], summary: 'Appeal a removal' })
    .errors({
      ...byMember,
      NOT_FOUND: errors.NOT_FOUND,
      ALREADY_DONE: errors.ALREADY_DONE,
      APPEAL_CLOSED: errors.APPEAL_CLOSED,
    })
    .input(z.strictObject({ id: z.uuid(), text: requiredText(REMOVAL_REASON_MIN, APPEAL_MAX) }))
    .output(z.object({ ok: z.literal(true) })),
  /** Sets the desired state instead of toggling it, so repeated calls change nothing. */
  react: oc
    .route({
      method: 'PUT',
      path: '/forum/posts/{postId}/reactions/{emojiType}',
      tags: ['forum'],
      summary: 'React or take it back',
    })
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND, FORBIDDEN: errors.FORBIDDEN })
    .input(z.strictObject({ postId: z.uuid(), emojiType, on: z.boolean() }))
    .output(z.object({ postId: z.uuid(), emojiType, count: z.int().nonnegative(), on: z.boolean() })),
};
