import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Delivery, Network } from '#contract/domains/networks.ts';
import { creatableOn } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { blockchainNetworks } from '#server/db/tables/networks.ts';
import { readSigners } from '#server/domains/token-creation/signer-workers.service.ts';

/** Settings that determine which networks are deliverable. */
interface Services {
  publicUrl: string;
  payments: { mode: { simulation: boolean } };
}

/** Active networks, oldest first. */
function activeNetworks(db: Reader) {
  const { id, key, name, symbol, isActive, manualDays, createdAt } = blockchainNetworks;
  return db
    .select({ id, key, name, symbol, isActive, manualDays, createdAt })
    .from(blockchainNetworks)
    .where(and(eq(isActive, true), isNull(blockchainNetworks.deletedAt)))
    .orderBy(asc(createdAt), asc(id));
}

/** Keys of the active networks, which forms accept, including those on which no token is sold. */
export const activeKeys = async (db: Reader): Promise<string[]> => (await activeNetworks(db)).map(({ key }) => key);

/** Active networks, oldest first, each with its method of delivery. */
export async function listNetworks(db: Reader, services: Services): Promise<Network[]> {
  const rows = await activeNetworks(db);
  const { served, anyone } = await readSigners(db, services);
  const { simulation } = services.payments.mode;
  const deliveryOf = ({ key, manualDays }: (typeof rows)[number]): Delivery | null => {
    const chain = creatableOn(key);
    if (chain && served.has(chain)) return 'signer';
    if (manualDays !== null) return 'manual';
    return chain && simulation && !anyone ? 'trial' : null;
  };
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), delivery: deliveryOf(row) }));
}

/** Networks for which a token can be paid now: those on which it can be delivered (AMB-216). */
export const networksOnSale = async (db: Reader, services: Services): Promise<Network[]> =>
  (await listNetworks(db, services)).filter(({ delivery }) => delivery !== null);
