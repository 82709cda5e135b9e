// Signed results of rounds and days.
import type { Tx } from '#server/db/client.ts';
import { ledgerResults } from '#server/db/tables/ledger.ts';
import { fromText, toHex } from '#verify/bytes.ts';
import { formatEntry } from '#verify/entries.ts';
import { formatResult } from '#verify/result.ts';
import { nodeSha256 } from '#verify/sources.ts';
import type { Row } from '#verify/tally.ts';
import { listCandidate } from './changes.ts';
import { type SigningKey, signNote } from './key.ts';
import { readDay, readMoved, readStandings } from './ledger.sql.ts';
import type { OpenTree } from './tree-store.ts';

/** Appends the standings that were frozen when a round ended, over all changes up to there. */
export async function appendRoundResult(
  tx: Tx,
  tree: OpenTree,
  { origin, key, roundId, number }: { origin: string; key: SigningKey; roundId: string; number: number },
): Promise<void> {
  const rows = await readStandings(tx, { roundId });
  // The candidates of the round are recorded before the result, so that an omission is visible.
  for (const { id, added, listed } of await readMoved(tx, { roundId }))
    await listCandidate(tx, tree, id, added, listed);
  await appendResult(tx, tree, { origin, key, of: `round/${number}`, rows });
}

/** Appends the votes of a past UTC day, as counted by the site. */
export async function appendDayResult(
  tx: Tx,
  tree: OpenTree,
  { origin, key, day }: { origin: string; key: SigningKey; day: string },
): Promise<void> {
  const rows = await readDay(tx, { day });
  if (rows.length > 0) await appendResult(tx, tree, { origin, key, of: `day/${day}`, rows });
}

async function appendResult(
  tx: Tx,
  tree: OpenTree,
  { origin, key, of, rows }: { origin: string; key: SigningKey; of: string; rows: Row[] },
): Promise<void> {
  const text = formatResult({ origin, of, size: tree.size, root: tree.root(), rows });
  await tx.insert(ledgerResults).values({ of, seq: tree.size, statement: signNote(origin, key, text) });
  tree.append({
    entry: formatEntry({ kind: 'result', seq: tree.size, of, sha256: toHex(nodeSha256(fromText(text))) }),
    voteId: null,
  });
  await tree.save();
}
