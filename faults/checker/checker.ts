import { existsSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { firstBroken } from '../../scripts/operator/audit.ts';
import type { Entry, Journal, Kind } from '../load/journal.ts';
import { SITE_ROLES } from '../rig/cluster.ts';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { until } from '../rig/wait.ts';
import { checkConsequences } from './consequences.ts';
import { type Findings, rowsOf } from './findings.ts';
import { checkLedger } from './ledger.ts';
import { checkMoney } from './money.ts';

/** Number of rows for each key of a kind that is in the database. */
const PRESENT: Record<Exclude<Kind, 'read' | 'payment' | 'unpaid' | 'unvote' | 'ban'>, string> = {
  vote: `select candidate_id || '/' || user_id as key, count(*) as n from present_votes group by 1`,
  post: `select title as key, count(*) as n from forum_posts where title like 'Post of the load %' group by 1`,
  comment: 'select content as key, count(*) as n from forum_comments group by 1',
  draft: `select token_data ->> 'tokenName' as key, count(*) as n from token_creation_submissions group by 1`,
  upload: `select encode(sha256, 'hex') as key, count(*) as n from media where deleted_at is null group by 1`,
  admin: `select name as key, count(*) as n from blockchain_networks where name like 'Network %' group by 1`,
};

/** Each query returns one line for each violation. */
const COUNTERS: Record<string, string> = {
  'total of a candidate': `select c.token_name || ': ' || c.total_votes || ' for ' || count(v.*) as line
    from voting_candidates c left join present_votes v on v.candidate_id = c.id and v.state = 'counted' group by c.id having c.total_votes <> count(v.*)`,
  'uncounted votes of a candidate': `select c.token_name || ': ' || c.votes_under_review || ' and ' || c.votes_void as line
    from voting_candidates c left join present_votes v on v.candidate_id = c.id and exists (
      select 1 from voting_rounds r where r.status = 'open'
        and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at)))
    group by c.id having c.votes_under_review <> count(v.*) filter (where v.state = 'under_review')
      or c.votes_void <> count(v.*) filter (where v.state = 'void')`,
  'moment of a total': `select c.token_name as line from voting_candidates c
    left join present_votes v on v.candidate_id = c.id and v.state = 'counted'
    group by c.id having c.total_reached_at is distinct from max(v.created_at)`,
  'votes of a day': `select coalesce(d.candidate_id, v.candidate_id) || ' on ' || coalesce(d.day, v.day) as line
    from candidate_daily_votes d full join
      (select candidate_id, voted_on as day, count(*) as n from present_votes where state = 'counted' group by 1, 2) v using (candidate_id, day)
    where coalesce(d.votes, 0) <> coalesce(v.n, 0)`,
  'comments of a post': `select p.title || ': ' || p.comment_count as line from forum_posts p
    left join forum_comments c on c.post_id = p.id group by p.id having p.comment_count <> count(c.*)`,
  'audit entry': `select n.name as line from blockchain_networks n
    left join audit_events a on a.action = 'network.created' and a.resource_id = n.id::text
    where n.name like 'Network %' group by n.id having count(a.*) <> 1`,
  'act of an audit entry': `select a.id::text as line from audit_events a
    left join blockchain_networks n on n.id::text = a.resource_id where a.action = 'network.created' and n.id is null`,
};

/**
 * Compares the journal with the database directly. The load has stopped, and asynchronous work (callbacks, mails) is
 * done.
 * @param reviewed orders may also wait for a person: the provider reported something impossible.
 */
export async function check(environment: FaultEnvironment, journal: Journal, reviewed = false): Promise<Findings> {
  const client = await environment.cluster.connect(environment.database);
  const findings: Findings = { lost: [], doubled: [], wrong: [] };
  try {
    for (const kind of Object.keys(PRESENT) as (keyof typeof PRESENT)[]) {
      const rows = await rowsOf(client, PRESENT[kind]);
      const entries = kind === 'vote' ? remaining(journal) : journal.of(kind);
      compare(entries, new Map(rows.map(({ key, n }) => [String(key), Number(n)])), findings);
    }
    await checkVoteStates(client, journal, findings);
    await checkLedger(client, environment, findings);
    await checkConsequences(client, environment, findings);
    await checkFiles(client, environment, journal, findings);
    await checkPayments(client, journal, findings, reviewed);
    await checkMoney(client, environment, findings, reviewed);
    for (const [what, text] of Object.entries(COUNTERS))
      for (const { line } of await rowsOf(client, text)) findings.wrong.push(`${what}: ${line}`);
    const broken = await firstBroken(client);
    if (broken) findings.wrong.push(`audit chain: entry ${broken.id}`);
    await checkConnections(client, findings);
  } finally {
    await client.end();
  }
  return findings;
}

/** Votes as sent, except those that may have been withdrawn; one that certainly was must not be there. */
function remaining(journal: Journal): Entry[] {
  const back = new Map(journal.of('unvote').map((entry) => [entry.key, entry.ending]));
  return journal.of('vote').flatMap((entry): Entry[] => {
    const ending = back.get(entry.key);
    if (ending === undefined || ending === 'fail') return [entry];
    return [{ ...entry, ending: ending === 'ok' ? 'fail' : 'unknown' }];
  });
}

/** Every banned member is banned, and none of their votes counts; no other vote is void because of a ban. */
async function checkVoteStates(client: pg.Client, journal: Journal, { lost, doubled, wrong }: Findings): Promise<void> {
  const rows = await rowsOf(
    client,
    `select u.id as key, count(v.*) filter (where v.state <> 'void') as counted,
       count(*) filter (where a.action = 'member.disabled') as entries
     from users u left join votes v on v.user_id = u.id
     left join audit_events a on a.resource_id = u.id::text and a.action = 'member.disabled'
     where u.banned_until is not null group by 1`,
  );
  const banned = new Map(rows.map((row) => [String(row['key']), row]));
  const sent = new Map(journal.of('ban').map((entry) => [entry.key, entry]));
  for (const [key, { ending }] of sent) {
    const row = banned.get(key);
    if (ending === 'ok' && !row) lost.push(`ban of ${key}`);
    if (ending === 'fail' && row) doubled.push(`ban of ${key}: refused and there all the same`);
    if (row && Number(row['counted']) > 0) wrong.push(`votes of the banned ${key} count`);
    if (row && Number(row['entries']) === 0) wrong.push(`audit entry: ban of ${key}`);
  }
  for (const key of banned.keys()) if (!sent.has(key)) doubled.push(`ban of ${key}: nobody sent it`);
  const others = await rowsOf(
    client,
    `select v.id from present_votes v join users u on u.id = v.user_id where v.state = 'void' and u.banned_until is null`,
  );
  for (const { id } of others) wrong.push(`void vote ${id}: its member is not banned`);
}

function compare(entries: Entry[], present: Map<string, number>, { lost, doubled }: Findings): void {
  const sent = new Map<string, Entry>();
  for (const entry of entries) sent.set(entry.key, entry);
  for (const [key, { kind, ending }] of sent) {
    const n = present.get(key) ?? 0;
    if (ending === 'ok' && n === 0) lost.push(`${kind} ${key}`);
    if (n > 1) doubled.push(`${kind} ${key}: ${n} times`);
    if (ending === 'fail' && n > 0) doubled.push(`${kind} ${key}: refused and there all the same`);
  }
  for (const key of present.keys())
    if (entries[0] && !sent.has(key)) doubled.push(`${entries[0].kind} ${key}: nobody sent it`);
}

/** The files of acknowledged images exist. */
async function checkFiles(
  client: pg.Client,
  environment: FaultEnvironment,
  journal: Journal,
  { lost }: Findings,
): Promise<void> {
  const ok = journal.of('upload').filter(({ ending }) => ending === 'ok');
  const rows = await rowsOf(
    client,
    `select encode(sha256, 'hex') as key, v ->> 'file' as file from media, jsonb_array_elements(variants) v
     where encode(sha256, 'hex') = any($1)`,
    [ok.map(({ key }) => key)],
  );
  for (const { key, file } of rows)
    if (!existsSync(path.join(environment.dataDir, 'uploads/files', path.basename(String(file)))))
      lost.push(`file of upload ${key}`);
}

/**
 * Every acknowledged order exists once, and no other; a paid one has one payment and one receipt; an unpaid one has
 * none.
 */
async function checkPayments(
  client: pg.Client,
  journal: Journal,
  { lost, doubled }: Findings,
  reviewed: boolean,
): Promise<void> {
  const rows = await rowsOf(
    client,
    `select s.petitioner_email as key, count(*) as orders, count(*) filter (where p.state = 'paid') as paid,
       count(*) filter (where p.state = 'under_review' and p.attention <> '{}') as review,
       (select count(*) from mails m where m.to_address = s.petitioner_email and m.template = 'orderPaid') as receipts
     from token_creation_submissions s join payments p on p.submission_id = s.id group by 1`,
  );
  const found = new Map(rows.map((row) => [String(row['key']), row]));
  const sent = [...journal.of('payment'), ...journal.of('unpaid')];
  const known = new Set(sent.map(({ key }) => key));
  for (const key of found.keys()) if (!known.has(key)) doubled.push(`order ${key}: nobody sent it`);
  for (const { key, kind, ending } of sent) {
    const row = found.get(key);
    const count = (name: string) => Number(row?.[name] ?? 0);
    if (ending === 'ok' && count('orders') === 0) lost.push(`order ${key}`);
    if (ending === 'fail' && count('orders') > 0) doubled.push(`order ${key}: refused and there all the same`);
    if (count('orders') > 1 || count('paid') > 1) doubled.push(`order ${key}`);
    if (count('receipts') > 1) doubled.push(`receipt of ${key}`);
    if (kind === 'payment' && ending === 'ok') {
      // The payer paid in full at the provider.
      if (reviewed && count('review') > 0) continue;
      if (count('paid') === 0) lost.push(`money of ${key}`);
      if (count('receipts') === 0) lost.push(`receipt of ${key}`);
    } else if (count('paid') > 0) doubled.push(`order ${key}: paid, and nobody paid it`);
  }
}

/** Connections that have had a statement or a transaction open for more than 15 seconds. */
async function checkConnections(client: pg.Client, { wrong }: Findings): Promise<void> {
  const readStuck = () =>
    rowsOf(
      client,
      `select state, wait_event_type as waits from pg_stat_activity where usename = any($1) and datname = current_database()
       and state <> 'idle' and clock_timestamp() - coalesce(xact_start, state_change) > interval '15 seconds'`,
      [SITE_ROLES],
    );
  // A job may be active for a moment; only one that stays active is stuck.
  await until('no connection is stuck', async () => (await readStuck()).length === 0, 90_000).catch(() => {});
  for (const { state, waits } of await readStuck())
    wrong.push(`stuck connection: ${state}, waits for ${waits ?? 'nothing'}`);
}

/** Orders whose payer paid in full and whose payment has not arrived; payments arrive when the provider is polled. */
export async function unsettled(environment: FaultEnvironment, journal: Journal, reviewed = false): Promise<number> {
  const paid = journal.of('payment').filter(({ ending }) => ending === 'ok');
  const client = await environment.cluster.connect(environment.database);
  try {
    const [row] = await rowsOf(
      client,
      `select count(*) as n from unnest($1::text[]) k (key) where not exists (
         select 1 from token_creation_submissions s join payments p on p.submission_id = s.id
         left join mails m on m.to_address = s.petitioner_email and m.template = 'orderPaid'
         where s.petitioner_email = k.key and (p.state = 'paid' and m.id is not null or p.state = 'under_review' and $2))`,
      [paid.map(({ key }) => key), reviewed],
    );
    return Number(row?.['n'] ?? 0);
  } finally {
    await client.end();
  }
}
