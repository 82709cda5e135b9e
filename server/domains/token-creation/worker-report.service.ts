import { eq, sql } from 'drizzle-orm';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Db } from '#server/db/client.ts';
import { asBoolean } from '#server/db/expressions.ts';
import { signerWorkers } from '#server/db/tables/token-creations.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Probe } from '#server/providers/chains/port.ts';
import { countToday } from './creation-store.service.ts';

export interface WorkerReport {
  network: TokenNetwork;
  state: (typeof signerWorkers.$inferSelect)['state'];
  detail: string | null;
  dailyCap: number;
  startedAt: Date;
  /** Null when the chain did not respond; the previous values then remain. */
  probe: Probe | null;
}

/** Stores the signer's report about a network; a live event is published when its state changed, or after a minute of silence. */
export function reportWorker(db: Db, word: WorkerReport, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const { network, state, detail, dailyCap, probe } = word;
    const [old] = await tx
      .select({
        state: signerWorkers.state,
        silent: sql`${signerWorkers.seenAt} < now() - interval '60 seconds'`.mapWith(asBoolean),
      })
      .from(signerWorkers)
      .where(eq(signerWorkers.network, network));
    const used = await countToday(tx, network, now);
    const reportedState = used >= dailyCap && state === 'ready' ? 'cap_reached' : state;
    const enough = probe === null ? null : Math.min(probe.enoughFor, 1_000_000);
    const seen = [probe?.chainId, probe?.production, probe?.deployer, probe?.balance, probe?.coin, probe?.cost, enough];
    const [chainId, production, deployer, balance, coin, cost, enoughFor] = seen.map((value) => value ?? null);
    await tx.execute(sql`
      insert into signer_workers (network, state, detail, chain_id, production, deployer, balance, coin, cost, enough_for,
        daily_cap, used_today, used_on, started_at, seen_at)
      values (${network}, ${reportedState}, ${detail?.slice(0, 300) ?? null}, ${chainId}, ${production}, ${deployer}, ${balance}, ${coin},
        ${cost}, ${enoughFor}, ${dailyCap}, ${used}, ${now.toISOString().slice(0, 10)}::date, ${word.startedAt.toISOString()},
        now())
      on conflict (network) do update set state = excluded.state, detail = excluded.detail,
        chain_id = coalesce(excluded.chain_id, signer_workers.chain_id),
        production = coalesce(excluded.production, signer_workers.production),
        deployer = coalesce(excluded.deployer, signer_workers.deployer),
        balance = coalesce(excluded.balance, signer_workers.balance), coin = coalesce(excluded.coin, signer_workers.coin),
        cost = coalesce(excluded.cost, signer_workers.cost),
        enough_for = coalesce(excluded.enough_for, signer_workers.enough_for),
        daily_cap = excluded.daily_cap, used_today = excluded.used_today, used_on = excluded.used_on,
        started_at = excluded.started_at, seen_at = now()`);
    if (!old || old.silent || old.state !== reportedState) await publishChange(tx, 'tokenRequests');
  });
}
