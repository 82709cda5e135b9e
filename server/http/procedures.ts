import { implement } from '@orpc/server';
import { contract } from '#contract/index.ts';
import type { Db } from '#server/db/client.ts';
import type { BetterAuth } from '#server/domains/auth/better-auth.ts';
import type { PaymentDesk } from '#server/domains/token-requests/payments/desk.service.ts';
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
  payments: PaymentDesk;
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

/** Old callers send a user id; it may only be the caller's own. @throws FORBIDDEN */
export const onlyMyself = (userId: string | undefined, me: { id: string }): void => {
  if (userId !== undefined && userId !== me.id) fail('FORBIDDEN');
};

/** The person behind a request, for the audit. */
export const actorOf = (context: Context, viewer: Viewer | null): Actor => ({
  id: viewer?.id ?? null,
  role: viewer?.role ?? 'visitor',
  ipHash: context.ipHash,
  requestId: context.requestId,
});
