import { FIGURES, type FigureName } from '#contract/domains/market.ts';
import { MARKET } from '#contract/limits.ts';
import type { Network } from '#contract/networks.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { publishChange } from '#server/live/publish.ts';
import { type HolderProvider, MarketError, type PriceProvider, type Quote } from '#server/providers/market/port.ts';
import type { FetchKind, Source } from './fetch-intervals.policy.ts';
import {
  type Claim,
  claimDue,
  mayFetch,
  pauseSource,
  planFetches,
  releaseClaim,
  settle,
  sourceAnswered,
} from './fetches.service.ts';
import {
  deleteUnfetchedFigures,
  deleteUnfetchedPrices,
  deleteUnlistedFetches,
  downsampleToDays,
  downsampleToHours,
  forgetPricesBefore,
  storeFigures,
  storePrice,
} from './refresh.sql.ts';

/** Time after which a run takes no more claims; the fetches of its last one follow. Milliseconds; the job runs every minute. */
const MAX_RUN_MS = 45_000;

type Values = Partial<Record<FigureName, number>>;
/** Outcome for the tokens of a claim, by address. */
interface Answer {
  known: Map<string, Values>;
  unknown: string[];
  refused: string[];
}

/** Refreshes market data; one per process, all on one database. */
export interface MarketService {
  /** True when providers are called at all. */
  readonly enabled: boolean;
  /** Fetches everything that is due, within the providers' rate limits. Concurrent calls share the work. */
  refresh(): Promise<{ polled: number; written: number }>;
}

export function createMarketService(options: {
  db: Db;
  providers: { prices: PriceProvider; holders: HolderProvider } | null;
  now: () => Date;
  log: { warn: (about: Record<string, unknown>, message: string) => void; info: (message: string) => void };
}): MarketService {
  const { db, providers, now, log } = options;

  /** Processes one kind of fetch until nothing is due, the limit per minute is reached, the provider fails, or the time is over. */
  async function runFetches(
    run: { polled: number; written: number; until: number },
    kind: FetchKind,
    source: Source,
    max: number,
    fetchValues: (network: Network, addresses: string[]) => Promise<Map<string, Values>>,
  ): Promise<void> {
    while (performance.now() < run.until) {
      const claim = await claimDue(db, kind, max, now());
      if (!claim) return;
      let unavailable: MarketError | null = null;
      let limitReached = false;
      const answer: Answer = { known: new Map(), unknown: [], refused: [] };
      const batches = [claim.tokens.map(({ address }) => address)];
      for (let next = batches.pop(); next; next = batches.pop()) {
        if (!(await mayFetch(db, source, now()))) {
          limitReached = true;
          break;
        }
        run.polled++;
        try {
          const found = await fetchValues(claim.network, next);
          for (const address of next) {
            const values = found.get(address);
            if (values && Object.keys(values).length > 0) answer.known.set(address, values);
            else answer.unknown.push(address);
          }
        } catch (error) {
          if (!(error instanceof MarketError)) {
            await releaseClaim(db, claim);
            throw error;
          }
          if (error.kind === 'away') {
            unavailable = error;
            break;
          }
          // One invalid address fails a whole batch: it is halved until that address is alone.
          const half = Math.ceil(next.length / 2);
          if (next.length === 1) answer.refused.push(...next);
          else batches.push(next.slice(half), next.slice(0, half));
        }
      }
      const written = await write(claim, answer, source, unavailable !== null);
      run.written += written;
      if (unavailable) {
        const { failures, until } = await pauseSource(db, source, unavailable.retryAfter, now(), Math.random);
        // Logged once per problem, not per attempt.
        if (failures === 1) log.warn({ source, err: unavailable, until }, 'market data: provider left alone');
        return;
      }
      const answered = answer.known.size + answer.unknown.length + answer.refused.length;
      if (answered > 0 && (await sourceAnswered(db, source, now()))) log.info(`market data: ${source} answers again`);
      if (limitReached) return;
    }
  }

  /** Stores a response and releases the rest of the claim. @returns the number of tokens that got values. */
  async function write(claim: Claim, answer: Answer, source: Source, away: boolean): Promise<number> {
    const time = now();
    return db.transaction(async (tx) => {
      const done = [...answer.known.keys(), ...answer.unknown, ...answer.refused];
      const ours = await settle(tx, claim, [...answer.known.keys()], 'known', time, Math.random);
      await settle(tx, claim, answer.unknown, 'unknown', time, Math.random);
      await settle(tx, claim, answer.refused, 'failed', time, Math.random);
      const rest = claim.tokens.flatMap(({ address }) => (done.includes(address) ? [] : [address]));
      // The tokens of the failed call are scheduled after the others, in case they caused the failure.
      if (away) await settle(tx, claim, rest, 'failed', time, Math.random);
      else await releaseClaim(tx, claim);
      for (const [address, values] of answer.known)
        if (ours.has(address)) await storeValues(tx, claim.network, address, values, source, time);
      return ours.size;
    });
  }

  return {
    enabled: providers !== null,
    async refresh() {
      const run = { polled: 0, written: 0, until: performance.now() + MAX_RUN_MS };
      if (!providers) return run;
      const { prices, holders } = providers;
      await planFetches(db, now());
      const done = await Promise.allSettled([
        (async () => {
          await runFetches(run, 'prices', prices.source, prices.max, async (network, addresses) =>
            mapped(await prices.prices(network, addresses), valuesOf),
          );
          await runFetches(run, 'pools', prices.source, 1, async (network, [address = '']) => {
            const quote = await prices.pools(network, address);
            return new Map(quote ? [[address, valuesOf(quote)]] : []);
          });
        })(),
        runFetches(run, 'holders', holders.source, 1, async (network, [address = '']) => {
          const count = await holders.holders(network, address);
          return new Map(count === null ? [] : [[address, { holders: count }]]);
        }),
      ]);
      // Once per run: open pages reload at most once a minute. If it is lost in a crash, the page cache expires after a minute.
      if (run.written > 0) await db.transaction((tx) => publishChange(tx, 'market'));
      const failed = done.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
      return { polled: run.polled, written: run.written };
    },
  };
}

