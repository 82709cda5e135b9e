import { and, eq, sql } from 'drizzle-orm';
import type { CreationFacts, Token } from '#contract/domains/tokens.ts';
import { requestNetworkOf } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { readPublicResult } from './latest-readings.service.ts';
import { readSource } from './sources.service.ts';

/** Facts that were read from the chain about a token created here; null for any other address. None of them was typed by a person. */
export async function readCreationFacts(
  db: Reader,
  { network, contractAddress }: Pick<Token, 'network' | 'contractAddress'>,
): Promise<CreationFacts | null> {
  if (!network || !contractAddress) return null;
  const rows = await db
    .select()
    .from(tokenCreations)
    .where(
      and(sql`lower(${tokenCreations.address}) = lower(${contractAddress})`, eq(tokenCreations.state, 'completed')),
    );
  // EVM addresses are compared case-insensitively, all others exactly.
  const row = rows.find(
    (one) => requestNetworkOf(one.network) === network && (network !== 'solana' || one.address === contractAddress),
  );
  // A completed creation has all of these values.
  if (!row?.facts || row.address === null || row.transaction === null || row.completedAt === null) return null;
  const { facts } = row;
  const units = BigInt(facts.supply);
  const readAt = row.completedAt.toISOString();
  return {
    network,
    address: row.address,
    transaction: row.transaction,
    transactionUrl: row.transactionPage,
    addressUrl: row.addressPage,
    createdAt: facts.at ?? readAt,
    supply: String(units / 10n ** BigInt(facts.decimals)),
    ownerShare: units > 0n ? Number((BigInt(facts.ownerReceived) * 10_000n) / units) / 100 : null,
    mintRevoked: facts.mintAuthority === null,
    freezeRevoked: facts.freezeAuthority === null,
    metadataLocked: facts.metadataLocked,
    filesHashed: row.snapshot.version === '2',
    sourceVerifiedAt: (await readSource(db, row.id))?.verifiedAt ?? null,
    simulation: row.simulation,
    readAt,
    again: await readPublicResult(db, row.id),
  };
}
