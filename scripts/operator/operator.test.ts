import { appendFile, chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPg } from '#server/db/embedded.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { appendNewestAnchor } from '#server/domains/ledger/audit-anchors.service.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';
import { startSmtp } from '#tests/support/services/smtp.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const app = await startTestApp({ trustProxy: 1 });
const { newcomer, signIn } = peopleOf(app);
const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-operator-'));
// As root, the built-in database runs under another account, which must be able to enter the folder.
await chmod(folder, 0o755);
afterAll(() => rm(folder, { recursive: true, force: true }));

const url = urlOf(app.config);

const florka = (words: string[], env: Record<string, string> = { DATABASE_URL: url }) =>
  runFlorka(words, { DATA_DIR: folder, ...env });

it.each([[[]], [['mail']], [['mail', 'test']], [['audit', 'verify', 'more', 'words']], [['admin', 'remove', 'a@b.c']]])(
  'prints its usage for %j',
  async (words) => {
    const { code, err } = await florka(words);
    expect(code).toBe(2);
    expect(err).toContain('npm run florka -- <command>');
  },
);

describe('mail test', () => {
  it('writes a file if SMTP is not configured, and reports that', async () => {
    const { code, out } = await florka(['mail', 'test', 'you@example.org']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('SMTP_URL is not set') });
    expect(await readdir(path.join(folder, 'outbox'))).toHaveLength(1);
  });

  it('takes values that are not in the environment from the settings of the back office', async () => {
    await app.sql(
      `insert into settings (key, value, updated_at) values ('mailFrom', '"Florka <otra@florka.test>"', now())`,
    );
    const { code, out } = await florka(['mail', 'test', 'you@example.org']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('From Florka <otra@florka.test> to you@') });
    await app.sql(`delete from settings where key = 'mailFrom'`);
  });

  it('shows the dialogue with the mail server, without the password', async () => {
    const smtp = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(null, { user: 'operator' }),
    });
    const { code, out, err } = await florka(['mail', 'test', 'you@example.org'], {
      SMTP_URL: smtp.url('operator:hush-hush@'),
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^S: 220 /m);
    expect(out).toMatch(/^C: RCPT TO:<you@example.org>/m);
    expect(out).toContain('The mail server accepted it.');
    expect(out + err).not.toContain('hush-hush');
    expect(out + err).not.toContain(Buffer.from('\0operator\0hush-hush').toString('base64'));
    expect(smtp.received[0]?.parsed.subject).toBe('Prueba de correo de Florka');
    smtp.box.verdict = () => ({ responseCode: 550, message: 'not here' });
    const refused = await florka(['mail', 'test', 'you@example.org'], { SMTP_URL: smtp.url('operator:hush-hush@') });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('The mail was not accepted: ');
    expect(refused.err).toContain('550 not here');
    expect(refused.err).not.toContain('at ');
    await smtp.close();
  });

  it('refuses an invalid address', async () => {
    expect(await florka(['mail', 'test', 'nobody'])).toMatchObject({
      code: 1,
      err: 'nobody is not an e-mail address.\n',
    });
  });
});

