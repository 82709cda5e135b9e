import type { TokenMetadata } from '#server/db/tables/token-creations.ts';
import { metadataBytes } from '#server/domains/token-creation/snapshot.policy.ts';
import { contentHash, pinnedPath } from '#server/lib/pinned-files.ts';
import type { startTestApp } from '#tests/support/app/test-app.ts';

/** What a token needs to be ordered, written to the tables: a summary that its payer confirmed. */
export async function confirmedSummary(
  app: Pick<Awaited<ReturnType<typeof startTestApp>>, 'sql'>,
  requestId: string,
  over: { network?: string; name?: string; symbol?: string; owner?: string; description?: string } = {},
) {
  const { network = 'ethereum', name = 'Ajolote', symbol = 'AJO', owner = '0x0', description = 'Un token' } = over;
  const metadata: TokenMetadata = { name, symbol, description, image: '' };
  const hash = contentHash(metadataBytes(metadata));
  const snapshot = {
    version: '2',
    requestId,
    network,
    name,
    symbol,
    supply: '1000',
    decimals: '18',
    owner,
    authorities: 'none',
    picture: '',
    metadata: hash,
    metadataUrl: `http://florka.test${pinnedPath(hash, 'application/json')}`,
  };
  const [row] = await app.sql<{ id: string }>(
    `insert into token_proposals (submission_id, snapshot, snapshot_hash, metadata, fields, proposed_at)
     values ($1, $2, token_snapshot_hash($2), $3, '{}', now()) returning id`,
    [requestId, snapshot, metadata],
  );
  // The latest answer, whatever the clock of the test.
  await app.sql(
    `update token_proposals set state = 'confirmed', answered_at = greatest(now(), (
       select max(answered_at) from token_proposals where submission_id = $2) + interval '1 second') where id = $1`,
    [row?.id, requestId],
  );
  return { proposalId: row?.id ?? '', snapshot, metadata, network };
}
