import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { savedToken } from './saved.ts';

/** Maximum of followed tokens on a public profile, and of members that a member can mute or block. */
export const FOLLOWS_SHOWN = 50;
export const RESTRICTIONS_MAX = 500;

/** A name as displayed next to a text; compared case-insensitively. */
const name = z.string().min(1).max(120);

/** Badges for activity, in three steps each; computed from the records on each request. */
export const badgeKind = z.enum(['writer', 'appreciated', 'voter', 'picker']);
export type BadgeKind = z.infer<typeof badgeKind>;
/** Thresholds of each step: shown texts, reactions of others to posts, days with a counted vote, rounds whose winner got a counted vote. */
export const BADGE_STEPS = {
  writer: [1, 25, 100],
  appreciated: [10, 100, 1_000],
  voter: [1, 30, 100],
  picker: [1, 3, 10],
} as const;

export const profile = z.object({
  username: z.string(),
  shortId: z.string(),
  /** True for an admin or a moderator. */
  staff: z.boolean(),
  /** UTC day of the first counted vote; null unless the member publishes it. */
  voterSince: z.iso.date().nullable(),
  /** Shown posts and comments, each counted up to 1,000. */
  posts: z.int().nonnegative(),
  comments: z.int().nonnegative(),
  badges: z.array(z.object({ badge: badgeKind, step: z.int().min(1).max(3), count: z.int().positive() })),
  /** Tokens with a current proof of ownership by the member, newest proof first; empty unless the member publishes them. */
  created: z.array(savedToken).max(FOLLOWS_SHOWN),
  /** Saved tokens, newest first; null unless the member publishes them. */
  follows: z.array(savedToken).max(FOLLOWS_SHOWN).nullable(),
});
export type Profile = z.infer<typeof profile>;

const profileSettings = z.strictObject({
  /** The member has a public profile even without any text. */
  showPage: z.boolean(),
  /** Publishes since when and how often the member votes, and how many winners got a vote of theirs; the candidate only indirectly. */
  showVotes: z.boolean(),
  /** Publishes the tokens that the member follows. */
  showFollows: z.boolean(),
  /** Publishes the tokens that the member has proven to have created, with the mark of a verified creator. */
  showCreated: z.boolean(),
});
export type ProfileSettings = z.infer<typeof profileSettings>;

export const restrictionLevel = z.enum(['mute', 'block']);
export type RestrictionLevel = z.infer<typeof restrictionLevel>;
const restriction = z.object({
  username: z.string(),
  shortId: z.string(),
  level: restrictionLevel,
  since: z.iso.datetime(),
});
export type Restriction = z.infer<typeof restriction>;

const byMember = { UNAUTHORIZED: errors.UNAUTHORIZED, RATE_LIMITED: errors.RATE_LIMITED };

export const profiles = {
  /** The profile of a member with a published text, or who chose to have a page. */
  page: oc
    .route({ method: 'GET', path: '/members/{name}', tags: ['forum'], summary: 'What a member shows' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ name }))
    .output(profile),
  settings: oc
    .route({ method: 'GET', path: '/account/profile', tags: ['account'], summary: 'What I show of myself' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(profileSettings),
  setSettings: oc
    .route({ method: 'PUT', path: '/account/profile', tags: ['account'], summary: 'Choose what I show of myself' })
    .errors(byMember)
    // Without `showCreated`, it stays as it is.
    .input(profileSettings.partial({ showCreated: true }))
    .output(profileSettings),
  restrictions: oc
    .route({ method: 'GET', path: '/account/restrictions', tags: ['account'], summary: 'Whom I muted or blocked' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(restriction).max(RESTRICTIONS_MAX)),
  /** Sets the desired state: `none` ends the restriction, repeated calls change nothing. */
  restrict: oc
    .route({ method: 'PUT', path: '/account/restrictions', tags: ['account'], summary: 'Mute or block a member' })
    .errors({
      ...byMember,
      NOT_FOUND: errors.NOT_FOUND,
      FORBIDDEN: errors.FORBIDDEN,
      TOO_MANY_RESTRICTED: errors.TOO_MANY_RESTRICTED,
    })
    .input(z.strictObject({ name, level: z.enum(['mute', 'block', 'none']) }))
    .output(z.object({ level: z.enum(['mute', 'block', 'none']) })),
};
