import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { type BenchEnvironment, cookieOf, SIZES } from '../lib/environment.ts';
import { drive, postRequest } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { count, type Row, stated } from '../lib/report.ts';

const AT_A_TIME = 64;
/** Candidates that each member votes for. */
const VOTES_EACH = 4;
const CHECKS = 5;
/** Longest wait for the ledger. Milliseconds. */
const LIMIT_MS = 120_000;

interface State {
  filled: boolean;
  waiting: number;
  /** Age of the oldest change that waits to be entered, in seconds. */
  age: number;
  unsigned: number;
}

async function readState(admin: pg.Client): Promise<State> {
  const { rows } = await admin.query<State>(`
    select coalesce(bool_and(filled_at is not null), false) as filled,
      (select count(*)::int from vote_changes) as waiting,
      (select coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0)::float from vote_changes) as age,
      coalesce(sum(size - published_size)::int, 0) as unsigned
    from ledger_log`);
  return rows[0] ?? { filled: false, waiting: 0, age: 0, unsigned: 0 };
}

async function until(admin: pg.Client, fits: (state: State) => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!fits(await readState(admin))) {
    if (performance.now() > end) throw new Error('the ledger did not catch up');
    await sleep(50);
  }
}

/**
 * (q) How far the ledger is behind while members vote, how soon the last vote is signed, and how fast all of it is
 * verified.
 */
export function ledgerFigures(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('small', async (site) => {
    const admin = await environment.connect('small');
    try {
      const { rows } = await admin.query<{ id: string }>('select id from voting_candidates order by order_index');
      await until(admin, ({ filled, waiting, unsigned }) => filled && waiting === 0 && unsigned === 0);
      const ages: number[] = [];
      let voting = true;
      const watching = (async () => {
        while (voting) {
          ages.push((await readState(admin)).age);
          await sleep(100);
        }
      })();
      const { members } = SIZES.small;
      let n = 0;
      const { answered, seconds } = await drive(site.port, AT_A_TIME, () => {
        if (n >= members * VOTES_EACH) return undefined;
        const vote = n++;
        const candidate = rows[(vote + Math.floor(vote / members)) % rows.length]?.id;
        return postRequest('/rpc/voting/cast', `{"json":{"candidateId":"${candidate}"}}`, {
          cookie: cookieOf(vote % members),
        });
      });
      const last = performance.now();
      voting = false;
      await watching;
      await until(admin, ({ waiting, unsigned }) => waiting === 0 && unsigned === 0);
      const signed = (performance.now() - last) / 1_000;

      const speeds: number[] = [];
      let leaves = 0;
      for (let check = 0; check < CHECKS; check++) {
        const report = await verifyLedger({
          source: openSource(`http://127.0.0.1:${site.port}/ledger`),
          hash: nodeSha256,
        });
        if (report.problems.length > 0) throw new Error(report.problems[0]?.detail);
        leaves = report.size;
        speeds.push(report.leavesPerSecond);
      }
      const load = `${count(answered / seconds)} votes/s`;
      return [
        stated(`q) ledger: oldest vote not entered yet, at ${load}`, `${Math.max(0, ...ages).toFixed(1)} s`, {
          target: '≤ 5 s',
          met: Math.max(0, ...ages) <= 5,
        }),
        stated('q) ledger: from the last vote to the checkpoint over it', `${signed.toFixed(1)} s`, {
          target: '≤ 5 s',
          met: signed <= 5,
        }),
        stated(`q) ledger: checked over HTTP, ${count(leaves)} leaves`, `${count(median(speeds))} leaves/s`),
      ];
    } finally {
      await admin.end();
    }
  });
}