describe('the admin commands', () => {
  it('invites a person, who then claims the role [AMB-03]', async () => {
    const ana = await newcomer({ verified: true });
    const first = await florka(['admin', 'invite', ana.email.toUpperCase()]);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`${ana.email} is invited.`) });
    expect((await florka(['admin', 'invite', ana.email])).out).toContain('was invited before');
    expect(await ana.api.auth.linkAdmin({ email: ana.email })).toMatchObject({ isAdmin: true });
    expect((await florka(['admin', 'invite', ana.email])).out).toContain('has claimed the role');
    expect(await app.sql(`select actor_role from audit_events where action = 'admin.invited'`)).toEqual([
      { actor_role: 'system' },
    ]);
  });

  it('gives a new password and ends the sessions', async () => {
    const ana = await newcomer();
    const { code, out } = await florka(['admin', 'reset-password', ana.email]);
    expect(code).toBe(0);
    const password = /: ([\w-]{20}) {2}\(shown only now\)/.exec(out)?.[1] ?? '';
    expect(await ana.api.auth.me()).toBeNull();
    await expect(signIn(ana.email, PASSWORD)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const browser = await signIn(ana.email, password);
    // It is for the first sign-in only: it expires, and its owner has to choose another one.
    expect(out).toContain('It counts for 3 days');
    expect((await browser.api.account.overview()).passwordUntil).toMatch(/^\d{4}-/);
    const [entry] = await app.sql(`select * from audit_events where action = 'password.reset_by_operator'`);
    expect(entry).toMatchObject({ resource_id: ana.id, after: { sessions: 1 } });
    expect(JSON.stringify(entry)).not.toContain(password);
    expect(await florka(['admin', 'reset-password', 'nobody@florka.test'])).toMatchObject({
      code: 1,
      err: 'There is no account with nobody@florka.test.\n',
    });
  });
});

