export const PROVIDER_STATUSES = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
  'failed',
  'refunded',
  'expired',
] as const;
/** 'unknown': a word of the provider's that we don't know; what it was is in `rawStatus`. */
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number] | 'unknown';

/** One deposit as the provider describes it when asked. Plain data: it is stored. */
export interface Deposit {
  paymentId: string;
  /** Of a repeated deposit, or one in another asset: the payment whose address it came to. */
  parentId: string | null;
  invoiceId: string | null;
  orderId: string | null;
  status: ProviderStatus;
  /** Only of a status that we don't know. */
  rawStatus?: string;
  priceAmount: number;
  /** Lower case. */
  priceCurrency: string;
  payAddress: string | null;
  /** In `payCurrency`; null when the provider does not say. */
  payAmount: number | null;
  payCurrency: string | null;
  actuallyPaid: number | null;
  /** `payAmount` and `actuallyPaid` with all digits that the provider wrote: for amounts that are counted, not compared. */
  payText?: string;
  paidText?: string;
  /** The provider's clock, milliseconds; 0 when it does not say. */
  updatedAt: number;
  /** What came of it; absent until the provider says. */
  outcome?: Outcome;
  /** What the order was called when its invoice was made; absent where the provider does not say. It is not stored. */
  description?: string;
}

/** What the provider credited for a deposit, after its fees and its exchange. Plain data: it is stored. */
export interface Outcome {
  /** A decimal with all digits that the provider wrote. */
  amount: string;
  /** The provider's code of the coin, lower case. */
  currency: string;
  /** The transactions with which it came in and went out, where the provider names them. */
  payinHash: string | null;
  payoutHash: string | null;
  /** What the provider kept, where it says so. */
  fee: { amount: string; currency: string } | null;
}

export interface InvoiceOrder {
  orderId: string;
  /** Whole US dollars. */
  priceUsd: number;
  description: string;
  /** Where the provider sends its callbacks. */
  callbackUrl: string;
  /** Pages of ours to which the payer comes back. */
  returnUrl: string;
}

/** What a signed callback claims: only a reason to go and ask. */
export interface Callback {
  paymentId: string;
  parentId: string | null;
  invoiceId: string | null;
  orderId: string | null;
  /** As it came, for the record. */
  body: unknown;
}

/** A payment processor with pages of its own. Asking throws ProviderError and nothing else. */
export interface PaymentProvider {
  /** True: nothing of this is money. */
  readonly simulation: boolean;
  /** The account serves others too: orders that are not ours are theirs. */
  readonly shared?: boolean;
  /** For the log; never with a key. */
  readonly target: string;
  /** Makes a page where the order can be paid in any currency. The same order may have several; each can be paid. */
  createInvoice(order: InvoiceOrder): Promise<{ invoiceId: string; url: string }>;
  /** Null when the provider knows no such deposit. */
  deposit(paymentId: string): Promise<Deposit | null>;
  /** All deposits of an order, or null where the account may not list them. */
  deposits(of: { invoiceId: string | null; orderId: string }): Promise<Deposit[] | null>;
  /**
   * Deposits of all orders that were begun since a moment (milliseconds), or null where the account may not list them.
   * `complete`: there are no others.
   */
  recent(since: number): Promise<{ deposits: Deposit[]; complete: boolean } | null>;
  /**
   * Everything that the provider knows, page by page, oldest first, so that what begins meanwhile comes at the end.
   *
   * @returns 'whole' after the last page; 'cut' where it did not come to an end; null where the account may not list.
   */
  everything(onPage: (deposits: Deposit[]) => Promise<void>): Promise<'whole' | 'cut' | null>;
  /** Null for everything that the provider did not sign with our secret. */
  verifyCallback(rawBody: Buffer, signature: string | undefined): Callback | null;
}

/** The provider refuses, does not answer, or answers nonsense. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** 'refused': asked again it would refuse again; 'unknown': nobody can say what happened there. */
  readonly kind: 'refused' | 'unknown';
  readonly status: number | undefined;
  /** Nobody answered, or a server in front of the provider did: other questions will not fare better now. */
  readonly unreachable: boolean;

  /** @param options.answered what came was an answer of the provider's, but not to this question. */
  constructor(
    kind: 'refused' | 'unknown',
    message: string,
    options: { status?: number; cause?: unknown; answered?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.unreachable = kind === 'unknown' && !options.answered;
  }
}
