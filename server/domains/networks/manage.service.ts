import { eq, like, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AdminNetwork } from '#contract/admin/networks.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { blockchainNetworks } from '#server/db/tables/networks.ts';
import { forEachRecord, forEachSeen, type Seen } from '#server/records/bulk.ts';
import { type ListQuery, listRecords, matchesTerms, onShelf } from '#server/records/lists.ts';
import {
  createRecord,
  type Editor,
  type RecordKind,
  removeRecord,
  restoreRecord,
  type TrashedRecord,
  updateRecord,
} from '#server/records/records.ts';
import type { Trash } from '#server/records/trash.ts';

const NETWORK: RecordKind<typeof blockchainNetworks> = {
  table: blockchainNetworks,
  what: 'network',
  live: ['networks'],
  show: ({ name, symbol, isActive, manualDays, key }) => ({ name, symbol, isActive, manualDays, key }),
  unique: {
    blockchain_networks_name: 'name',
    blockchain_networks_symbol: 'symbol',
    blockchain_networks_key_key: 'name',
  },
};

/** A network that a request names is kept: another network could get its key, and the request would refer to that one. */
export const NETWORK_TRASH: Trash = {
  table: 'blockchain_networks',
  show: ['key', 'name', 'symbol'],
  keep: 'exists (select 1 from token_creation_submissions s where s.selected_network = t.key)',
};

interface NetworkFields {
  name: string;
  symbol: string;
  isActive: boolean;
  manualDays: number | null;
}
type NetworkChange = Omit<NetworkFields, 'manualDays'> & { manualDays?: number | null | undefined };

/** Networks for the back office. */
export async function listAllNetworks(
  db: Reader,
  input: ListQuery & { shelf: 'live' | 'trash' },
): Promise<{ rows: AdminNetwork[]; total: number }> {
  const parts = {
    from: sql`from blockchain_networks n`,
    where: [onShelf(sql`n.deleted_at`, input.shelf)],
    sorts: {
      createdAt: sql`n.created_at`,
      name: sql`lower(n.name)`,
      symbol: sql`lower(n.symbol)`,
      updatedAt: sql`n.updated_at`,
    },
    notNull: ['createdAt', 'name', 'symbol', 'updatedAt'],
    tieBreaker: sql`n.id`,
    id: sql`n.id`,
    title: sql`n.name`,
    searchTerms: matchesTerms(sql`blockchain_networks n`, sql`n.id`, sql`n.search`, input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db.select().from(alias(blockchainNetworks, 'n')).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(networkOf), total };
}

/** Creates a network. @throws DUPLICATE when another one has its name or symbol, ignoring case. */
export async function createNetwork(db: Db, by: Editor, fields: NetworkFields): Promise<AdminNetwork> {
  const key = await freeKey(db, fields.name);
  return networkOf(await createRecord(db, NETWORK, by, { ...fields, key, createdAt: by.now, updatedAt: by.now }));
}

/** Updates a network; its key, which requests store, does not change. @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE */
export const updateNetwork = async (
  db: Db,
  by: Editor,
  { id, version, manualDays, ...fields }: NetworkChange & { id: string; version: number },
): Promise<AdminNetwork> =>
  networkOf(
    await updateRecord(
      db,
      NETWORK,
      by,
      { id, version },
      { ...fields, ...(manualDays === undefined ? {} : { manualDays }) },
    ),
  );

/** Activates or deactivates several networks, each in a transaction of its own with its audit entry and live event. */
export const switchNetworks = (db: Db, by: Editor, records: readonly Seen[], isActive: boolean) =>
  forEachSeen(records, (seen) => updateRecord(db, NETWORK, by, seen, { isActive }));

/** Moves a network to the trash; requests retain it. @throws NOT_FOUND, VERSION_CONFLICT */
export const removeNetwork = async (db: Db, by: Editor, seen: { id: string; version: number }): Promise<AdminNetwork> =>
  networkOf(await removeRecord(db, NETWORK, by, seen));

/** Restores a network from the trash. @throws NOT_FOUND, DUPLICATE */
export const restoreNetwork = async (db: Db, by: Editor, record: TrashedRecord): Promise<AdminNetwork> =>
  networkOf(await restoreRecord(db, NETWORK, by, record));

/** A key derived from the name that no network has, here or in the trash: requests for a deleted network must not refer to a new one. */
async function freeKey(db: Reader, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const stem = plain.slice(0, 40) || 'network';
  const { key: column } = blockchainNetworks;
  const rows = await db
    .select({ key: column })
    .from(blockchainNetworks)
    .where(or(eq(column, stem), like(column, `${stem}-%`)));
  const taken = new Set(rows.map((row) => row.key));
  for (let serial = 1; ; serial++) {
    const key = serial === 1 ? stem : `${stem}-${serial}`;
    if (!taken.has(key)) return key;
  }
}

const networkOf = (row: typeof blockchainNetworks.$inferSelect): AdminNetwork => ({
  id: row.id,
  key: row.key,
  name: row.name,
  symbol: row.symbol,
  isActive: row.isActive,
  manualDays: row.manualDays,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

/** Moves several networks to the trash, each as it was seen, in a transaction of its own. */
export const removeNetworks = (db: Db, by: Editor, records: readonly Seen[]) =>
  forEachSeen(records, (seen) => removeNetwork(db, by, seen));

/** Restores several networks from the trash, one transaction each. With `undo`, as the undo of their deletion. */
export const restoreNetworks = (db: Db, by: Editor, ids: readonly string[], { undo }: Pick<TrashedRecord, 'undo'>) =>
  forEachRecord(ids, async (id) => {
    await restoreNetwork(db, by, { id, undo });
    return 'done';
  });
