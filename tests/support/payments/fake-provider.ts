import {
  type Deposit,
  type InvoiceOrder,
  type PaymentProvider,
  ProviderError,
  type ProviderStatus,
} from '#server/providers/payments/port.ts';
import { signBody, verifyBody } from '#server/providers/payments/signature.ts';

/** Failure of one call: it is refused, or its effect is unknown. */
type Call = 'invoice' | 'deposit' | 'deposits' | 'recent' | 'everything';
export type CallFailure = (call: Call) => 'none' | 'refused' | 'unknown' | 'after';

/** A payment provider in memory, with its state and every failure that a test needs. */
export function fakeProvider(now: () => number) {
  const secret = 'callback-secret-of-the-fake';
  const truth = new Map<string, Deposit>();
  const invoices: (InvoiceOrder & { invoiceId: string })[] = [];
  let serial = 1_000;
  const box = {
    trouble: (() => 'none') as CallFailure,
    /** Changes responses about deposits. */
    lie: (deposit: Deposit): Deposit => deposit,
    /** True when the account may list deposits. */
    lists: true,
    /** Awaited before each response. */
    before: async (_call: Call): Promise<void> => {},
    calls: { invoice: 0, deposit: 0, deposits: 0, recent: 0, everything: 0 },
    pageSize: 100,
    /** True when every entry of the list of an order can be read. */
    readable: true,
    /** True when the list of all deposits is complete. */
    whole: true,
  };

  async function answered<T>(call: keyof typeof box.calls, work: () => T): Promise<T> {
    box.calls[call]++;
    await box.before(call);
    const failure = box.trouble(call);
    if (failure === 'refused') throw new ProviderError('refused', 'refused', { status: 400 });
    if (failure === 'unknown') throw new ProviderError('unknown', 'does not answer');
    const answer = work();
    if (failure === 'after') throw new ProviderError('unknown', 'the answer got lost');
    return answer;
  }

  /** What the account may list of the deposits. */
  const listOf = (complete: boolean, isListed: (deposit: Deposit) => boolean) =>
    box.lists ? { deposits: [...truth.values()].filter(isListed).map((one) => box.lie({ ...one })), complete } : null;

  const provider: PaymentProvider = {
    simulation: false,
    target: 'fake',
    createInvoice: (order) =>
      answered('invoice', () => {
        const invoiceId = String(++serial);
        invoices.push({ ...order, invoiceId });
        return { invoiceId, url: `https://pay.test/${invoiceId}` };
      }),
    deposit: (id) =>
      answered('deposit', () => {
        const found = truth.get(id);
        return found ? box.lie({ ...found }) : null;
      }),
    deposits: ({ invoiceId }) =>
      answered('deposits', () => listOf(box.readable, (deposit) => deposit.invoiceId === invoiceId)),
    recent: () => answered('recent', () => listOf(box.whole, () => true)),
    everything: (onPage) => readAll(truth, box, answered, onPage),
    verifyCallback(rawBody, signature) {
      const body = verifyBody(rawBody, signature, secret);
      if (!body) return null;
      const text = (key: string) => (body[key] === null || body[key] === undefined ? null : String(body[key]));
      return {
        paymentId: text('payment_id') ?? '',
        parentId: text('parent_payment_id'),
        invoiceId: text('invoice_id'),
        orderId: text('order_id'),
        body,
      };
    },
  };

  return {
    provider,
    secret,
    truth,
    invoices,
    invoiceOf: (orderId: unknown) => newestOf(invoices, orderId),
    box,
    /** Moves a deposit of an invoice to another state, or creates it. */
    move(
      invoice: { invoiceId: string; orderId: string; priceUsd: number; description?: string },
      paymentId: string,
      status: ProviderStatus,
      over: Partial<Deposit> = {},
    ): Deposit {
      const old = truth.get(paymentId);
      const deposit: Deposit = {
        paymentId,
        parentId: null,
        ...namedBy(invoice),
        priceAmount: invoice.priceUsd,
        priceCurrency: 'usd',
        payAddress: `address-${paymentId}`,
        payAmount: invoice.priceUsd * 2,
        payCurrency: 'eth',
        actuallyPaid: 0,
        ...old,
        ...over,
        status,
        updatedAt: over.updatedAt ?? now(),
      };
      truth.set(paymentId, deposit);
      return deposit;
    },
    newDepositId: () => String(++serial),
    /** The signed callback about the present state of a deposit. */
    callback(deposit: Deposit) {
      const body = JSON.stringify({
        payment_id: Number(deposit.paymentId),
        parent_payment_id: deposit.parentId === null ? null : Number(deposit.parentId),
        invoice_id: deposit.invoiceId === null ? null : Number(deposit.invoiceId),
        payment_status: deposit.status,
        order_id: deposit.orderId,
        price_amount: deposit.priceAmount,
        actually_paid: deposit.actuallyPaid,
        fee: { currency: 'eth', depositFee: '0', serviceFee: 0 },
        updated_at: deposit.updatedAt,
      });
      return { body, signature: signBody(JSON.parse(body), secret) };
    },
  };
}
/** The newest invoice of an order. @throws Error when it has none. */
function newestOf<Invoice extends { orderId: string }>(invoices: readonly Invoice[], orderId: unknown): Invoice {
  const invoice = invoices.findLast((one) => one.orderId === orderId);
  if (!invoice) throw new Error('no invoice');
  return invoice;
}

/** The fields that a deposit has from its invoice. */
const namedBy = ({
  invoiceId,
  orderId,
  description,
}: {
  invoiceId: string;
  orderId: string;
  description?: string;
}) => ({
  invoiceId,
  orderId,
  ...(description === undefined ? {} : { description }),
});

/** All deposits in pages, as the provider returns them. */
async function readAll(
  truth: Map<string, Deposit>,
  box: { pageSize: number; lists: boolean; whole: boolean; lie: (deposit: Deposit) => Deposit },
  answered: (call: 'everything', work: () => Deposit[]) => Promise<Deposit[]>,
  onPage: (deposits: Deposit[]) => Promise<void>,
): Promise<'whole' | 'cut' | null> {
  const all = [...truth.values()];
  for (let at = 0; at === 0 || at < all.length; at += box.pageSize) {
    const page = await answered('everything', () => all.slice(at, at + box.pageSize).map((one) => box.lie({ ...one })));
    if (!box.lists) return null;
    await onPage(page);
  }
  return box.whole ? 'whole' : 'cut';
}

export type FakeProvider = ReturnType<typeof fakeProvider>;
