import { expect, it, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const app = await startTestApp();
const submissions = (word: string) => runFlorka(['submissions', word], { DATABASE_URL: urlOf(app.config) });

it('submissions close and open disable and enable the form, each with one audit log entry [AMB-82]', async () => {
  const isOpen = async () => (await app.as().submissions.state()).open;
  expect((await submissions('open')).out).toBe('The form for publications is open already.\n');
  expect(await submissions('close')).toEqual({ code: 0, out: 'The form for publications is closed now.\n', err: '' });
  expect(await isOpen()).toBe(false);
  expect((await submissions('close')).out).toContain('closed already');
  expect((await submissions('open')).out).toContain('open now');
  expect(await isOpen()).toBe(true);
  expect(await submissions('later')).toMatchObject({ code: 2, out: '' });
  expect(
    await app.sql(`select action, actor_role from audit_events where action like 'submissions.%' order by id`),
  ).toEqual([
    { action: 'submissions.closed', actor_role: 'system' },
    { action: 'submissions.opened', actor_role: 'system' },
  ]);
});
