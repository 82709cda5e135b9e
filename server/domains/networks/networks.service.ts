import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Network } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { blockchainNetworks } from '#server/db/tables/networks.ts';

/** Networks on offer, oldest first. */
export async function listNetworks(db: Reader): Promise<Network[]> {
  const { id, key, name, symbol, isActive, createdAt } = blockchainNetworks;
  const rows = await db
    .select({ id, key, name, symbol, isActive, createdAt })
    .from(blockchainNetworks)
    .where(and(eq(isActive, true), isNull(blockchainNetworks.deletedAt)))
    .orderBy(asc(createdAt), asc(id));
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}
