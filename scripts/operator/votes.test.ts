import { expect, it, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const app = await startTestApp();
const url = urlOf(app.config);

const recount = (...words: string[]) => runFlorka(['votes', 'recount', ...words], { DATABASE_URL: url });

it('votes months lists the partitions, and votes carry changes nothing if a precondition is missing', async () => {
  const run = (command: string, keep = '') =>
    runFlorka(['votes', command], { DATABASE_URL: url, VOTES_KEEP_MONTHS: keep });
  expect(await run('months')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^votes_before: votes for all days until before \d{4}-\d\d-01\n(votes_\d{4}_\d\d: .+\n)+votes_later: .+ on\nAll votes are kept/,
    ),
  });
  expect(await run('carry')).toEqual({
    code: 1,
    out: '',
    err: 'VOTES_KEEP_MONTHS is not set: all votes are kept, and nothing was changed.\n',
  });
  const { id } = await app.candidate();
  await app.as(await app.member()).voting.cast({ candidateId: id });
  expect(await run('carry', '2')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^No votes before .+ the ledger/),
  });
  expect(await app.sql('select 1 from votes')).toHaveLength(1);
  await app.sql('delete from votes');
  await app.sql('delete from voting_candidates');
});

it('votes recount only reports by default, corrects with --fix, and logs each corrected candidate', async () => {
  const { id } = await app.candidate({ token_name: 'Descuadrado' });
  const right = await app.candidate();
  for (const candidateId of [id, right.id]) await app.as(await app.member()).voting.cast({ candidateId });
  expect(await recount()).toEqual({ code: 0, out: 'Every total equals its votes.\n', err: '' });

  await app.sql('update voting_candidates set total_votes = 41 where id = $1', [id]);
  const total = async () =>
    (await app.sql<{ n: number }>('select total_votes as n from voting_candidates where id = $1', [id]))[0]?.n;
  const report = await recount();
  expect(report).toMatchObject({ code: 1, out: `Descuadrado (${id}): says 41, has 1 vote; 0 days wrong\n` });
  expect(await total()).toBe(41);

  expect(await recount('--mend')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Unknown option --mend .*\n$/),
  });
  expect(await recount('--fix')).toMatchObject({ code: 0, out: expect.stringMatching(/^Corrected: Descuadrado/) });
  expect(await total()).toBe(1);
  expect(await recount()).toMatchObject({ code: 0 });
  expect(
    await app.sql(`select resource_id, actor_role from audit_events where action = 'candidate.recounted'`),
  ).toEqual([{ resource_id: id, actor_role: 'system' }]);
});
