import type { PaymentAnswer } from '#contract/domains/payments.ts';
import type { Tx } from '#server/db/client.ts';
import type { PaymentRow } from '#server/domains/payments/facts/record.service.ts';
import type { Hint } from '#server/domains/payments/provider/fetch-deposits.ts';
import type { PayOrder } from '#server/domains/payments/provider/invoices.service.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { SentRefund } from './sent-back.service.ts';

/** Assignment of a deposit without an order to an order. */
export interface Placing {
  /** The provider's id of the deposit. */
  id: string;
  /** Version of the row that the editor saw. */
  version: number;
  orderId: string;
  reason: string;
}

/** Creates payments and tracks their state; one per process, all on one database. */
export interface PaymentService {
  readonly mode: { available: boolean; simulation: boolean };
  /**
   * Returns the open payment of a request, or a new one. Idempotent: a second click, a concurrent process or a retry after a crash
   * gets the same.
   *
   * @throws DRAFT_INCOMPLETE, PLAN_OFF_SALE, PAYMENT_UNAVAILABLE, RATE_LIMITED
   * @throws LOCKED for a closed request, and for another plan than the one that is paid.
   * @throws BUSY while another process creates the invoice.
   * @throws VERSION_CONFLICT when the form is not the one that the payer saw.
   */
  pay(order: PayOrder): Promise<PaymentRow>;
  /** Fetches the state of a payment from the provider, unless it was fetched a moment ago, and returns the resulting answer. */
  check(paymentId: string, hint?: Hint, actor?: Actor): Promise<PaymentAnswer>;
  /**
   * Fetches a payment and these deposits from the provider, even if it was fetched a moment ago.
   *
   * @returns false when the installation is paused: nothing was fetched, and the stored data may be that of a backup.
   */
  poll(paymentId: string, hints: readonly Hint[]): Promise<boolean>;
  /**
   * Receives a callback: verified and queued, or already known. The content of a callback is not trusted by itself.
   *
   * @throws when it can't be stored; the provider then repeats it.
   */
  receive(rawBody: Buffer, signature: string | undefined): Promise<'stored' | 'known' | 'forged'>;
  /** Job for a stored callback. @throws ProviderError when a request to the provider failed. */
  processCallback(eventId: number): Promise<void>;
  /** Polls the provider about orders that are due, or for which its list of deposits has news. */
  reconcile(): Promise<{ polled: number; unknown: number }>;
  /**
   * Assigns a deposit without an order to an order, after fetching the deposit from the provider. Accepting the payment is a
   * separate action.
   *
   * @param afterwards runs in the same transaction, for example to open a refund.
   * @throws NOT_FOUND (no such order or deposit), VERSION_CONFLICT when it changed or was settled meanwhile, ALREADY_DONE when it
   *   was settled before or an order has it by now, PAYMENT_UNAVAILABLE when the provider can't be reached.
   */
  place(
    placing: Placing,
    actor: Actor & { id: string },
    afterwards?: (tx: Tx, paymentId: string) => Promise<void>,
  ): Promise<{ requestId: string }>;
  /**
   * Records that the team is aware of the money that the provider has returned of this payment so far, and, if the team sent all of it
   * back, that the rest is not expected any more and needs no review.
   *
   * @param sent the refund that the team has just sent. If it was of exactly the money that does not pay for the order, that is recorded as sent back.
   * @throws NOT_FOUND
   */
  acknowledgeRefund(tx: Tx, paymentId: string, actor: Actor, sent?: SentRefund): Promise<void>;
  /**
   * Records that the team sent all money of a payment back if only its refunds show that: those that an earlier version recorded, and halted
   * ones. At most 50 payments. @returns their number.
   */
  recordMissedReturns(): Promise<number>;
  /**
   * Supersedes earlier orders that a change of plan did not, unless they were paid since: an earlier version superseded only the newest one.
   * At most 200 payments. @returns their number.
   */
  supersedeMissed(): Promise<number>;
  /**
   * Puts payments under review that an earlier version left as failed or expired although money of a deposit had arrived, or as paid by an
   * acceptance from before the provider failed it. At most 200 payments. @returns their number.
   */
  reviewEnded(): Promise<number>;
  /**
   * An admin accepts a short, odd or late payment: the deposits that have arrived so far, as long as none of them is returned.
   *
   * @throws NOT_FOUND (no such payment, or nothing arrived), ALREADY_DONE when the payment needs no acceptance.
   */
  accept(paymentId: string, actor: Actor & { id: string }, reason: string): Promise<void>;
}
