/**
 * Sign-in tables, profiles and roles. As everywhere in this folder: columns, keys and references only; checks, indexes and triggers
 * are in the migrations.
 */
import { type AnyPgColumn, boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { STAFF_ROLES } from '#contract/staff.ts';
import { moment } from '#server/db/columns.ts';

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /** True when it counts as unproven now, but was proven before. */
  mailboxProved: boolean('mailbox_proved').notNull().default(false),
  image: text('image'),
  username: text('username'),
  requestModerator: boolean('request_moderator').notNull().default(false),
  confirmedAt: moment('confirmed_at'),
  confirmedBy: uuid('confirmed_by').references((): AnyPgColumn => users.id, { onDelete: 'set null' }),
  bannedUntil: moment('banned_until'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  token: text('token').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
  provedAt: moment('proved_at').notNull().defaultNow(),
  /** True after a change of rights: the browser gets a new token with the next response about the signed-in member. */
  tokenDue: boolean('token_due').notNull().default(false),
  /** The token before such a change, valid until `former_until`. */
  formerToken: text('former_token'),
  formerUntil: moment('former_until'),
  /** True when it was opened by a wallet's signature alone: it ends when its member becomes staff. */
  byWallet: boolean('by_wallet').notNull().default(false),
});

export const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  password: text('password'),
  /** Expiry of a generated password, whose owner has to choose another one; null for a chosen one. */
  initialUntil: moment('initial_until'),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: moment('access_token_expires_at'),
  refreshTokenExpiresAt: moment('refresh_token_expires_at'),
  scope: text('scope'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export const verifications = pgTable('verifications', {
  id: uuid('id').primaryKey().defaultRandom(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** The public profile of a member; created by a trigger with the account, with the account's id. */
export const forumUsers = pgTable('forum_users', {
  id: uuid('id').primaryKey().defaultRandom(),
  username: text('username').notNull(),
  /** Normalized search text of the back office; written by a trigger. */
  search: text('search').notNull().default(''),
  /** Key that is equal for confusable names; unique. Written by the same trigger. */
  nameKey: text('name_key').notNull().default(''),
  walletAddress: text('wallet_address').notNull(),
  newAuthUserId: uuid('new_auth_user_id')
    .unique()
    .references(() => users.id, { onDelete: 'set null' }),
  migrationStatus: text('migration_status', { enum: ['pending', 'completed'] })
    .notNull()
    .default('completed'),
  legacyEmail: text('legacy_email'),
  hidePresence: boolean('hide_presence').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Created by the same trigger. */
export const userRoles = pgTable('user_roles', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: text('role', { enum: ['user', 'moderator', 'admin'] })
    .notNull()
    .default('user'),
  moderatorRequestStatus: text('moderator_request_status', { enum: ['approved', 'pending', 'rejected'] })
    .notNull()
    .default('approved'),
  requestedAt: moment('requested_at'),
  assignedAt: moment('assigned_at'),
  assignedBy: uuid('assigned_by').references(() => users.id, { onDelete: 'set null' }),
});

export const adminProfiles = pgTable('admin_profiles', {
  id: uuid('id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: text('role', { enum: ['admin'] })
    .notNull()
    .default('admin'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Staff roles of this admin in the back office. */
  staffRoles: text('staff_roles', { enum: STAFF_ROLES }).array().notNull().default(['owner']),
  /** Null: the operator, an invitation, or a deleted account. */
  grantedBy: uuid('granted_by').references(() => users.id, { onDelete: 'set null' }),
});

/** Invitations; a row grants no right by itself. */
export const adminUsers = pgTable('admin_users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: text('email').notNull().unique(),
  /** Null: the operator, who has no account; there are no other inviters so far. */
  invitedBy: uuid('invited_by').references(() => users.id, { onDelete: 'set null' }),
  claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
  claimedAt: moment('claimed_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Staff roles of the admin who claims it. */
  staffRoles: text('staff_roles', { enum: STAFF_ROLES }).array().notNull().default(['owner']),
});
