import { sql } from 'drizzle-orm';
import type { ChainStatus } from '#contract/admin/token-requests.ts';
import { CHAIN_NETWORKS, TOKEN_NETWORKS, type TokenNetwork } from '#contract/token-form.ts';
import type { Reader } from '#server/db/client.ts';
import { isMetadataUrlFit, metadataUrlOf } from './snapshot.policy.ts';

/** Seconds without a word of the signer after which nobody counts on it; it speaks every 15. */
const SILENT = 60;
const ANY_REQUEST = '00000000-0000-4000-8000-000000000000';

interface LaneRow extends Record<string, unknown> {
  network: TokenNetwork;
  state: 'ready' | 'unreachable' | 'wrong_chain' | 'unsupported' | 'low_balance' | 'cap_reached';
  detail: string | null;
  chainId: string | null;
  production: boolean | null;
  deployer: string | null;
  balance: string | null;
  coin: string | null;
  cost: string | null;
  enoughFor: number | null;
  dailyCap: number;
  usedToday: number;
  seenAt: string;
  fresh: boolean;
}

/** Settings of the house that these functions need. */
interface House {
  publicUrl: string;
  payments: { mode: { simulation: boolean } };
}

/** Every network on which tokens can be made, and the one that an operator added (AMB-55); as the signer last said. */
export async function listChains(db: Reader, house: House): Promise<ChainStatus[]> {
  const { rows } = await db.execute<LaneRow>(sql`
    select network, state, detail, chain_id as "chainId", production, deployer, balance, coin, cost,
      enough_for as "enoughFor", daily_cap as "dailyCap",
      case when used_on = (now() at time zone 'utc')::date then used_today else 0 end as "usedToday",
      seen_at as "seenAt", seen_at > now() - ${`${SILENT} seconds`}::interval as fresh
    from chain_lanes`);
  const { rows: queued } = await db.execute<{ network: TokenNetwork; n: number }>(sql`
    select c.network, count(*)::int as n from token_creations c
    where c.state in ('queued', 'working') and not exists (select 1 from creation_attempts a where a.creation_id = c.id)
    group by c.network`);
  const lanes = new Map(rows.map((row) => [row.network, row]));
  const waits = new Map(queued.map(({ network, n }) => [network, n]));
  return CHAIN_NETWORKS.filter((network) => lanes.has(network) || TOKEN_NETWORKS.some((one) => one === network)).map(
    (network) => {
      const lane = lanes.get(network);
      const waiting = waits.get(network) ?? 0;
      return {
        network,
        why: whyNot(lane, waiting, house),
        detail: lane?.detail ?? null,
        chainId: lane?.chainId ?? null,
        production: lane?.production ?? null,
        deployer: lane?.deployer ?? null,
        balance: lane?.balance ?? null,
        coin: lane?.coin ?? null,
        cost: lane?.cost ?? null,
        enoughFor: lane?.enoughFor ?? null,
        dailyCap: lane?.dailyCap ?? null,
        usedToday: lane?.usedToday ?? null,
        waiting,
        seenAt: lane ? new Date(lane.seenAt).toISOString() : null,
      };
    },
  );
}

/** Why nothing can be ordered there now; null when it can. What waits already has its share of balance and cap. */
function whyNot(lane: LaneRow | undefined, waiting: number, house: House): ChainStatus['why'] {
  if (!lane) return 'not_configured';
  if (!lane.fresh) return 'signer_offline';
  if (lane.state === 'unreachable' || lane.state === 'wrong_chain' || lane.state === 'unsupported') return lane.state;
  if (lane.production === null) return 'unreachable';
  if (lane.production === house.payments.mode.simulation) return 'wrong_money';
  if (!isMetadataUrlFit(metadataUrlOf(house.publicUrl, ANY_REQUEST), lane.production)) return 'public_address';
  if (lane.state === 'low_balance' || (lane.enoughFor ?? 0) <= waiting) return 'low_balance';
  if (lane.usedToday + waiting >= lane.dailyCap) return 'cap_reached';
  return null;
}
