// What other domains do when a payment changes, in the transaction of the change.
import type { Plan } from '#contract/domains/payments.ts';
import type { Tx } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

/** An order that became paid, or of which the money went back. */
export interface PaidOrder {
  requestId: string;
  paymentId: string;
  plan: Plan;
  /** Days within which the payer was told that the team delivers by hand. */
  manualDays: number | null;
  /** Nothing more is owed. */
  paid: boolean;
  /** The provider says that all of it went back. */
  returned: boolean;
  at: Date;
}

/** What follows from a paid order; deliverables say it. Runs in the transaction of the change, in which the request is locked. */
export type FollowOrder = (tx: Tx, order: PaidOrder) => Promise<void>;

/** What the provider gave back by itself of what had arrived for a payment. */
export interface ReturnedMoney {
  paymentId: string;
  /** Deposits as they stood before, with what had arrived. */
  deposits: Deposit[];
  actor: Actor;
  at: Date;
}

/**
 * What follows when deposits went back; refunds say it. Runs in the transaction in which it becomes known, in which the request is
 * locked and the payment written.
 */
export type FollowReturn = (
  tx: Tx,
  services: { jobs: JobQueue; secret: string },
  returned: ReturnedMoney,
) => Promise<void>;

/** What the place where payments change needs of others. */
export interface LedgerTools {
  jobs: JobQueue;
  secret: string;
  followOrder: FollowOrder;
  followReturn: FollowReturn;
}
