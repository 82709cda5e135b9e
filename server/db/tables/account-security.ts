import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bigCount, bytea, moment } from '#server/db/columns.ts';
import { users } from './accounts.ts';

/** Links and codes sent by mail, and sign-ins that wait for their second step: hashes only, each works once. */
export const accountTokens = pgTable('account_tokens', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  purpose: text('purpose', {
    enum: ['verify_email', 'change_email', 'reset_password', 'sign_in', 'second_factor', 'staff_email'],
  }).notNull(),
  tokenHash: bytea('token_hash').notNull(),
  email: text('email').notNull(),
  locale: text('locale', { enum: ['es', 'en'] })
    .notNull()
    .default('es'),
  attempts: integer('tries').notNull().default(0),
  createdAt: moment('created_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
  usedAt: moment('used_at'),
  /** For staff, the admin who requested a colleague's new mailbox. */
  requestedBy: uuid('asked_by'),
});

/** The secret is encrypted; see server/domains/account/second-factor/totp.ts. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  secret: bytea('secret').notNull(),
  confirmedAt: moment('confirmed_at'),
  lastStep: bigCount('last_step').notNull().default(0),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const recoveryCodes = pgTable('recovery_codes', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  codeHash: bytea('code_hash').notNull(),
  usedAt: moment('used_at'),
});

/** Public keys (WebAuthn); the private key never leaves the member's device. */
export const passkeys = pgTable('passkeys', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The device's own credential id, base64url. */
  credentialId: text('credential_id').notNull().unique('passkeys_credential'),
  publicKey: bytea('public_key').notNull(),
  counter: bigCount('counter').notNull().default(0),
  transports: text('transports').array().notNull().default([]),
  name: text('name').notNull(),
  backedUp: boolean('backed_up').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
});

/** Challenges for a browser to sign; each is consumed once. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challenge: text('challenge').primaryKey(),
  purpose: text('purpose', { enum: ['add', 'prove', 'sign_in', 'second_step'] }).notNull(),
  userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: moment('expires_at').notNull(),
});

/** Linked wallets. Addresses are unique, ignoring case for EVM addresses. */
export const linkedWallets = pgTable('linked_wallets', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  family: text('family', { enum: ['evm', 'solana'] }).notNull(),
  address: text('address').notNull(),
  linkedAt: moment('linked_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
});
