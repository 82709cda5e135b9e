import type { Load } from '../load/load.ts';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { check } from './checker.ts';
import type { Findings } from './findings.ts';

interface Defect {
  name: string;
  /** Statements that no site runs; triggers are disabled. */
  plant: string[];
  found: (findings: Findings) => boolean;
}

/** Applied one after the other; earlier defects stay. */
const DEFECTS: Defect[] = [
  {
    name: 'a vote is dropped, and the counters with it',
    plant: [
      `create temp table dropped as select * from present_votes where state = 'counted' order by id limit 1`,
      'delete from votes v using dropped d where v.candidate_id = d.candidate_id and v.user_id = d.user_id',
      // The time as well: otherwise it would reveal the defect where the vote was its candidate's newest.
      `update voting_candidates c set total_votes = total_votes - 1, total_reached_at = (
         select max(p.created_at) from present_votes p where p.candidate_id = c.id and p.state = 'counted'
       ) from dropped d where c.id = d.candidate_id`,
      `update candidate_daily_votes v set votes = v.votes - 1 from dropped d
       where v.candidate_id = d.candidate_id and v.day = d.voted_on`,
    ],
    found: ({ lost, wrong }) =>
      lost.some((line) => line.startsWith('vote ')) && wrong.every((line) => /^(ledger: |leaf )/.test(line)),
  },
  {
    name: 'a payment is doubled',
    plant: [
      `create temp table copy as select * from payments where state = 'paid' limit 1`,
      `update copy set id = gen_random_uuid(), order_id = 'FL-ZZZZZZZZZZ', is_current = false, invoice_id = null, provider_payment_id = null`,
      'insert into payments select * from copy',
    ],
    found: ({ doubled }) => doubled.some((line) => line.startsWith('order ')),
  },
  {
    name: 'a total is off by one',
    plant: [
      `update voting_candidates set total_votes = total_votes + 1 where id = (select id from voting_candidates limit 1)`,
    ],
    found: ({ wrong }) => wrong.some((line) => line.startsWith('total of a candidate')),
  },
  {
    name: 'a vote has another state than its leaf',
    plant: [`update votes set state = 'void' where id = (select id from votes where state = 'counted' limit 1)`],
    found: ({ lost, wrong }) =>
      lost.some((line) => line.startsWith('leaf of vote')) &&
      wrong.some((line) => line.startsWith('void vote')) &&
      wrong.some((line) => line.startsWith('uncounted votes of a candidate')),
  },
  {
    name: 'a vote is entered twice',
    plant: [
      `insert into ledger_leaves (seq, entry, hash, vote_id)
       select l.seq + 1000000, replace(l.entry, 'seq=' || l.seq || ' ', 'seq=' || l.seq + 1000000 || ' '), l.hash, l.vote_id
       from ledger_leaves l where l.entry like 'florka-vote/1 %state=counted%' and l.vote_id is not null
         and not exists (select 1 from ledger_leaves m where m.vote_id = l.vote_id and m.seq > l.seq)
       order by l.seq desc limit 1`,
    ],
    found: ({ doubled }) => doubled.some((line) => line.startsWith('leaf ')),
  },
  {
    name: 'a banned member has a vote that counts',
    plant: [
      `update votes set state = 'counted' where id =
         (select v.id from votes v join users u on u.id = v.user_id where u.banned_until is not null limit 1)`,
    ],
    found: ({ wrong }) => wrong.some((line) => line.startsWith('votes of the banned')),
  },
  {
    name: 'a notification is gone',
    plant: [`delete from notifications where id = (select id from notifications where cause like 'comment:%' limit 1)`],
    found: ({ lost }) => lost.some((line) => line.startsWith('notification of comment')),
  },
  {
    name: 'the mail of a notification arrived under another name, and its own never did',
    plant: [
      `update mails set id = gen_random_uuid() where id = (
         select id from mails where template = 'notification' and status = 'sent' limit 1)`,
    ],
    found: ({ lost, doubled }) =>
      lost.some((line) => line.startsWith('mail of a notification never arrived')) &&
      doubled.some((line) => line.startsWith('mail of a notification that nobody wrote')),
  },
  {
    name: 'a task of an order is gone',
    plant: [`delete from deliverables where id = (select id from deliverables limit 1)`],
    found: ({ lost }) => lost.some((line) => line.startsWith('deliverables of order')),
  },
  {
    name: 'money of an order is gone from the ledger',
    plant: [
      `create temp table gone as select id from money_transactions where kind = 'received' and subject = (
         select subject from money_transactions where kind = 'received' limit 1)`,
      'delete from money_entries e using gone g where e.transaction_id = g.id',
      'delete from money_transactions m using gone g where m.id = g.id',
    ],
    found: ({ lost, wrong }) =>
      lost.some((line) => /^money ledger: 0 of \d+ cents/.test(line)) &&
      lost.some((line) => line.startsWith('money ledger: deposit')) &&
      wrong.some((line) => line.startsWith('money ledger: total')),
  },
  {
    name: 'money of an order is in the ledger twice',
    plant: [
      `create temp table twice as select * from money_transactions where kind = 'received' and subject = (
         select subject from money_transactions where kind = 'received' limit 1)`,
      `with again as (
         insert into money_transactions (kind, subject, revision, simulation, payment_id, plan, network, facts, at)
         select kind, subject, revision + 100, simulation, payment_id, plan, network, facts, at from twice
         returning id, revision)
       insert into money_entries (transaction_id, line, account, asset, amount)
       select a.id, e.line, e.account, e.asset, e.amount
       from again a join twice t on t.revision + 100 = a.revision join money_entries e on e.transaction_id = t.id`,
    ],
    found: ({ doubled }) => doubled.filter((line) => line.startsWith('money ledger: ')).length >= 2,
  },
  {
    name: 'a money transaction does not balance',
    plant: [
      `update money_entries set amount = amount + 1 where (transaction_id, line) in (
         select transaction_id, line from money_entries where account = 'claim' limit 1)`,
    ],
    found: ({ wrong }) => wrong.some((line) => line.startsWith('money ledger: transaction without a balance')),
  },
  {
    name: 'an act has no audit entry',
    plant: [`insert into blockchain_networks (key, name, symbol) values ('planted', 'Network planted', 'PLANTED')`],
    found: ({ wrong }) => wrong.includes('audit entry: Network planted'),
  },
  {
    name: 'an audit entry is cut out of the chain',
    plant: [`delete from audit_events where id = (select id from audit_events order by id offset 1 limit 1)`],
    found: ({ wrong }) => wrong.some((line) => line.startsWith('audit chain')),
  },
  {
    name: 'there is an order that nobody sent',
    plant: [
      `update token_creation_submissions set petitioner_email = 'nobody@problems.example'
       where id = (select submission_id from payments where state = 'paid' limit 1)`,
    ],
    found: ({ doubled }) => doubled.includes('order nobody@problems.example: nobody sent it'),
  },
];

/**
 * Tests the checker: plants each defect in a good database, and looks whether it is found.
 * @returns the names of those that were not found, and what was wrong before the first was planted.
 */
export async function verifyCheckerDetectsDefects(
  environment: FaultEnvironment,
  load: Load,
): Promise<{ planted: number; missed: string[] }> {
  const before = await check(environment, load.journal);
  const problems = [...before.lost, ...before.doubled, ...before.wrong];
  const missed = problems.map((line) => `before anything was planted: ${line}`);
  for (const { name, plant, found } of DEFECTS) {
    await environment.cluster.run(environment.database, ['set session_replication_role = replica', ...plant]);
    const findings = await check(environment, load.journal);
    if (!found(findings)) missed.push(`${name}: ${JSON.stringify(findings).slice(0, 600)}`);
  }
  return { planted: DEFECTS.length, missed };
}