describe('audit verify, by anchors outside of the database', () => {
  /** As somebody with the owner's rights who cuts the end off: the chain that is left is whole. */
  const cut = async () => {
    const [last] = await app.sql<{ id: string }>('select max(id)::text as id from audit_events');
    await app.sql(`do $$ begin
      alter table audit_events disable trigger audit_no_change;
      delete from audit_events where id = ${last?.id};
      alter table audit_events enable trigger audit_no_change;
    end $$`);
    return last?.id;
  };

  it('finds that an entry is missing which the anchor file names', async () => {
    const file = path.join(folder, 'anchors');
    const env = { DATABASE_URL: url, AUDIT_ANCHOR_FILE: file };
    await newcomer();
    expect(await appendNewestAnchor(app.services.db, file, app.now)).toBe(true);
    expect(await appendNewestAnchor(app.services.db, file, app.now)).toBe(false);
    expect(await florka(['audit', 'verify'], env)).toMatchObject({ code: 0 });
    await newcomer();
    // A crash in the middle of a line.
    await appendFile(file, '2026-03-10T12:00');
    await appendNewestAnchor(app.services.db, file, app.now);
    expect(await florka(['audit', 'verify'], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Line 2 of ${file} is incomplete`),
    });
    // What no crash leaves.
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.replace('2026-03-10T12:00\n', '2026-03-10T12:00:00.000Z none\n'));
    expect(await florka(['audit', 'verify'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('line 2 of'),
    });
    await writeFile(file, whole);
    const id = await cut();
    expect(await florka(['audit', 'verify'], env)).toMatchObject({
      code: 1,
      err: `The audit log was changed, or restored from before it: entry ${id} is missing, or its hash is not the one in ${file}.\n`,
    });
  });

  it('finds that an entry is missing which the ledger names, and that the ledger differs from the published one', async () => {
    await newcomer();
    await app.services.ledger.run();
    expect(await florka(['audit', 'verify'])).toMatchObject({ code: 0 });
    const id = await cut();
    expect(await florka(['audit', 'verify'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`of the ledger names entry ${id}, which is missing`)),
    });
    // Then the leaves are written again as well; the published checkpoint contradicts them.
    await app.sql(`alter table ledger_leaves disable trigger user`);
    await app.sql(`update ledger_leaves set entry = 'x' where entry like 'florka-audit/1 %'`);
    await app.sql(`alter table ledger_leaves enable trigger user`);
    await app.sql(`alter table ledger_log disable trigger user`);
    await app.sql(`update ledger_log set size = 0, published_size = 0, root = sha256('')`);
    const beside = await mkdtemp(path.join(folder, 'published-'));
    await cp(app.uploadsDir, path.join(beside, 'uploads'), { recursive: true });
    expect(await florka(['audit', 'verify'], { DATABASE_URL: url, DATA_DIR: beside })).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not continue its published checkpoint'),
    });
  });
});

describe('audit verify', () => {
  it('accepts entries written by sessions in any time zone', async () => {
    for (const zone of ['Europe/Madrid', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'UTC'])
      await app.sql(`do $$ begin
        perform set_config('timezone', '${zone}', true);
        insert into audit_events (action, resource_type, actor_role) values ('demo.seeded', 'system', 'system');
      end $$`);
    expect(await florka(['audit', 'verify'])).toMatchObject({ code: 0, err: '' });
  });

  it('accepts an intact log, and names the first changed entry and the one after a gap', async () => {
    for (let i = 0; i < 4; i++) await newcomer();
    const whole = await florka(['audit', 'verify']);
    expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/^The audit log is intact: \d+ entries/) });
    const ids = (await app.sql<{ id: string }>('select id from audit_events order by id')).map((row) => row.id);
    const noted = /stored elsewhere: (\S+)/.exec(whole.out)?.[1] ?? '';
    expect(await florka(['audit', 'verify', noted])).toMatchObject({ code: 0 });
    expect(await florka(['audit', 'verify', 'nonsense'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('not the id:hash'),
    });
    const tamper = (statement: string, id: string | undefined) =>
      app.sql(`do $$ begin
        alter table audit_events disable trigger audit_no_change;
        ${statement} where id = ${id};
        alter table audit_events enable trigger audit_no_change;
      end $$`);
    // A chain without its end is valid; only a stored entry of it shows that.
    await tamper(`delete from audit_events`, ids.at(-1));
    expect(await florka(['audit', 'verify'])).toMatchObject({ code: 0 });
    expect(await florka(['audit', 'verify', noted])).toMatchObject({
      code: 1,
      err: `The audit log was changed: entry ${ids.at(-1)} is missing, or its hash is not the given one.\n`,
    });
    // An entry put in between follows nothing.
    const between = Number(ids[0]) - 1;
    await app.sql(`do $$ begin
      alter table audit_events disable trigger audit_chain;
      insert into audit_events (id, action, resource_type, prev_hash, hash)
        values (${between}, 'x.y', 'x', '\\x03', '\\x02');
      alter table audit_events enable trigger audit_chain;
    end $$`);
    expect(await florka(['audit', 'verify'])).toMatchObject({
      code: 1,
      err: `The audit log was changed: entry ${between} does not follow the entry before it.\n`,
    });
    await tamper(`delete from audit_events`, String(between));
    await tamper(`delete from audit_events`, ids[4]);
    expect(await florka(['audit', 'verify'])).toMatchObject({
      code: 1,
      err: `The audit log was changed: entry ${ids[5]} does not follow the entry before it.\n`,
    });
    await tamper(`update audit_events set action = 'vote.cast'`, ids[2]);
    expect(await florka(['audit', 'verify'])).toMatchObject({
      code: 1,
      err: `The audit log was changed: entry ${ids[2]} does not match its hash.\n`,
    });
  });
});

describe('florka with the embedded database', () => {
  it('works with a running database server and without one', async () => {
    const dataDir = path.join(folder, 'own');
    const none = await florka(['audit', 'verify'], { DATA_DIR: dataDir });
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('There is no database in') });
    const server = await startEmbeddedPg({ dataDir, settings: ['fsync=off'] });
    try {
      expect(server.clusterDir).toBe(path.join(dataDir, 'pg'));
      const empty = await florka(['audit', 'verify'], { DATA_DIR: dataDir });
      expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('start the server once') });
      await prepareDatabase(
        { config: server.configOf('app'), owner: server.configOf('owner') },
        readMigrations('server/db/migrations'),
      );
      expect(await florka(['audit', 'verify'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' });
    } finally {
      await server.stop();
    }
    expect(await florka(['audit', 'verify'], { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('0 entries'),
    });
  });
});
