import type pg from 'pg';
import type { Finding } from '#contract/admin/settings.ts';
import type { Db } from '#server/db/client.ts';
import type { Paused } from '#server/db/installation.ts';
import type { Replica } from '#server/db/replica.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import type { MediaService } from '#server/domains/media/media.port.ts';
import type { PushService } from '#server/domains/notifications/push.port.ts';
import type { TelegramService } from '#server/domains/notifications/telegram.port.ts';
import type { ProofChecks } from '#server/domains/ownership/ownership.port.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import type { VoteService } from '#server/domains/voting/voting.port.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Present } from '#server/lib/clock.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import type { GuestForms } from './uploads/guest-uploads.ts';

/** What every procedure can reach: the services of the process, by their interfaces, and this one request. */
export interface Context {
  db: Db;
  /** For reads of much that change nothing: a replica where there is one, as new as `db` all the same. */
  reads: Db;
  auth: BetterAuth;
  votes: VoteService;
  jobs: JobQueue;
  ledger: LedgerService;
  media: MediaService;
  payments: PaymentService;
  push: PushService;
  telegram: TelegramService;
  /** How published proofs of verified creators are looked for. */
  proofs: ProofChecks;
  settings: Settings;
  /** Past the queue, for test mails. */
  mail: MailTransport;
  /** Past the ledger, for test invoices. */
  paymentProvider: { provider: PaymentProvider | null; callbackUrl: string };
  /** What `florka doctor` says. */
  findings: () => Promise<Finding[]>;
  /** Why this installation does nothing to the outside, or null. */
  paused: () => Promise<Paused | null>;
  /** Providers of market data are asked. */
  marketEnabled: boolean;
  /** Admins and moderators need a second factor before they may act as such. */
  staffSecondFactor: boolean;
  /** Only members with a confirmed mailbox vote. */
  voteConfirmedOnly: boolean;
  /** With two admins or more, staff needs a passkey, and codes of an app count no more for who has one. */
  staffPasskey: boolean;
  /** Root of all keyed hashes and signatures. */
  secret: string;
  publicUrl: string;
  /** Where people get help; null where the operator names no mailbox. */
  supportEmail: string | null;
  now: () => Date;
  /** What decides about votes: the database's clock, but for tests. */
  present: () => Present;
  /** Who asks; read from the session at most once a request. */
  viewer: () => Promise<Viewer | null>;
  headers: Headers;
  /** Headers of the answer, for cookies. */
  resHeaders: Headers;
  /** Address of the visitor as the trusted part of the way says. */
  address: string;
  ipHash: Buffer;
  /** Networks of the visitor, nearest first, as keyed hashes. */
  networks: readonly Buffer[];
  requestId: string;
}

/** What answering over HTTP needs of the services of the process. */
export interface HttpServices {
  pool: pg.Pool;
  db: Db;
  /** Null without one. */
  replica: Replica | null;
  hub: LiveHub;
  settings: Settings;
  ledger: LedgerService;
  media: MediaService;
  /** Which of the forms that guests hold may have images. */
  guestForms: GuestForms;
  /** Ends the mails that a link stands for. @returns false when there is no such link. */
  unsubscribe(actor: Actor, token: string): Promise<boolean>;
  now: () => Date;
  present: () => Present;
  /** @param visitor for what everybody may read: its `db` is its `reads`. */
  contextOf(headers: Headers, resHeaders?: Headers, visitor?: 'visitor'): Context;
}

/** The person behind a request, for the audit. */
export const actorOf = (context: Context, viewer: Viewer | null): Actor => ({
  id: viewer?.id ?? null,
  role: viewer?.role ?? 'visitor',
  ipHash: context.ipHash,
  address: viewer && viewer.role !== 'user' ? context.address : null,
  requestId: context.requestId,
});
