import { and, eq, gt, isNull, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { settlementDifferences, settlementRuns } from '#server/db/tables/settlement.ts';
import { postedDeposits } from '#server/domains/money/posting.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { placeListed } from '#server/domains/payments/provider/reconcile.service.ts';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Deposit, PaymentProvider } from '#server/providers/payments/port.ts';
import { compareDeposit, type Difference } from './compare.policy.ts';
import { readBookedIds, readOverReturned, readWrongTotals } from './settlement.sql.ts';

/** Maximum number of deposits missing from the list that are fetched individually. */
const MAX_UNLISTED = 200;
/** Age after which an unfinished run counts as interrupted. Milliseconds. */
const CUT_SHORT = 2 * 3_600_000;

type RunState = Exclude<(typeof settlementRuns.$inferSelect)['state'], 'running'>;

export interface Settlement {
  /**
   * Reads all deposits of the provider, assigns them to their orders or to the unplaced money, and compares each with the money
   * ledger.
   *
   * @param by the admin who requested it; null: the daily job.
   * @param repeated true for a further attempt of the same request: an unfinished run is the one that its process left when it ended.
   * @throws ProviderError when the provider could not be reached; differences found until then are stored.
   */
  run(
    by: string | null,
    repeated?: boolean,
  ): Promise<{ state: RunState | 'busy'; deposits: number; found: number; differences: number }>;
}

interface Options {
  db: Db;
  provider: PaymentProvider | null;
  payments: PaymentService;
  now: () => Date;
  warn: (about: Record<string, unknown>, message: string) => void;
  /** Limit of deposits fetched individually per run, because they are not in the list; beyond it the run is `cut`. */
  maxUnlisted?: number;
}

type Found = Difference & { paymentId: string | null };

export function createSettlement(options: Options): Settlement {
  return { run: (by, repeated = false) => run(options, by, repeated) };
}

async function run(options: Options, by: string | null, repeated: boolean): ReturnType<Settlement['run']> {
  const { db, provider, now } = options;
  const id = await begin(db, by, { at: now(), repeated });
  if (!id) return { state: 'busy', deposits: 0, found: 0, differences: 0 };
  const seen = { deposits: 0, found: 0, ids: new Set<string>(), differences: [] as Found[] };
  let state: RunState = provider ? 'failed' : 'no_provider';
  try {
    if (provider) {
      const whole = await provider.everything((page) => comparePage(options, provider, page, seen));
      state = whole ?? 'not_allowed';
      if (whole === 'whole' && !(await compareUnlisted(options, provider, seen))) state = 'cut';
      seen.differences.push(...(await overReturned(db, provider.simulation)));
    }
    seen.differences.push(...(await wrongTotals(db)));
  } finally {
    await finish(options, id, state, seen);
  }
  return { state, deposits: seen.deposits, found: seen.found, differences: seen.differences.length };
}

/** Null while another run is in progress. */
async function begin(
  db: Db,
  by: string | null,
  { at, repeated }: { at: Date; repeated: boolean },
): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockByName(tx, { names: ['settlement'] });
    const [busy] = await tx
      .select({ requestedBy: settlementRuns.requestedBy })
      .from(settlementRuns)
      .where(
        and(eq(settlementRuns.state, 'running'), gt(settlementRuns.startedAt, new Date(at.getTime() - CUT_SHORT))),
      );
    // The run that this attempt repeats has the same requester; any other unfinished run belongs to a running process.
    const isOwn = repeated && busy?.requestedBy === by;
    if (busy && !isOwn) return null;
    await tx.update(settlementRuns).set({ state: 'failed', finishedAt: at }).where(eq(settlementRuns.state, 'running'));
    const [row] = await tx
      .insert(settlementRuns)
      .values({ startedAt: at, requestedBy: by })
      .returning({ id: settlementRuns.id });
    await publishChange(tx, 'tokenRequests');
    return row?.id ?? null;
  });
}

async function comparePage(
  { db, payments, now }: Options,
  provider: PaymentProvider,
  page: Deposit[],
  seen: { deposits: number; found: number; ids: Set<string>; differences: Found[] },
): Promise<void> {
  const { found, paymentOf } = await placeListed({ db, provider, service: payments, now }, page);
  seen.deposits += page.length;
  seen.found += found;
  for (const { paymentId } of page) seen.ids.add(paymentId);
  // On an account that is shared with other sites, their deposits are not in the money ledger.
  const ours = page.filter(
    ({ paymentId, orderId }) => paymentOf.has(paymentId) || !provider.shared || orderId === null,
  );
  const posted = await postedDeposits(
    db,
    ours.map(({ paymentId }) => paymentId),
    provider.simulation,
  );
  for (const deposit of ours)
    for (const difference of compareDeposit(deposit, posted.get(deposit.paymentId) ?? null))
      seen.differences.push({ ...difference, paymentId: paymentOf.get(deposit.paymentId) ?? null });
}

