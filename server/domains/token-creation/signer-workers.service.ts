import { gt, sql } from 'drizzle-orm';
import type { ChainStatus } from '#contract/admin/token-creation.ts';
import { TOKEN_NETWORKS, type TokenNetwork } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { asBoolean } from '#server/db/expressions.ts';
import { signerWorkers, tokenCreations } from '#server/db/tables/token-creations.ts';
import { isMetadataUrlFit, metadataUrlOf } from './snapshot.policy.ts';

/** Seconds without a heartbeat after which the signer counts as offline; it sends one every 15 seconds. */
const SILENT = 60;
/**
 * Seconds since the last heartbeat for which a network stays on sale. A restart, an unreachable node or missing funds only delay a
 * paid token; only a permanently stopped signer would leave it undelivered.
 */
const SERVED = 3_600;
const ANY_HASH = '0'.repeat(64);

/** Dependencies of these functions. */
interface Services {
  publicUrl: string;
  payments: { mode: { simulation: boolean } };
}

const secondsAgo = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`;

const readWorkers = (db: Reader) =>
  db
    .select({
      network: signerWorkers.network,
      state: signerWorkers.state,
      detail: signerWorkers.detail,
      chainId: signerWorkers.chainId,
      production: signerWorkers.production,
      deployer: signerWorkers.deployer,
      balance: signerWorkers.balance,
      coin: signerWorkers.coin,
      cost: signerWorkers.cost,
      enoughFor: signerWorkers.enoughFor,
      dailyCap: signerWorkers.dailyCap,
      usedToday:
        sql`case when used_on = (now() at time zone 'utc')::date then ${signerWorkers.usedToday} else 0 end`.mapWith(
          Number,
        ),
      seenAt: signerWorkers.seenAt,
      fresh: sql`${signerWorkers.seenAt} > ${secondsAgo(SILENT)}`.mapWith(asBoolean),
    })
    .from(signerWorkers);
type Worker = Awaited<ReturnType<typeof readWorkers>>[number];

/** Status of every network on which tokens can be created, from the signer's last report. */
export async function listChains(db: Reader, services: Services): Promise<ChainStatus[]> {
  const rows = await readWorkers(db);
  const queued = await db
    .select({ network: tokenCreations.network, n: sql`count(*)`.mapWith(Number) })
    .from(tokenCreations)
    .where(
      sql`${tokenCreations.state} in ('queued', 'working')
        and not exists (select 1 from creation_attempts a where a.creation_id = ${tokenCreations.id})`,
    )
    .groupBy(tokenCreations.network);
  const workers = new Map(rows.map((row) => [row.network, row]));
  const waits = new Map(queued.map(({ network, n }) => [network, n]));
  return TOKEN_NETWORKS.map((network) => {
    const worker = workers.get(network);
    const waiting = waits.get(network) ?? 0;
    return {
      network,
      why: whyNot(worker, waiting, services),
      detail: worker?.detail ?? null,
      chainId: worker?.chainId ?? null,
      production: worker?.production ?? null,
      deployer: worker?.deployer ?? null,
      balance: worker?.balance ?? null,
      coin: worker?.coin ?? null,
      cost: worker?.cost ?? null,
      enoughFor: worker?.enoughFor ?? null,
      dailyCap: worker?.dailyCap ?? null,
      usedToday: worker?.usedToday ?? null,
      waiting,
      seenAt: worker?.seenAt.toISOString() ?? null,
    };
  });
}

/** States in which nothing can be ordered. */
const STOPS = ['unreachable', 'wrong_chain', 'unsupported', 'key_unavailable', 'wrong_key'] as const;

/** States in which a signer can't create a token until an operator corrects its settings. */
const BROKEN: readonly Worker['state'][] = ['wrong_chain', 'unsupported', 'wrong_key'];

/**
 * Networks that a signer serves: it reported within the hour, reached the chain, and its chain matches the kind of money (real or
 * simulated) that is taken here.
 *
 * @returns `anyone`: some signer reported within the hour, whatever it serves.
 */
export async function readSigners(
  db: Reader,
  services: Services,
): Promise<{ served: ReadonlySet<TokenNetwork>; anyone: boolean }> {
  const { network, state, production, seenAt } = signerWorkers;
  const rows = await db
    .select({ network, state, production })
    .from(signerWorkers)
    .where(gt(seenAt, secondsAgo(SERVED)));
  const serves = ({ state, production }: (typeof rows)[number]) =>
    !BROKEN.includes(state) && production !== null && whyNotHere(production, services) === null;
  return { served: new Set(rows.filter(serves).map(({ network }) => network)), anyone: rows.length > 0 };
}

/** The reason why a chain can't be used with the settings of this site. */
function whyNotHere(production: boolean, services: Services): 'wrong_money' | 'public_address' | null {
  if (production === services.payments.mode.simulation) return 'wrong_money';
  return isMetadataUrlFit(metadataUrlOf(services.publicUrl, ANY_HASH), production) ? null : 'public_address';
}

/** The reason why nothing can be ordered on a network now; null when it can. Waiting creations count against balance and cap. */
function whyNot(worker: Worker | undefined, waiting: number, services: Services): ChainStatus['why'] {
  if (!worker) return 'not_configured';
  if (!worker.fresh) return 'signer_offline';
  const stops = STOPS.find((state) => state === worker.state);
  if (stops) return stops;
  if (worker.production === null) return 'unreachable';
  const wrong = whyNotHere(worker.production, services);
  if (wrong) return wrong;
  if (worker.state === 'low_balance' || (worker.enoughFor ?? 0) <= waiting) return 'low_balance';
  if (worker.usedToday + waiting >= worker.dailyCap) return 'cap_reached';
  return null;
}
