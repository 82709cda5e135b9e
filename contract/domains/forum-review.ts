import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { USERNAME_MAX } from '../limits.ts';
import { REVIEWS_SHOWN, TRUST_CHANGES_SHOWN } from '../trust.ts';
import { removalReason, removalRule, reviewWhy } from './forum.ts';

/** Level of trust: 0 new, 1 known, 2 regular. */
export const trustLevel = z.union([z.literal(0), z.literal(1), z.literal(2)]);
export type TrustLevel = z.infer<typeof trustLevel>;

/** A text that is visible to its author and staff only, until a moderator releases it. */
const waitingText = z.object({
  id: z.uuid(),
  what: z.enum(['post', 'comment']),
  why: reviewWhy,
  /** Title of the post; for a comment, of the post it belongs to. */
  title: z.string(),
  content: z.string(),
  images: z.array(z.object({ url: z.string(), alt: z.string() })),
  since: z.iso.datetime(),
  /** Promised time of the review. */
  dueAt: z.iso.datetime(),
});
export type WaitingText = z.infer<typeof waitingText>;
const textOfMember = waitingText.extend({
  /** Id of the post, or of the post that the comment belongs to. */
  postId: z.uuid(),
  username: z.string(),
  level: trustLevel,
});
export type TextOfMember = z.infer<typeof textOfMember>;

const trustChange = z.object({
  id: z.uuid(),
  cause: z.enum(['rule', 'staff', 'undo']),
  from: trustLevel,
  to: trustLevel,
  /** Set by staff: the automatic rules no longer change it. */
  held: z.boolean(),
  /** Counts behind the rule's decision: age of the account in days, shown texts, removals in force. Null when staff set the level. */
  counted: z.object({ days: z.int(), texts: z.int(), removals: z.int() }).nullable(),
  reason: z.string().nullable(),
  by: z.string().nullable(),
  at: z.iso.datetime(),
});
export type TrustChange = z.infer<typeof trustChange>;
const trust = z.object({
  userId: z.uuid(),
  username: z.string(),
  level: trustLevel,
  held: z.boolean(),
  /** Newest first. Only the newest one can be undone. */
  changes: z.array(trustChange).max(TRUST_CHANGES_SHOWN),
});
export type Trust = z.infer<typeof trust>;

const byMember = { UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND };
const byStaff = {
  ...byMember,
  FORBIDDEN: errors.FORBIDDEN,
  PASSWORD_INITIAL: errors.PASSWORD_INITIAL,
  SECOND_FACTOR_REQUIRED: errors.SECOND_FACTOR_REQUIRED,
  ALREADY_DONE: errors.ALREADY_DONE,
};
/** Only owners act on the account of a colleague. */
const byStaffOnMember = { ...byStaff, STAFF_ROLE_NEEDED: errors.STAFF_ROLE_NEEDED };
const ok = z.object({ ok: z.literal(true) });

/** Texts of new members that wait for a moderator, and members' levels of trust. */
export const forumReview = {
  /** The caller's level of trust, and the caller's texts that wait. */
  myReview: oc
    .route({ method: 'GET', path: '/forum/review/mine', tags: ['forum'], summary: 'My texts that wait for a review' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(
      z.object({
        level: trustLevel,
        held: z.boolean(),
        /** Number of the caller's texts with a link that were released. */
        links: z.int(),
        waiting: z.array(waitingText),
      }),
    ),
  /** Withdraws a waiting text of the caller; it is deleted like any other text. */
  withdraw: oc
    .route({ method: 'DELETE', path: '/forum/review/{id}', tags: ['forum'], summary: 'Take back my text that waits' })
    .errors(byMember)
    .input(z.strictObject({ id: z.uuid() }))
    .output(ok),
  /** For moderators and admins; oldest first. */
  reviewQueue: oc
    .route({ method: 'GET', path: '/forum/review', tags: ['forum'], summary: 'Texts that wait for a review' })
    .errors(byStaff)
    .output(z.object({ items: z.array(textOfMember).max(REVIEWS_SHOWN), more: z.boolean() })),
  release: oc
    .route({ method: 'POST', path: '/forum/review/{id}/release', tags: ['forum'], summary: 'Show a text that waits' })
    .errors(byStaff)
    .input(z.strictObject({ id: z.uuid() }))
    .output(ok),
  /** Works as a removal: names a rule and a reason for the author, who may appeal. */
  decline: oc
    .route({
      method: 'POST',
      path: '/forum/review/{id}/decline',
      tags: ['forum'],
      summary: 'Decline a text that waits',
    })
    .errors(byStaff)
    .input(z.strictObject({ id: z.uuid(), rule: removalRule, reason: removalReason }))
    .output(ok),
  /** Level of trust of a member, by name; for moderators and admins. */
  trust: oc
    .route({ method: 'GET', path: '/forum/trust', tags: ['forum'], summary: 'How far a member is trusted, and why' })
    .errors(byStaff)
    .input(z.strictObject({ username: z.string().trim().min(1).max(USERNAME_MAX) }))
    .output(trust),
  /** Sets a level, which the automatic rules no longer change; null returns it to them. */
  setTrust: oc
    .route({ method: 'PUT', path: '/forum/trust/{userId}', tags: ['forum'], summary: 'Set the level of a member' })
    .errors(byStaffOnMember)
    .input(z.strictObject({ userId: z.uuid(), level: trustLevel.nullable(), reason: removalReason }))
    .output(trust),
  /** Undoes the newest change of a level. When that was one of the rules, they no longer change the level afterwards. */
  undoTrust: oc
    .route({
      method: 'POST',
      path: '/forum/trust/{userId}/undo',
      tags: ['forum'],
      summary: 'Take back a change of level',
    })
    .errors(byStaffOnMember)
    .input(z.strictObject({ userId: z.uuid(), changeId: z.uuid(), reason: removalReason }))
    .output(trust),
};
