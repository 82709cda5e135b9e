import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const app = await startTestApp();
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-doctor-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
const florka = (words: string[], env: Record<string, string> = {}) =>
  runFlorka(words, { DATA_DIR: folder, DATABASE_URL: urlOf(app.config), AUTH_SECRET: app.secret, ...env });
const ana = await peopleOf(app).newcomer();

describe('doctor', () => {
  it('reports every section and no secret', async () => {
    const secrets = {
      SMTP_URL: 'smtp://mailer:hush-mail@mail.example:587',
      NOWPAYMENTS_API_KEY: 'hush-api-key',
      NOWPAYMENTS_IPN_SECRET: 'hush-callback-secret',
      NOWPAYMENTS_EMAIL: 'hush-account@example.org',
      NOWPAYMENTS_PASSWORD: 'hush-account-password',
      SUPPORT_EMAIL: 'hush-support@example.org',
      PUBLIC_URL: 'https://florka.example',
    };
    const { out, err } = await florka(['doctor'], secrets);
    const report = out + err;
    for (const title of [
      'Program',
      'Database',
      'Jobs',
      'Mails',
      'Uploads',
      'Counters',
      'Payments',
      'Telegram',
      'Tokens',
      'Staff',
    ])
      expect(report).toMatch(new RegExp(`^${title}$`, 'm'));
    expect(report).toMatch(/Migrations +\d+ applied, 0 waiting/);
    expect(report).toContain('SMTP, mail.example:587');
    expect(report).toContain('NOWPayments');
    expect(report).toMatch(/By state +\d+ queued/);
    expect(report).not.toContain('hush');
    expect(report).not.toContain(app.secret);
    expect(report).not.toContain(ana.email);
    expect(report).not.toContain('@florka.test');
  });

  it('warns if the site is behind a proxy and TRUST_PROXY is 0', async () => {
    const proxied = { PUBLIC_URL: 'https://florka.example' };
    expect((await florka(['doctor'], proxied)).out).toMatch(/^!! .*TRUST_PROXY is 0/m);
    expect((await florka(['doctor'], { ...proxied, TRUST_PROXY: '1' })).out).not.toContain('TRUST_PROXY');
  });

  it('warns that the database contains demo content', async () => {
    expect((await florka(['doctor'])).out).toMatch(/Demo content +none/);
    await app.sql(
      `insert into audit_events (action, resource_type, actor_role) values ('demo.seeded', 'system', 'system')`,
    );
    expect((await florka(['doctor'])).out).toMatch(/^!! The database holds the demo content/m);
    const output = (await florka(['doctor'], { DEMO: 'on' })).out;
    expect(output).toMatch(/Demo content +in this database/);
    expect(output).not.toContain('!! The database holds');
  });

  it('exits with 1 and names the problem', async () => {
    await app.sql(`delete from schema_migrations where name = (select max(name) from schema_migrations)`);
    const waiting = await florka(['doctor']);
    expect(waiting).toMatchObject({ code: 1, out: expect.stringMatching(/^!! These migrations wait .+\.sql\.$/m) });
  });
});
