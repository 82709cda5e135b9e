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
/** 'unknown': a provider status that we do not recognise; the original is in `rawStatus`. */
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number] | 'unknown';

/** A deposit as returned by the provider. Plain data: it is stored. */
export interface Deposit {
  paymentId: string;
  /** For a repeated deposit, or one in another asset: the payment whose address received it. */
  parentId: string | null;
  invoiceId: string | null;
  orderId: string | null;
  status: ProviderStatus;
  /** Set only for a status that we do not recognise. */
  rawStatus?: string;
  priceAmount: number;
  /** Lower case. */
  priceCurrency: string;
  payAddress: string | null;
  /** In `payCurrency`; null when the provider does not report it. */
  payAmount: number | null;
  payCurrency: string | null;
  actuallyPaid: number | null;
  /** `payAmount` and `actuallyPaid` with all of the provider's digits: for exact sums, not for comparisons. */
  payText?: string;
  paidText?: string;
  /** Time by the provider's clock, milliseconds; 0 when it is not reported. */
  updatedAt: number;
  /** Result of the deposit; absent until the provider reports it. */
  outcome?: Outcome;
  /** The order's description from its invoice; absent when the provider does not report it. It is not stored. */
  description?: string;
}

/** The provider's credit for a deposit, after fees and conversion. Plain data: it is stored. */
export interface Outcome {
  /** A decimal with all of the provider's digits. */
  amount: string;
  /** The provider's code of the coin, lower case. */
  currency: string;
  /** Incoming and outgoing transactions, when the provider reports them. */
  payinHash: string | null;
  payoutHash: string | null;
  /** The provider's fee, when it is reported. */
  fee: { amount: string; currency: string } | null;
}

export interface InvoiceOrder {
  orderId: string;
  /** Whole US dollars. */
  priceUsd: number;
  description: string;
  /** URL for the provider's callbacks. */
  callbackUrl: string;
  /** Pages of the site to which the payer returns. */
  returnUrl: string;
}

/** Data of a signed callback: only a trigger to query the provider. */
export interface Callback {
  paymentId: string;
  parentId: string | null;
  invoiceId: string | null;
  orderId: string | null;
  /** As received, for the record. */
  body: unknown;
}

/** A payment processor with its own payment pages. Its methods throw ProviderError only. */
export interface PaymentProvider {
  /** True when payments are simulated. */
  readonly simulation: boolean;
  /** The account is shared with other systems: unknown orders belong to them. */
  readonly shared?: boolean;
  /** For the log; never contains a key. */
  readonly target: string;
  /** Creates a page where the order can be paid in any currency. An order can have several; each can be paid. */
  createInvoice(order: InvoiceOrder): Promise<{ invoiceId: string; url: string }>;
  /** Null when the provider has no such deposit. */
  deposit(paymentId: string): Promise<Deposit | null>;
  /**
   * The deposits of an order, or null when the account may not list them. `complete`: there are no others; false when an entry without a valid
   * id or price may be of this order.
   */
  deposits(of: { invoiceId: string | null; orderId: string }): Promise<{
    deposits: Deposit[];
    complete: boolean;
  } | null>;
  /**
   * Deposits of all orders created since a time (milliseconds), or null when the account may not list them. `complete`: there
   * are no others; false also when an entry has no valid id or price.
   */
  recent(since: number): Promise<{ deposits: Deposit[]; complete: boolean } | null>;
  /**
   * All deposits of the provider, page by page, oldest first, so that new ones are appended at the end.
   *
   * @returns 'whole' after the last page; 'cut' when the end was not reached, or an entry had no valid id or price; null when the
   *   account may not list.
   */
  everything(onPage: (deposits: Deposit[]) => Promise<void>): Promise<'whole' | 'cut' | null>;
  /** Null unless the provider signed it with our secret. */
  verifyCallback(rawBody: Buffer, signature: string | undefined): Callback | null;
}

/** The provider refuses, does not respond, or returns an invalid response. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** 'refused': a retry would be refused again; 'unknown': the effect of the request is unknown. */
  readonly kind: 'refused' | 'unknown';
  readonly status: number | undefined;
  /** No response, or one of a server in front of the provider: other requests would currently fail too. */
  readonly unreachable: boolean;

  /** @param options.answered true when the provider returned a response that does not match the request. */
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
