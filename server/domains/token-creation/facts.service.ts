import { sql } from 'drizzle-orm';
import { requestNetworkOf, type TokenNetwork } from '#contract/token-form.ts';
import type { CreationFacts, Token } from '#contract/tokens.ts';
import type { Reader } from '#server/db/client.ts';

interface Row extends Record<string, unknown> {
  network: TokenNetwork;
  address: string;
  addressPage: string | null;
  transaction: string;
  transactionPage: string | null;
  facts: {
    decimals: number;
    supply: string;
    ownerReceived: string;
    mintAuthority: string | null;
    freezeAuthority: string | null;
    metadataLocked: boolean;
    at: string | null;
  };
  simulation: boolean;
  completedAt: string | Date;
}

/** What the chain said about a token that was made here; null for every other address. Nothing in it was typed by anybody. */
export async function readCreationFacts(
  db: Reader,
  { network, contractAddress }: Pick<Token, 'network' | 'contractAddress'>,
): Promise<CreationFacts | null> {
  if (!network || !contractAddress) return null;
  const { rows } = await db.execute<Row>(sql`
    select network, address, address_page as "addressPage", transaction, transaction_page as "transactionPage", facts,
      simulation, completed_at as "completedAt"
    from token_creations where lower(address) = lower(${contractAddress}) and state = 'completed'`);
  // Only where letters carry no meaning may their case differ.
  const row = rows.find(
    (one) => requestNetworkOf(one.network) === network && (network !== 'solana' || one.address === contractAddress),
  );
  if (!row) return null;
  const { facts } = row;
  const units = BigInt(facts.supply);
  const readAt = new Date(row.completedAt).toISOString();
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
    simulation: row.simulation,
    readAt,
  };
}