const mapped = <A, B>(map: Map<string, A>, change: (value: A) => B) =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

/** Omits values that the provider does not report: the previous value remains, with its time. */
const valuesOf = (quote: Quote): Values =>
  Object.fromEntries(
    FIGURES.flatMap((figure) => {
      const value = figure === 'holders' ? null : quote[figure];
      return value === null ? [] : [[figure, value]];
    }),
  );

async function storeValues(
  tx: Tx,
  network: Network,
  address: string,
  values: Values,
  source: Source,
  time: Date,
): Promise<void> {
  const given = Object.entries(values);
  await storeFigures(tx, {
    network,
    address,
    figures: given.map(([figure]) => figure),
    values: given.map(([, value]) => value),
    source,
    at: time,
  });
  if (values.price === undefined) return;
  // One row per step of time, with the newest price in it.
  const step = MARKET.priceStep * 1_000;
  const begin = new Date(Math.floor(time.getTime() / step) * step);
  await storePrice(tx, { network, address, begin, price: values.price });
}

const DAY = 86_400_000;
interface Period {
  from: Date;
  to: Date;
}

/**
 * Downsamples one part of a period after another: one statement for all of it reads every price in it, and with many tokens exceeds its
 * time limit in every run.
 *
 * @param days length of a part.
 */
async function inParts(days: number, { from, to }: Period, downsample: (part: Period) => Promise<number>) {
  let removed = 0;
  for (let at = from.getTime(); at < to.getTime(); at += days * DAY)
    removed += await downsample({ from: new Date(at), to: new Date(Math.min(at + days * DAY, to.getTime())) });
  return removed;
}

/**
 * Downsamples recorded prices: one an hour after two days, one a day after a month, none after 400 days. Tokens without a
 * record are deleted after a month. Safe to repeat and to run concurrently.
 *
 * @throws the failures, after all steps.
 */
export async function downsamplePrices(db: Db, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  const { fineRetentionDays, hourlyRetentionDays, dailyRetentionDays } = MARKET;
  const [fine, hourly, daily] = [before(fineRetentionDays), before(hourlyRetentionDays), before(dailyRetentionDays)];
  let removed = 0;
  const steps = [
    () => inParts(1, { from: hourly, to: fine }, (part) => downsampleToHours(db, part)),
    () => inParts(30, { from: daily, to: hourly }, (part) => downsampleToDays(db, part)),
    () => forgetPricesBefore(db, { before: daily }),
    () => deleteUnlistedFetches(db, { before: before(30) }),
    () => deleteUnfetchedPrices(db, {}),
    () => deleteUnfetchedFigures(db, {}),
  ];
  await runEachSettled(steps, async (step) => {
    removed += await step();
  });
  return removed;
}
