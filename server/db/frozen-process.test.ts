import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startDatabaseProxy } from '#tests/support/database/tcp-proxy.ts';
import type { FrozenProcess } from '#tests/support/processes/frozen-process.ts';

const app = await startTestApp();
const PROCESSES = 240_000;

/** Starts a process that stops itself (SIGSTOP) while it holds a lock; returns a function to end it. */
async function freeze(what: Omit<FrozenProcess, 'config'> = {}): Promise<() => Promise<void>> {
  const settings: FrozenProcess = { config: app.config, ...what };
  const child = spawn(process.execPath, ['tests/support/processes/frozen-process.ts'], {
    stdio: 'inherit',
    env: { ...process.env, FROZEN_PROCESS: JSON.stringify(settings) },
  });
  const ended = once(child, 'close');
  const holds = () =>
    app.sql(
      `select 1 from pg_stat_activity where application_name = 'florka frozen' and state = 'idle in transaction'
         and (query like '%audit_events%' or query like '%for update%')`,
    );
  await expect.poll(holds, { timeout: PROCESSES / 2 }).toHaveLength(1);
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}

describe('while another process is stopped by SIGSTOP within a transaction', () => {
  it('and holds the lock of the audit log, other writes succeed', { timeout: PROCESSES }, async () => {
    const people = await app.members(8);
    const end = await freeze();
    try {
      // Each of them writes to the audit log, and none fails.
      await Promise.all(
        people.map((person, i) => app.as(person).forum.create({ title: `Un título ${i}`, content: `Texto ${i}` })),
      );
      expect(await app.sql(`select 1 from audit_events where request_id = 'frozen'`)).toEqual([]);
    } finally {
      await end();
    }
  });

  it('and holds the lock of a candidate, votes for it succeed', { timeout: PROCESSES }, async () => {
    const candidate = await app.candidate();
    const people = await app.members(8);
    const end = await freeze({ candidateId: candidate.id });
    try {
      await Promise.all(people.map((person) => app.as(person).voting.cast({ candidateId: candidate.id })));
      await app.as(people[0]).voting.withdraw({ candidateId: candidate.id });
      expect(await app.sql('select total_votes from voting_candidates where id = $1', [candidate.id])).toEqual([
        { total_votes: 7 },
      ]);
    } finally {
      await end();
    }
  });
});

describe('when the database stops answering within a reset of votes', () => {
  it('the reset is rolled back, and the next vote is not affected', { timeout: PROCESSES }, async () => {
    const admin = await app.member({ role: 'admin' });
    const candidate = await app.candidate();
    const voters = await app.members(4);
    for (const voter of voters.slice(0, 3)) await app.as(voter).voting.cast({ candidateId: candidate.id });

    const proxy = await startDatabaseProxy(app.config);
    // One connection: the next user would get the one of the reset.
    const other = await app.secondProcess({ ...proxy.config, max: 1, limits: { answer: 3_000 } });
    // The reset waits for the audit log as its last step.
    const holder = await app.sqlClient();
    await holder.query('begin');
    await holder.query(
      `insert into audit_events (actor_role, action, resource_type) values ('system', 'list.exported', 'list')`,
    );
    const reset = app.as(admin, { at: other }).admin.candidates.resetVotes({ id: candidate.id, reason: 'Bots' });
    await expect(reset).rejects.toThrow();
    await holder.query('rollback');
    await holder.end();

    await expect
      .poll(() =>
        app
          .as(voters[3], { at: other })
          .voting.cast({ candidateId: candidate.id })
          .catch(() => null),
      )
      .toMatchObject({ totalVotes: 4 });
    await other.db.transaction(async () => {});
    expect(await app.sql('select total_votes from voting_candidates where id = $1', [candidate.id])).toEqual([
      { total_votes: 4 },
    ]);
    expect(await app.sql('select 1 from votes where candidate_id = $1', [candidate.id])).toHaveLength(4);
    expect(await app.sql('select 1 from vote_resets where candidate_id = $1', [candidate.id])).toEqual([]);
    expect(await app.sql(`select 1 from audit_events where action = 'candidate.votes_reset'`)).toEqual([]);
    await proxy.stop();
  });
});
