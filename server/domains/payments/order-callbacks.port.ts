// Callbacks of other domains that run when a payment changes, in the transaction of the change.
import type { Plan } from '#contract/domains/payments.ts';
import type { Tx } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

/** An order that became paid, or whose money was returned. */
export interface PaidOrder {
  requestId: string;
  paymentId: string;
  plan: Plan;
  /** Days within which the team promised the payer delivery by hand; null without such a promise. */
  manualDays: number | null;
  /** Nothing more is owed. Stays true when the team sends the money back, because the provider does not report that. */
  paid: boolean;
  /** True when the provider reports that all of the money was returned, or the team sent the last of it back. */
  returned: boolean;
  at: Date;
}

/** Callback for a paid order, implemented by deliverables. Runs in the transaction of the change, while the request is locked. */
export type OnOrderChange = (tx: Tx, order: PaidOrder) => Promise<void>;

/** Money of a payment that the provider returned on its own initiative. */
export interface ReturnedMoney {
  paymentId: string;
  /** The returned deposits in their state before, with the amounts that had arrived. */
  deposits: Deposit[];
  actor: Actor;
  at: Date;
}

/**
 * Callback for returned deposits, implemented by refunds. Runs in the transaction that records the return, after the payment was
 * written and while the request is locked.
 */
export type OnMoneyReturned = (
  tx: Tx,
  services: { jobs: JobQueue; secret: string },
  returned: ReturnedMoney,
) => Promise<void>;

/** Dependencies of the function that records changes of payments. */
export interface RecordDependencies {
  jobs: JobQueue;
  secret: string;
  onOrderChange: OnOrderChange;
  onMoneyReturned: OnMoneyReturned;
}
