import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Plan } from '#contract/domains/payments.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { moneyEntries, moneyTransactions } from '#server/db/tables/money.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import {
  depositParts,
  difference,
  type Holder,
  type Line,
  orderParts,
  type Part,
  refundPart,
} from './posting.policy.ts';

export { depositParts, type Holder, orderParts, type Part, refundPart };

/** Context of the postings of one call. */
interface EntryContext {
  simulation: boolean;
  /** The order, for money that has one. */
  order: { paymentId: string; plan: Plan } | null;
  /** When it happened; determines the month in the report. */
  at: Date;
}

interface Known {
  revision: number;
  lines: Line[];
}

/**
 * The only function that adds to the money ledger: posts the difference between the posted and the wanted state, each part as one
 * balanced transaction. Idempotent: a state that is already posted is not posted again.
 *
 * Call it in the transaction of the change.
 *
 * @returns the number of posted transactions.
 */
export async function postMoney(tx: Tx, parts: readonly Part[], about: EntryContext): Promise<number> {
  if (parts.length === 0) return 0;
  const subjects = [...new Set(parts.map(({ subject }) => subject))].toSorted();
  // An order and the unplaced money may process the same deposit concurrently; a fixed lock order prevents deadlocks.
  await lockByName(tx, { names: subjects.map((subject) => `money ${subject}`) });
  const known = await readKnown(tx, subjects, about.simulation);
  const news = parts.flatMap((part) => {
    const { revision, lines } = known.get(keyOf(part)) ?? { revision: 0, lines: [] };
    const change = difference(part.lines, lines);
    return change.length > 0 ? [{ part, revision: revision + 1, change }] : [];
  });
  if (news.length === 0) return 0;
  const network = about.order ? await networkOf(tx, about.order.paymentId) : '';
  const rows = await tx
    .insert(moneyTransactions)
    .values(
      news.map(({ part, revision }) => ({
        kind: part.kind,
        subject: part.subject,
        revision,
        simulation: about.simulation,
        paymentId: about.order?.paymentId ?? null,
        plan: about.order?.plan ?? ('' as const),
        network,
        facts: part.facts,
        at: about.at,
      })),
    )
    .returning({ id: moneyTransactions.id, kind: moneyTransactions.kind, subject: moneyTransactions.subject });
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  await tx.insert(moneyEntries).values(
    news.flatMap(({ part, change }) => {
      const transactionId = ids.get(keyOf(part));
      if (transactionId === undefined) throw new Error('a money transaction that was not entered');
      return change.map((line, index) => ({ transactionId, line: index + 1, ...line }));
    }),
  );
  return news.length;
}

const keyOf = ({ kind, subject }: { kind: string; subject: string }): string => `${kind} ${subject}`;

async function readKnown(db: Reader, subjects: string[], simulation: boolean): Promise<Map<string, Known>> {
  const rows = await db
    .select({
      kind: moneyTransactions.kind,
      subject: moneyTransactions.subject,
      revision: moneyTransactions.revision,
      account: moneyEntries.account,
      asset: moneyEntries.asset,
      amount: moneyEntries.amount,
    })
    .from(moneyTransactions)
    .innerJoin(moneyEntries, eq(moneyEntries.transactionId, moneyTransactions.id))
    .where(and(inArray(moneyTransactions.subject, subjects), eq(moneyTransactions.simulation, simulation)));
  const known = new Map<string, Known>();
  for (const { account, asset, amount, ...row } of rows) {
    const before = known.get(keyOf(row));
    known.set(keyOf(row), {
      revision: Math.max(before?.revision ?? 0, row.revision),
      lines: [...(before?.lines ?? []), { account, asset, amount }],
    });
  }
  return known;
}

/** Posted state of a deposit, in units of 10^-18. */
export interface PostedDeposit {
  asset: string;
  received: bigint;
  returned: bigint;
  /** By coin: the amount that the provider credited. */
  credited: Map<string, bigint>;
}

/** Posted state of these deposits; those without postings are omitted. */
export async function postedDeposits(
  db: Reader,
  ids: string[],
  simulation: boolean,
): Promise<Map<string, PostedDeposit>> {
  const posted = new Map<string, PostedDeposit>();
  if (ids.length === 0) return posted;
  for (const [key, { lines }] of await readKnown(db, ids, simulation)) {
    const [kind, ...rest] = key.split(' ');
    const of = posted.get(rest.join(' ')) ?? { asset: '', received: 0n, returned: 0n, credited: new Map() };
    for (const { account, asset, amount } of lines) {
      if (kind === 'received' && account === 'provider') {
        of.received += amount;
        of.asset = asset;
      }
      if (kind === 'returned' && account === 'provider') of.returned -= amount;
      if (kind === 'settled' && account === 'balance') of.credited.set(asset, (of.credited.get(asset) ?? 0n) + amount);
    }
    posted.set(rest.join(' '), of);
  }
  return posted;
}

/** The US cents that are posted for these refunds, by their numbers. */
export async function postedRefunds(
  db: Reader,
  refunds: readonly { number: string }[],
  simulation: boolean,
): Promise<Map<string, bigint>> {
  const numbers = refunds.map(({ number }) => number);
  const cents = await postedCents(db, { kind: 'refunded', account: 'refunded', subjects: numbers }, simulation);
  // A credit.
  return new Map([...cents].map(([number, sum]) => [number, 0n - sum]));
}

/** The US cents that are posted as received for these deposits, by their ids. */
export const postedValues = (db: Reader, ids: string[], simulation: boolean): Promise<Map<string, bigint>> =>
  postedCents(db, { kind: 'received', account: 'received', subjects: ids }, simulation);

/** Balance of an account in US cents in the parts of a kind, by subject; zero for those without postings. */
async function postedCents(
  db: Reader,
  { kind, account, subjects }: { kind: Part['kind']; account: Line['account']; subjects: string[] },
  simulation: boolean,
): Promise<Map<string, bigint>> {
  if (subjects.length === 0) return new Map();
  const known = await readKnown(db, subjects, simulation);
  return new Map(
    subjects.map((subject) => {
      const lines = known.get(keyOf({ kind, subject }))?.lines ?? [];
      return [subject, lines.reduce((sum, line) => sum + (line.account === account ? line.amount : 0n), 0n)];
    }),
  );
}

/** The network of an order's first posting applies to all later ones: its payer may choose another network later. */
async function networkOf(db: Reader, paymentId: string): Promise<string> {
  const [first] = await db
    .select({ network: moneyTransactions.network })
    .from(moneyTransactions)
    .where(eq(moneyTransactions.paymentId, paymentId))
    .orderBy(asc(moneyTransactions.id))
    .limit(1);
  if (first) return first.network;
  const [request] = await db
    .select({ network: tokenCreationSubmissions.selectedNetwork })
    .from(payments)
    .innerJoin(tokenCreationSubmissions, eq(tokenCreationSubmissions.id, payments.submissionId))
    .where(eq(payments.id, paymentId));
  return request?.network?.slice(0, 40) ?? '';
}
