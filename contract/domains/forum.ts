import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { cursor, tokenKind } from '../fields/schemas.ts';
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
  REMOVAL_REASON_MIN,
  REMOVAL_RULES,
  REMOVALS_SHOWN,
  REPORT_NOTE_MAX,
  SEARCH_MAX,
  TAG_MAX,
  TAGS_SUGGESTED,
  USERNAME_MAX,
} from '../limits.ts';

/** In the order they are shown: thumbs up, heart, laugh, surprised, sad, angry. */
export const emojiType = z.enum(['like', 'love', 'laugh', 'wow', 'sad', 'angry']);
export type EmojiType = z.infer<typeof emojiType>;

export const author = z.object({
  /** Null: the account was deleted. */
  username: z.string().nullable(),
  /** First 8 characters of wallet or id; never taken from an e-mail. Empty for a deleted account. */
  shortId: z.string(),
  /** An admin or a moderator: the page draws a mark beside the name. */
  staff: z.boolean(),
});

/** What a post is about, in the order in which it is offered. */
export const postCategory = z.enum(['general', 'tokens', 'launches', 'help', 'ideas']);
export type PostCategory = z.infer<typeof postCategory>;

/** A token that a post talks about. */
const tokenRef = z.strictObject({ kind: tokenKind, id: z.uuid() });

/** An image of a post: its address on this site, and what it shows in words; '' where its author said nothing. */
const postImage = z.object({
  url: z.string(),
  alt: z.string(),
  /** Pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
});

/** The beginning of the comment that a comment answers, as it reads now; null: it is gone. */
export const quote = z.object({ id: z.uuid(), content: z.string().nullable(), username: z.string().nullable() });

/** Null content: deleted by its author, only the place remains. */
export const comment = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  content: z.string().nullable(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  author,
  /** One level: what a quoted comment quotes itself is not told. */
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
  /** In lower case. */
  tags: z.array(z.string()),
  /** The token that it talks about; null when there is none, or the public does not see it. */
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
  /** Only kinds with at least one. */
  reactions: z.array(z.object({ emojiType, count: z.int().positive() })),
  commentCount: z.int().nonnegative(),
  /** The first ones, oldest first. */
  comments: z.array(comment),
  /** Where the other comments continue; null when all are here. */
  commentsCursor: cursor.nullable(),
});
export type Post = z.infer<typeof post>;

/** Why a text waits until a moderator has read it: one of the member's first, or one with a link. */
export const reviewWhy = z.enum(['first', 'link']);
export type ReviewWhy = z.infer<typeof reviewWhy>;
/** Said of a text that waits, to its author alone. */
const review = z.object({ why: reviewWhy, dueAt: z.iso.datetime() });
/** What was written, and whether it waits for a review: then nobody else sees it yet. */
const written = { review: review.optional() };

export const reportReason = z.enum(['spam', 'scam', 'abuse', 'other']);
export type ReportReason = z.infer<typeof reportReason>;

/** By which rule a text was removed. */
export const removalRule = z.enum(REMOVAL_RULES);
export type RemovalRule = z.infer<typeof removalRule>;
/** Why, in words for the author. */
export const removalReason = z.string().trim().min(REMOVAL_REASON_MIN).max(REPORT_NOTE_MAX);
const removalOutcome = z.enum(['upheld', 'reversed', 'restored']);
const removal = z.object({
  id: z.uuid(),
  what: z.enum(['post', 'comment']),
  rule: removalRule,
  at: z.iso.datetime(),
  /** Of an appeal: upheld or reversed; restored without one. Null: removed, or an appeal waits. */
  outcome: removalOutcome.nullable(),
  /** It was declined before it was shown. */
  unseen: z.boolean(),
});
export const removalEntry = removal.extend({ by: z.enum(['moderator', 'admin']), appealed: z.boolean() });
export type RemovalEntry = z.infer<typeof removalEntry>;
export const myRemoval = removal.extend({
  /** Of the post, also for its comments. */
  title: z.string(),
  content: z.string(),
  reason: z.string(),
  appealUntil: z.iso.datetime(),
  appeal: z.string().nullable(),
  answer: z.string().nullable(),
});
export type MyRemoval = z.infer<typeof myRemoval>;

const title = z.string().trim().min(1).max(POST_TITLE_MAX);
const content = z.string().trim().min(1).max(POST_CONTENT_MAX);
export const postInput = z.strictObject({ title, content });
/** Letters, numbers and hyphens, in lower case. */
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
  /** Own uploads to the bucket forum-images. */
  images: z
    .array(z.strictObject({ url: z.string().max(120), alt: z.string().trim().max(IMAGE_ALT_MAX).default('') }))
    .max(POST_IMAGES_MAX)
    .default([]),
});
const commentContent = z.string().trim().min(1).max(COMMENT_MAX);

