import { eq, sql } from 'drizzle-orm';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Db } from '#server/db/client.ts';
import { asBoolean } from '#server/db/expressions.ts';
import { signerWorkers } from '#server/db/tables/token-creations.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Probe } from '#server/providers/chains/port.ts';
import { countToday } from './creation-work.service.ts';

export interface WorkerReport {
  network: TokenNetwork;
  state: (typeof signerWorkers.$inferSelect)['state'];
  detail: string | null;
  dailyCap: number;
  startedAt: Date;
  /** Null when the chain did not respond; the previous values then remain. */
  probe: Probe | null;
}

const readingOf = ({ chainId, production, deployer, balance, coin, cost, enoughFor }: Probe) => ({
  chainId,
  production,
  deployer,
  balance,
  coin,
  cost,
  enoughFor: Math.min(enoughFor, 1_000_000),
});

/**
 * Stores the signer's report about a network; a live event is published when its state changed, or after a minute without a report. The
 * report of a standby does not replace that of another process within that minute.
 */
export function reportWorker(
  db: Db,
  word: WorkerReport,
  { role, now }: { role: 'at work' | 'standby'; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    const { network, state, detail, dailyCap, probe } = word;
    const [old] = await tx
      .select({
        state: signerWorkers.state,
        startedAt: signerWorkers.startedAt,
        silent: sql`${signerWorkers.seenAt} < now() - interval '60 seconds'`.mapWith(asBoolean),
      })
      .from(signerWorkers)
      .where(eq(signerWorkers.network, network));
    const isOwn = old?.startedAt.getTime() === word.startedAt.getTime();
    if (role === 'standby' && old?.silent === false && !isOwn) return;
    const used = await countToday(tx, network, now);
    const reportedState = used >= dailyCap && state === 'ready' ? 'cap_reached' : state;
    const report = {
      state: reportedState,
      detail: detail?.slice(0, 300) ?? null,
      dailyCap,
      usedToday: used,
      usedOn: now.toISOString().slice(0, 10),
      startedAt: word.startedAt,
      seenAt: sql`now()`,
      ...(probe ? readingOf(probe) : {}),
    };
    await tx
      .insert(signerWorkers)
      .values({ network, ...report })
      .onConflictDoUpdate({ target: signerWorkers.network, set: report });
    if (!old || old.silent || old.state !== reportedState) await publishChange(tx, 'tokenRequests');
  });
}
