import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { type AdminAction, admin, app, mark, prepareActions, project } from '#tests/fixtures/admin-actions.ts';
import type { ApiProcess } from '#tests/support/processes/api-process.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';
import { bareEnv } from '#tests/support/processes/programs.ts';

// Several processes start sequentially.
vi.setConfig({ testTimeout: 180_000 });

/** Seed of the moments of the cuts: POWER_CUT_SEED=… repeats them. */
const SEED = Number(process.env['POWER_CUT_SEED'] ?? 20_261_121);
const ROUNDS = 4;
/** The cut happens after some of the responses, delayed by up to this many milliseconds. */
const LATER = 8;

/** Deterministic random numbers from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

async function startApi(): Promise<{ url: string; kill: () => Promise<void> }> {
  const settings: ApiProcess = { config: app.config, secret: app.secret, uploadsDir: app.uploadsDir };
  const child = spawn(process.execPath, ['tests/support/processes/api-process.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnv(), API_PROCESS: JSON.stringify(settings) } as never,
  });
  running.add(child);
  const gone = once(child, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    void gone.then(([code]) => reject(new Error(`the process ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/api/admin`,
    async kill() {
      child.kill('SIGKILL');
      await gone;
      running.delete(child);
    },
  };
}

const asAdmin = { cookie: admin.cookie, 'x-client-address': '203.0.113.9' };

/** True when the response was a success, false when the response was lost. @throws when it was refused. */
async function perform(url: string, { name, send: { method, path, body } }: AdminAction): Promise<boolean> {
  let answer: Response;
  try {
    answer = await fetch(url + path, {
      method,
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) await answer.text();
  } catch {
    return false;
  }
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  return true;
}

const one = async (condition: string) =>
  (await app.sql<{ holds: boolean }>(`select (${condition}) as holds`))[0]?.holds ?? false;

/** Invariants: totals equal counts, one round is open, places are limited, orders are consistent. */
const SOUND = `
  not exists (select 1 from voting_candidates c where total_votes <> (select count(*) from present_votes v where v.candidate_id = c.id and v.state = 'counted'))
  and not exists (select 1 from voting_candidates c where total_votes
    <> (select coalesce(sum(votes), 0) from candidate_daily_votes d where d.candidate_id = c.id))
  and not exists (select 1 from vote_resets r where undone_at is null
    and votes <> (select count(*) from votes v where v.candidate_id = r.candidate_id and v.generation = any(r.generations)))
  and (select count(*) from voting_rounds where status = 'open') = 1
  and (select count(*) from projects where order_index between 1 and 3 and deleted_at is null) <= 3
  and not exists (select 1 from users u where not exists (select 1 from user_roles r where r.user_id = u.id))
  and not exists (select 1 from admin_profiles a left join user_roles r on r.user_id = a.id where r.role is distinct from 'admin')`;

it('kill -9 during admin actions leaves each one complete or absent, together with its audit entry [SEC] [TIME]', async () => {
  console.log(`POWER_CUT_SEED=${SEED}`);
  // Tests create admins in two statements; the rule about their roles only holds for those that the product creates.
  await app.sql(`update user_roles set role = 'admin' where user_id = $1`, [admin.id]);
  // The process uses the clock of the machine.
  app.setNow(new Date().toISOString());
  const next = random(SEED);
  const tally = { done: 0, undone: 0, stored: 0, actions: new Set<string>() };
  for (let round = 0; round < ROUNDS; round++) {
    const actions = (await prepareActions()).map((action) => ({ action, at: next() })).toSorted((a, b) => a.at - b.at);
    await app.sql('update sessions set proved_at = now(), expires_at = now() + interval $$1 day$$ where user_id = $1', [
      admin.id,
    ]);
    const api = await startApi();
    // Warms up connections and statements, whose first use would otherwise delay every cut.
    await fetch(`${api.url}/networks`, { headers: asAdmin }).then((answer) => expect(answer.status).toBe(200));
    let left = Math.ceil(next() * (actions.length - 1));
    let enough = () => {};
    const some = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const answers = Promise.allSettled(
      actions.map(({ action }) =>
        perform(api.url, action).finally(() => {
          if (--left === 0) enough();
        }),
      ),
    );
    await some;
    await sleep(next() * LATER);
    await api.kill();
    const outcomes = await answers;
    // Transactions in progress end with their connections.
    await expect
      .poll(() =>
        one(`not exists (select 1 from pg_stat_activity where datname = current_database()
          and application_name = 'florka-cut' and state <> 'idle')`),
      )
      .toBe(true);
    for (const [index, { action }] of actions.entries()) {
      const answer = outcomes[index];
      if (answer?.status === 'rejected') throw answer.reason;
      const [changed, audited] = [await one(action.changed), await one(action.audited)];
      expect({ action: action.name, changed, audited }).toEqual({ action: action.name, changed, audited: changed });
      // A confirmed action is durable.
      if (answer?.value) expect({ action: action.name, changed }).toEqual({ action: action.name, changed: true });
      tally.actions.add(action.name);
      if (!changed) tally.undone++;
      else if (answer?.value) tally.done++;
      else tally.stored++;
    }
    expect(await one(SOUND)).toBe(true);
  }
  console.log(`done ${tally.done}, undone ${tally.undone}, done without an answer ${tally.stored}`);
  // The cuts happened during the work.
  expect(tally.done).toBeGreaterThan(0);
  expect(tally.undone).toBeGreaterThan(0);

  // It restarts and continues.
  const api = await startApi();
  const made = mark();
  const answer = await fetch(`${api.url}/projects`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify(project(made)),
  });
  expect(answer.status).toBe(200);
  await api.kill();

  const { out } = await runFlorka(['audit', 'verify'], { DATABASE_URL: urlOf(app.config) });
  expect(out).toMatch(/^The audit log is intact/);
});