/** What one's own words, or a moderator's reach, are deleted by. */
const deletion = z.strictObject({
  id: z.uuid(),
  /** Taken and not looked at: the session says who deletes. */
  p_wallet_address: z.string().max(EMAIL_MAX).optional(),
  /** Both, where it is somebody else's text. */
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
          /** Words to find in posts and their comments, without regard to accents. */
          q: z.string().trim().max(SEARCH_MAX).optional(),
          /** Id of a token; of a NEXT project also what was said of the candidate that won its round. */
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
  /** What among these posts is the member's own: reactions given, posts and comments written. */
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
  /** Tags of the newest posts, the most used first. */
  tags: oc
    .route({ method: 'GET', path: '/forum/tags', tags: ['forum'], summary: 'Tags in use' })
    .output(z.object({ tags: z.array(z.string()).max(TAGS_SUGGESTED) })),
  /** Names that begin like this, of people whose posts or comments are shown: only they can be found by name. */
  names: oc
    .route({ method: 'GET', path: '/forum/names', tags: ['forum'], summary: 'Names for a mention' })
    .errors(byMember)
    .input(z.strictObject({ q: z.string().trim().min(1).max(USERNAME_MAX) }))
    .output(z.object({ names: z.array(z.string()).max(NAMES_SUGGESTED) })),
  /** What a text said before each of its edits, newest first; for moderators and admins. */
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
  /** Category and tags: its author within 15 minutes, moderators and admins any post at any time. */
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
  /** Soft: its author at any time, moderators and admins any post. */
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
  /** Tells the moderators; one report of each member and text. */
  report: oc
    .route({ method: 'POST', path: '/forum/reports', tags: ['forum'], summary: 'Report a post or comment' })
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE })
    .input(
      z.strictObject({
        what: z.enum(['post', 'comment']),
        id: z.uuid(),
        reason: reportReason,
        note: z.string().trim().max(REPORT_NOTE_MAX).default(''),
      }),
    )
    .output(z.object({ ok: z.literal(true) })),
  /** What the team removed, without names of members; newest first. */
  removalLog: oc
    .route({ method: 'GET', path: '/forum/removals', tags: ['forum'], summary: 'Removed texts, without names' })
    .input(z.strictObject({ page: z.coerce.number().int().min(1).max(10_000).default(1) }))
    .output(
      z.object({
        items: z.array(removalEntry).max(REMOVALS_SHOWN),
        more: z.boolean(),
        /** Texts of new members wait for a review at present. */
        reviews: z.boolean(),
      }),
    ),
  /** My texts that the team removed, each with a copy of it. */
  myRemovals: oc
    .route({ method: 'GET', path: '/forum/removals/mine', tags: ['forum'], summary: 'My removed texts' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(myRemoval)),
  /** Once for each removal, within 14 days; somebody else than who removed it decides. */
  appeal: oc
    .route({ method: 'POST', path: '/forum/removals/{id}/appeal', tags: ['forum'], summary: 'Appeal a removal' })
    .errors({
      ...byMember,
      NOT_FOUND: errors.NOT_FOUND,
      ALREADY_DONE: errors.ALREADY_DONE,
      APPEAL_CLOSED: errors.APPEAL_CLOSED,
    })
    .input(z.strictObject({ id: z.uuid(), text: z.string().trim().min(REMOVAL_REASON_MIN).max(APPEAL_MAX) }))
    .output(z.object({ ok: z.literal(true) })),
  /** Says what is wished, not "the other way round": asking twice changes nothing. */
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
