import type { startTestApp } from '#tests/support/app/test-app.ts';
import { confirmedSummary } from '#tests/support/payments/confirmed-summary.ts';

let serial = 0;

/** Leaves a token of a request on its chain, as a signer does; `queued`: only ordered. @returns its address. */
export async function createdToken(
  app: Pick<Awaited<ReturnType<typeof startTestApp>>, 'sql'>,
  requestId: string,
  over: {
    network?: string;
    /** Symbol of a token that becomes public on a shared site, unlike any other. */
    symbol?: string;
    queued?: boolean;
    owner?: string;
    address?: string;
    simulation?: boolean;
    chainId?: string;
    plan?: Record<string, string>;
  } = {},
): Promise<{ address: string; transaction: string }> {
  const address = over.address ?? `0x${String(++serial).padStart(40, 'a')}`;
  const transaction = `0x7${serial}`;
  const symbol = over.symbol ?? 'Ajo';
  const units = `1000${'0'.repeat(18)}`;
  const facts = {
    name: 'Ajolote',
    symbol,
    decimals: 18,
    supply: units,
    ownerReceived: units,
    mintAuthority: null,
    freezeAuthority: null,
    metadataLocked: true,
    transaction,
    block: '12',
    at: '2026-03-01T00:00:00.000Z',
  };
  const network = over.network ?? 'binance';
  const { proposalId, snapshot, metadata } = await confirmedSummary(app, requestId, {
    network,
    symbol,
    owner: over.owner ?? address,
  });
  await app.sql(
    `insert into token_creations (submission_id, network, snapshot, snapshot_hash, simulation, metadata, proposal_id, ordered_at,
       begun_at, updated_at) values ($1, $2, $3, token_snapshot_hash($3), $6, $4, $5, now(), now(), now())`,
    [requestId, network, snapshot, metadata, proposalId, over.simulation ?? true],
  );
  if (!over.queued)
    await app.sql(
      `update token_creations set state = 'completed', stage = 'completed', plan = $5, chain_id = $6, address = $2,
         address_page = 'https://explorer.test/token/' || $2, transaction = $3,
         transaction_page = 'https://explorer.test/tx/' || $3, facts = $4, completed_at = '2026-03-01T00:00:00Z'
       where submission_id = $1`,
      [requestId, address, transaction, facts, over.plan ?? {}, over.chainId ?? '31337'],
    );
  return { address, transaction };
}
