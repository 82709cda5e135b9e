import { implement } from '@orpc/server';
import { contract } from '#contract/index.ts';
import { STEP_UP_MINUTES } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import type { Paused } from '#server/db/installation.ts';
import type { BetterAuth } from '#server/domains/auth/better-auth.ts';
import type { MediaDesk } from '#server/domains/media/media.service.ts';
import type { PaymentDesk } from '#server/domains/payments/desk.service.ts';
import type { VoteDesk } from '#server/domains/voting/votes.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';

/** What every procedure can reach: the house's services, and this one request. */
export interface Context {
  db: Db;
  auth: BetterAuth;
  votes: VoteDesk;
  jobs: JobQueue;
  media: MediaDesk;
  payments: PaymentDesk;
  /** Why this installation does nothing to the outside, or null. */
  paused: () => Promise<Paused | null>;
  /** Providers of market data are asked. */
  marketEnabled: boolean;
  /** Admins and moderators need a second factor before they may act as such. */
  staffSecondFactor: boolean;
  /** Root of all keyed hashes and signatures. */
  secret: string;
  publicUrl: string;
  /** Where people get help; null where the operator names no mailbox. */
  supportEmail: string | null;
  now: () => Date;
  /** Who asks; read from the session at most once a request. */
  viewer: () => Promise<Viewer | null>;
  headers: Headers;
  /** Headers of the answer, for cookies. */
  resHeaders: Headers;
  /** Address of the visitor as the trusted part of the way says. */
  address: string;
  ipHash: Buffer;
  requestId: string;
}

/** Anyone. */
export const open = implement(contract).$context<Context>();

/** Signed-in members; hands over the viewer and the actor for the audit. */
export const member = open.use(async ({ context, next }) => {
  const viewer = await context.viewer();
  if (!viewer) return fail('UNAUTHORIZED');
  return next({ context: { me: viewer, actor: actorOf(context, viewer) } });
});

/** Admins, before they have a second factor: only for the way to set it up. */
const adminWithoutMore = member.use(({ context, next }) => {
  if (!context.me.isAdmin) fail('FORBIDDEN');
  return next();
});

/** Admins: an admin profile now, read with this request, and a second factor where the house asks for it. */
const adminDoor = adminWithoutMore.use(({ context, next }) => {
  if (lacksSecondFactor(context, context.me)) fail('SECOND_FACTOR_REQUIRED');
  return next();
});

/** Admins who proved password or second factor within the last minutes: for what hurts most when a screen is left open. */
const provenAdminDoor = adminDoor.use(({ context, next }) => {
  const age = context.now().getTime() - context.me.provedAt.getTime();
  if (age > STEP_UP_MINUTES * 60_000) fail('STEP_UP_NEEDED');
  return next();
});

// The three doors of the back office open its part of the contract only.
export const newAdmin = adminWithoutMore.admin;
export const admin = adminDoor.admin;
export const provenAdmin = provenAdminDoor.admin;

/** Staff that may not act as such before the second factor is set up. */
export const lacksSecondFactor = (context: Pick<Context, 'staffSecondFactor'>, viewer: Viewer): boolean =>
  context.staffSecondFactor && viewer.role !== 'user' && !viewer.hasSecondFactor;

/** Old callers send a user id; it may only be the caller's own. @throws FORBIDDEN */
export const onlyMyself = (userId: string | undefined, me: { id: string }): void => {
  if (userId !== undefined && userId !== me.id) fail('FORBIDDEN');
};

/** The person behind a request, for the audit. */
export const actorOf = (context: Context, viewer: Viewer | null): Actor => ({
  id: viewer?.id ?? null,
  role: viewer?.role ?? 'visitor',
  ipHash: context.ipHash,
  address: viewer && viewer.role !== 'user' ? context.address : null,
  requestId: context.requestId,
});
