// Checks that every vote is in the public ledger exactly once for each of its states, and that the signed part is
// complete.
import path from 'node:path';
import type pg from 'pg';
import { parseEntry, type VoteState } from '#verify/entries.ts';
import { verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { until } from '../rig/wait.ts';
import { type Findings, rowsOf } from './findings.ts';

/** Maximum wait for changes that are not entered and signed yet. Milliseconds. */
const ENTERED = 90_000;

/** Compares the votes with the leaves, and the leaves with the files and their signature. */
export async function checkLedger(
  client: pg.Client,
  environment: FaultEnvironment,
  { lost, doubled, wrong }: Findings,
): Promise<void> {
  const waiting = async () => {
    const [row] = await rowsOf(
      client,
      `select (select count(*) from vote_changes) + (select count(*) from vote_moves) + coalesce((select size - published_size from ledger_log), 1) as n`,
    );
    return Number(row?.['n'] ?? 1);
  };
  await until('every change of a vote is entered and signed', async () => (await waiting()) === 0, ENTERED).catch(
    () => {},
  );
  const left = await waiting();
  if (left > 0) wrong.push(`ledger: ${left} changes of votes were not entered and signed`);
  const last = new Map<string, VoteState>();
  for (const { entry } of await rowsOf(client, 'select entry from ledger_leaves order by seq')) {
    const leaf = parseEntry(String(entry));
    if (leaf?.kind !== 'vote') continue;
    const key = `${leaf.round}/${leaf.candidate}/${leaf.day}/${leaf.voter}`;
    if (last.get(key) === leaf.state) doubled.push(`leaf ${leaf.seq}: the vote was ${leaf.state} already`);
    last.set(key, leaf.state);
  }
  const inLedger = new Map<VoteState, number>();
  for (const state of last.values()) inLedger.set(state, (inLedger.get(state) ?? 0) + 1);
  for (const state of ['counted', 'under_review', 'void'] as const) {
    const [row] = await rowsOf(client, 'select count(*) as n from present_votes where state = $1', [state]);
    const [there, entered] = [Number(row?.['n'] ?? 0), inLedger.get(state) ?? 0];
    if (there !== entered) wrong.push(`ledger: ${entered} votes are ${state}, and ${there} in the table`);
  }
  const unlike = await rowsOf(
    client,
    `select v.id from present_votes v left join lateral (
       select entry from ledger_leaves where vote_id = v.id order by seq desc limit 1) l on true
     where l.entry is null or l.entry not like '%state=' || v.state || ' %'`,
  );
  for (const { id } of unlike) lost.push(`leaf of vote ${id}`);
  const dangling = await rowsOf(
    client,
    `select l.seq from ledger_leaves l where l.vote_id is not null and not exists (select 1 from votes v where v.id = l.vote_id)`,
  );
  for (const { seq } of dangling) wrong.push(`leaf ${seq}: leads to a vote that is gone`);
  const { problems } = await verifyLedger({
    source: openSource(path.join(environment.dataDir, 'uploads/files/ledger')),
    hash: nodeSha256,
  });
  for (const { code, detail } of problems) wrong.push(`ledger: ${code}, ${detail}`);
}