/**
 * Compares deposits of the money ledger that are not in the list: the provider may have them all the same.
 *
 * @returns true when all of them were compared.
 */
async function compareUnlisted(
  { db, maxUnlisted = MAX_UNLISTED }: Options,
  provider: PaymentProvider,
  seen: { ids: Set<string>; differences: Found[] },
): Promise<boolean> {
  let after = '';
  let polled = 0;
  for (;;) {
    const rows = await readBookedIds(db, { simulation: provider.simulation, after });
    const paymentOf = new Map(rows.map(({ subject, paymentId }) => [subject, paymentId]));
    const missing = rows.map(({ subject }) => subject).filter((subject) => !seen.ids.has(subject));
    const posted = await postedDeposits(db, missing, provider.simulation);
    for (const [subject, ours] of posted) {
      if (ours.received === 0n) continue;
      if (polled >= maxUnlisted) return false;
      polled++;
      const deposit = await provider.deposit(subject);
      const gone = { kind: 'missing_there' as const, subject, asset: ours.asset, theirs: '' };
      const differences = deposit ? compareDeposit(deposit, ours) : [{ ...gone, ours: fromFixedPoint(ours.received) }];
      const paymentId = paymentOf.get(subject) ?? null;
      seen.differences.push(...differences.map((difference) => ({ ...difference, paymentId })));
    }
    const last = rows.at(-1);
    if (!last || rows.length < 5_000) return true;
    after = last.subject;
  }
}

const overReturned = async (db: Db, simulation: boolean): Promise<Found[]> =>
  (await readOverReturned(db, { simulation })).map(({ paymentId, orderId, asset, amount }) => ({
    kind: 'over_returned',
    subject: orderId,
    paymentId,
    asset,
    ours: fromFixedPoint(BigInt(amount)),
    theirs: '',
  }));

const wrongTotals = async (db: Db): Promise<Found[]> =>
  (await readWrongTotals(db, {})).map(({ subject, asset, ours, theirs }) => ({
    kind: 'totals',
    subject,
    paymentId: null,
    asset,
    ours,
    theirs,
  }));

/** Stores the differences found; earlier ones that a complete run did not find again are ended. */
async function finish(
  { db, now, warn }: Options,
  id: string,
  state: RunState,
  seen: { deposits: number; found: number; differences: Found[] },
): Promise<void> {
  const at = now();
  const { deposits, found, differences } = seen;
  await db.transaction(async (tx) => {
    const seenIds: string[] = [];
    for (const difference of differences) {
      const [row] = await tx
        .insert(settlementDifferences)
        .values({ ...difference, foundAt: at, seenAt: at })
        .onConflictDoUpdate({
          target: [settlementDifferences.kind, settlementDifferences.subject, settlementDifferences.asset],
          // Unqualified, because PostgreSQL does not accept a table name here.
          targetWhere: sql`gone_at is null`,
          // An explained difference is open again when its values change.
          set: {
            seenAt: at,
            // An earlier version stored no payment for deposits that the provider does not list.
            paymentId: sql`coalesce(excluded.payment_id, ${settlementDifferences.paymentId})`,
            ours: sql`excluded.ours`,
            theirs: sql`excluded.theirs`,
            explainedAt: sql`case when ${same} then ${settlementDifferences.explainedAt} end`,
            explainedBy: sql`case when ${same} then ${settlementDifferences.explainedBy} end`,
            reason: sql`case when ${same} then ${settlementDifferences.reason} end`,
            version: sql`${settlementDifferences.version} + case when ${same} then 0 else 1 end`,
          },
        })
        .returning({ id: settlementDifferences.id });
      if (row) seenIds.push(row.id);
    }
    if (state === 'whole')
      await tx
        .update(settlementDifferences)
        .set({ goneAt: at, version: sql`${settlementDifferences.version} + 1` })
        .where(
          and(
            isNull(settlementDifferences.goneAt),
            seenIds.length > 0 ? notInArray(settlementDifferences.id, seenIds) : sql`true`,
          ),
        );
    await tx
      .update(settlementRuns)
      .set({ state, finishedAt: at, deposits, found, differences: differences.length })
      .where(eq(settlementRuns.id, id));
    await publishChange(tx, 'tokenRequests');
  });
  if (state === 'cut') warn({ deposits }, 'the comparison with the provider is not complete');
  if (differences.length > 0) warn({ differences: differences.length }, 'the money ledger and the provider differ');
}

const same = sql`(${settlementDifferences.ours} = excluded.ours and ${settlementDifferences.theirs} = excluded.theirs)`;
