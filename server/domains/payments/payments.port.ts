import type { PaymentAnswer } from '#contract/domains/payments.ts';
import type { Tx } from '#server/db/client.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Hint } from './fetch-deposits.ts';
import type { PayOrder } from './invoices.service.ts';
import type { PaymentRow } from './ledger.service.ts';

/** Money without an order, and the order it is put on. */
export interface Placing {
  /** The provider's number of the deposit. */
  id: string;
  /** As the editor saw it. */
  version: number;
  orderId: string;
  reason: string;
}

/** Where payments are made and looked after; one per process, all on one database. */
export interface PaymentService {
  readonly mode: { available: boolean; simulation: boolean };
  /**
   * The open payment of a request, or a new one. Clicking twice, in two processes or again after a crash gives the same.
   *
   * @throws DRAFT_INCOMPLETE, LOCKED (another plan than the one that is paid), PAYMENT_UNAVAILABLE, RATE_LIMITED
   * @throws BUSY while another process is at it.
   */
  pay(order: PayOrder): Promise<PaymentRow>;
  /** Asks the provider about a payment, unless it was asked a moment ago, and says what is known then. */
  check(paymentId: string, hint?: Hint, actor?: Actor): Promise<PaymentAnswer>;
  /** Asks the provider about a payment and these deposits, also when it was asked a moment ago. */
  ask(paymentId: string, hints: readonly Hint[]): Promise<void>;
  /**
   * Takes a callback in: stored and queued, or known already. Nothing counts yet.
   *
   * @throws when it can't be stored; the provider then repeats it.
   */
  receive(rawBody: Buffer, signature: string | undefined): Promise<'stored' | 'known' | 'forged'>;
  /** The job of a stored callback. @throws ProviderError when nobody could be asked. */
  follow(eventId: number): Promise<void>;
  /** Asks about orders whose time has come, or of which the provider's list says something new. */
  reconcile(): Promise<{ polled: number; unknown: number }>;
  /**
   * Puts money whose order was not known here on one that is; the provider is asked about it first. Whether it is enough
   * is said by accepting it.
   *
   * @param follow what is done about it in the same transaction, such as a refund.
   * @throws NOT_FOUND (no such order), VERSION_CONFLICT when it changed or does not wait any more, PAYMENT_UNAVAILABLE when
   *   nobody can be asked.
   */
  place(
    placing: Placing,
    actor: Actor & { id: string },
    follow?: (tx: Tx, paymentId: string) => Promise<void>,
  ): Promise<{ requestId: string }>;
  /** The team knows of what the provider gave back of this payment by now. @throws NOT_FOUND */
  noteRefund(tx: Tx, paymentId: string, actor: Actor): Promise<void>;
  /**
   * An admin takes a short, odd or late payment for enough: what has arrived by now, while none of it is given back.
   *
   * @throws NOT_FOUND (no such payment, or nothing arrived), ALREADY_DONE when nothing stands in its way.
   */
  accept(paymentId: string, actor: Actor & { id: string }, reason: string): Promise<void>;
}
