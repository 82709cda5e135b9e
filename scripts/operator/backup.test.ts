import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { readWrongCounters } from '#server/db/counters.sql.ts';
import { startEmbeddedPg } from '#server/db/embedded.ts';
import { seenInFile } from '#server/domains/ledger/continuity.service.ts';
import { LEDGER_SEEN } from '#server/domains/ledger/open.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { LAST_BACKUP } from '#server/lib/process/last-backup.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

// Each command is a process of its own, and one of them starts a database.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const app = await startTestApp({ trustProxy: 1 });
const { newcomer } = peopleOf(app);
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-backup-'));
await fs.chmod(folder, 0o755);
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const url = urlOf(app.config);
const here = path.join(folder, 'data');
await fs.mkdir(here);
await fs.symlink(app.uploadsDir, path.join(here, 'uploads'));

const florka = (words: string[], env: Record<string, string> = {}) =>
  runFlorka(words, { DATA_DIR: here, DATABASE_URL: url, AUTH_SECRET: app.secret, ...env });
/** Another data folder with a database of its own. */
const elsewhere = (name: string) => ({ DATA_DIR: path.join(folder, name), DATABASE_URL: '', AUTH_SECRET: '' });

const ana = await newcomer({ verified: true });
const candidate = await app.candidate();
const post = await ana.api.forum.create({
  title: 'Antes de la copia',
  content: "Con 'comillas', \\barras\\, \ttabuladores y 火.",
});
const png = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#fb2' } })
  .png()
  .toBuffer();
const uploaded = await app.http('/uploads?bucket=token-images', {
  method: 'POST',
  headers: { 'content-type': 'image/png', cookie: ana.browser.cookie },
  body: new Uint8Array(png),
});
const image = ((await uploaded.json()) as { url: string }).url;
/** An image of a token; a blockchain refers to its address permanently. */
const pinned = `/token-files/${await app.services.media.pin(png, 'image/png')}.png`;

/** People who vote and write as long as the backup is made; how often each of them got through. */
let going = true;
const done = { votes: 0, requests: 0 };
const concurrent = await app.members(400);
async function voters(part: number) {
  for (const [i, person] of concurrent.entries()) {
    if (!going) return;
    if (i % 4 !== part) continue;
    await app.as(person, { address: `10.66.${i >> 8}.${i & 255}` }).voting.cast({ candidateId: candidate.id });
    done.votes++;
  }
}
async function writers() {
  for (let i = 0; going; i++) {
    await app.as(concurrent[i % concurrent.length], { address: `10.${i & 255}.${i >> 8}.1` }).submissions.create({
      projectName: `Proyecto ${i}`,
      symbol: 'PRO',
      description: 'Bajo carga.',
      submitterName: 'Ana',
      submitterEmail: `carga${i}@florka.test`,
      locale: 'es',
      resemblanceAccepted: true,
    });
    done.requests++;
    await sleep(5);
  }
}
// The files of the ledger are in a folder of the uploads.
await app.services.ledger.run();
const load = [voters(0), voters(1), voters(2), voters(3), writers()];
const before = { ...done };
await app.services.ledger.run();
const backup = await florka(['backup', '--to', path.join(folder, 'backups'), '--secrets']);
const after = { ...done };
going = false;
await Promise.all(load);

const [name = ''] = await fs.readdir(path.join(folder, 'backups'));
const made = path.join(folder, 'backups', name);
const restored = await florka(['restore', made], elsewhere('revived'));
const embedded = await startEmbeddedPg({ dataDir: path.join(folder, 'revived'), settings: ['fsync=off'] });
const pool = openPool({ ...embedded.configOf('owner'), max: 5 });
const revived = await startTestApp({
  trustProxy: 1,
  database: {
    pool,
    config: embedded.configOf('owner'),
    app: embedded.configOf('app'),
    signer: embedded.configOf('signer'),
    async drop() {
      await pool.end();
      await embedded.stop();
    },
  },
  secret: (await fs.readFile(path.join(folder, 'revived/auth-secret'), 'utf8').catch(() => '')).trim(),
  storage: localStorage(path.join(folder, 'revived/uploads')),
  ledgerSeen: seenInFile(path.join(folder, 'revived', LEDGER_SEEN)),
});

describe('a backup made while people write', () => {
  it('is complete, and gets its final name only then', async () => {
    expect(backup).toMatchObject({ code: 0, out: expect.stringContaining(`The backup is in ${made}`) });
    expect(after.votes, 'nobody voted meanwhile').toBeGreaterThan(before.votes);
    expect(await fs.readdir(path.join(folder, 'backups'))).toEqual([name]);
    expect(name).toMatch(/^florka-\d{8}-\d{6}$/);
    // The file from which metrics compute its age.
    const { madeAt } = JSON.parse(await fs.readFile(path.join(made, 'contents.json'), 'utf8')) as { madeAt: string };
    expect((await fs.readFile(path.join(here, LAST_BACKUP), 'utf8')).trim()).toBe(madeAt);
    expect((await fs.stat(made)).mode & 0o077).toBe(0);
    expect((await fs.readFile(path.join(made, 'secrets/auth-secret'), 'utf8')).trim()).toBe(app.secret);
  });

  it('can be restored to an empty location, where a server starts and people sign in', async () => {
    expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Restored from') });
    // Also as root, so that it is removed with the folder.
    expect(embedded.clusterDir).toBe(path.join(folder, 'revived/pg'));
    const signed = await revived.post('/api/auth/sign-in', { email: ana.email, password: PASSWORD });
    expect(signed.status).toBe(200);
    expect(await signed.json()).toMatchObject({ id: ana.id });
    // Sessions are still valid, and every character of the post is there.
    const still = revived.browser({ cookie: ana.browser.cookie });
    expect(await still.api.auth.me()).toMatchObject({ id: ana.id });
    expect(await revived.as().forum.post({ id: post.id })).toMatchObject({
      content: "Con 'comillas', \\barras\\, \ttabuladores y 火.",
    });
    expect((await revived.http('/readyz')).status).toBe(200);
    for (const file of [image, pinned]) expect((await revived.http(file)).status).toBe(200);
    // The site writes the ledger's files again.
    expect(await fs.readdir(path.join(made, 'uploads'))).not.toContain('ledger');
  });

  it('is a consistent snapshot: every counter equals its rows, every change has its audit entry, mail and job', async () => {
    const [sums] = await revived.sql<{ total: number; votes: number }>(
      `select (select sum(total_votes)::int from voting_candidates) as total, (select count(*)::int from votes) as votes`,
    );
    expect(sums?.total).toBe(sums?.votes);
    expect(sums?.votes).toBeGreaterThanOrEqual(before.votes);
    expect(await readWrongCounters(revived.services.pool, {})).toEqual([]);
    const [requests] = await revived.sql<Record<string, number>>(
      `select (select count(*)::int from project_submissions) as requests,
         (select count(*)::int from audit_events where action = 'submission.created') as entries,
         (select count(*)::int from mails where template = 'submissionReceived') as mails,
         (select count(*)::int from jobs.job where name = 'send-mail' and data ->> 'mailId' in
           (select id::text from mails where template = 'submissionReceived')) as jobs`,
    );
    expect(requests?.['requests']).toBeGreaterThan(0);
    expect(new Set(Object.values(requests ?? {})).size).toBe(1);
  });

  it('continues after its restore: ids are not reused, constraints hold, and the audit log continues intact', async () => {
    const person = await revived.member();
    const last = await revived.sql<{ id: string }>('select max(id)::text as id from votes');
    await revived.as(person).voting.cast({ candidateId: candidate.id });
    const [own] = await revived.sql<{ id: string }>('select id::text from votes where user_id = $1', [person.id]);
    expect(Number(own?.id)).toBeGreaterThan(Number(last[0]?.id));
    await expect(revived.as(person).voting.cast({ candidateId: candidate.id })).rejects.toMatchObject({
      code: 'ALREADY_VOTED',
    });
    await expect(
      revived.sql(`insert into sessions (user_id, token, expires_at) values (gen_random_uuid(), 'x', now())`),
    ).rejects.toThrow('foreign key');
    await expect(revived.sql('delete from audit_events')).rejects.toThrow('append-only');
    await revived.as(person).forum.create({ title: 'Después de la copia', content: 'Y sigue.' });
    const whole = await florka(['audit', 'verify'], elsewhere('revived'));
    expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('The audit log is intact') });
  });

  it('is never restored over existing data', async () => {
    const again = await florka(['restore', made]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('in use already') });
    expect(again.err.trim().split('\n')).toHaveLength(1);
    // Secrets of another installation, with an empty database.
    const other = path.join(folder, 'other');
    await fs.mkdir(other);
    await fs.writeFile(path.join(other, 'auth-secret'), 'f0'.repeat(32));
    const refused = await florka(['restore', made], elsewhere('other'));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('auth-secret is of another installation') });
    expect(await fs.readFile(path.join(other, 'auth-secret'), 'utf8')).toBe('f0'.repeat(32));
    // Nor does a refused one leave secrets of the backup: two installations would sign with one key.
    expect(await fs.readdir(other)).toEqual(['auth-secret']);
    const empty = path.join(folder, 'empty');
    const used = await florka(['restore', made], { DATA_DIR: empty, AUTH_SECRET: '' });
    expect(used).toMatchObject({ code: 1, err: expect.stringContaining('in use already') });
    expect(await fs.readdir(empty)).toEqual([]);
    // The same for one that fails later.
    const away = path.join(folder, 'away');
    const nowhere = { DATA_DIR: away, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/florka', AUTH_SECRET: '' };
    expect((await florka(['restore', made], nowhere)).code).toBe(1);
    expect(await fs.readdir(away)).toEqual([]);
  });

  it('reports at its restore what was done with each secret', async () => {
    expect(restored.out).toContain('secrets   AUTH_SECRET is restored\n  secrets   LEDGER_KEY is restored');
    const given = { DATA_DIR: path.join(folder, 'given'), DATABASE_URL: '', LEDGER_KEY: '0f'.repeat(32) };
    expect((await florka(['restore', made], given)).out).toContain(
      'secrets   AUTH_SECRET is the one of the backup\n  secrets   LEDGER_KEY is not the one of the backup, and stays',
    );
  });

  it('is restored over the direct connection and not through a pooler', async () => {
    const pooler = 'postgres://nobody@127.0.0.1:1/florka';
    const past = await florka(['restore', made], { DATABASE_URL: pooler, DATABASE_DIRECT_URL: url });
    expect(past).toMatchObject({ code: 1, err: expect.stringContaining('in use already') });
  });
});

describe('a restored installation', () => {
  it('serves pages and sends no mail before florka resume', async () => {
    expect(restored.out).toContain('Paused: no mails');
    expect((await revived.http('/readyz')).status).toBe(200);
    const admin = await revived.member({ role: 'admin' });
    expect(await revived.as(admin).admin.session()).toMatchObject({ paused: { reason: 'restored' } });
    const waiting = await revived.sql("select id from mails where status = 'queued'");
    expect(waiting.length).toBeGreaterThan(0);
    const paused = vi.spyOn(revived.services, 'paused');
    await startWorker({ services: revived.services, log: pino({ level: 'silent' }) });
    await vi.waitFor(() => expect(paused.mock.calls.length).toBeGreaterThan(2), { timeout: 60_000 });
    expect(revived.mails).toEqual([]);
    expect((await florka(['doctor'], elsewhere('revived'))).out).toMatch(/Paused +restored from a backup/);
    expect(await florka(['resume'], elsewhere('revived'))).toMatchObject({ code: 0, err: '' });
    await vi.waitFor(() => expect(revived.mails.length).toBeGreaterThan(0), { timeout: 60_000 });
    expect(await revived.as(admin).admin.session()).toMatchObject({ paused: null });
    await revived.services.jobs.stop();
  }, 240_000);

  it('signs no checkpoint before an operator confirmed that the ledger continues the published one', async () => {
    const resting = { halted: 'unknown-past', appended: 0 };
    // Null while the scheduled job runs it.
    await expect.poll(() => revived.services.ledger.run()).toMatchObject(resting);
    const checkpoint = async (of: typeof app, file: string) => {
      const to = path.join(folder, file);
      const [log] = await of.sql<{ checkpoint: string }>('select checkpoint from ledger_log');
      await fs.writeFile(to, log?.checkpoint ?? '');
      return to;
    };
    const held = await checkpoint(revived, 'held');
    // The original site continued after the copy.
    await app.as(await app.member()).voting.cast({ candidateId: candidate.id });
    for (let more = true; more; ) more = (await app.services.ledger.run())?.more ?? false;
    const newer = await checkpoint(app, 'newer');
    const go = (where: string) => florka(['ledger', 'accept', where], elsewhere('revived'));
    expect((await florka(['doctor'], elsewhere('revived'))).out).toContain('It is stopped since a restore or copy');
    expect(await go(newer)).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not continue this checkpoint'),
    });
    expect(await go(path.join(folder, 'nowhere'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a checkpoint'),
    });
    await expect.poll(() => revived.services.ledger.run()).toMatchObject(resting);
    expect(await go(held)).toMatchObject({ code: 0, out: expect.stringContaining('The ledger continues') });
    expect(await fs.readFile(path.join(folder, 'revived', LEDGER_SEEN), 'utf8')).toBe(await fs.readFile(held, 'utf8'));
    expect(await revived.services.ledger.run()).toMatchObject({ halted: null });
    // A newer checkpoint that this site itself published cannot be ignored.
    const seen = path.join(folder, 'revived', LEDGER_SEEN);
    await fs.copyFile(newer, seen);
    for (const denial of [held, '--nothing-newer'])
      expect(await go(denial)).toMatchObject({
        code: 1,
        err: expect.stringContaining('has a checkpoint that the database does not continue'),
      });
    expect(await fs.readFile(seen, 'utf8')).toBe(await fs.readFile(newer, 'utf8'));
    expect(await revived.sql("select 1 from audit_events where action = 'ledger.continued'")).toHaveLength(1);
  }, 240_000);
});

describe('a damaged backup', () => {
  const damaged = async (change: (copy: string) => Promise<unknown>) => {
    const copy = await fs.mkdtemp(path.join(folder, 'damaged-'));
    await fs.cp(made, copy, { recursive: true });
    await change(copy);
    const answer = await florka(['restore', copy], elsewhere(`none-${path.basename(copy)}`));
    expect(answer.code).toBe(1);
    expect(answer.err.trim().split('\n')).toHaveLength(1);
    // The restore wrote nothing.
    expect(await fs.readdir(path.join(folder, `none-${path.basename(copy)}`)).catch(() => [])).toEqual([]);
    return answer.err;
  };
  it('is refused in one clear line before anything is touched', async () => {
    expect(await damaged((copy) => fs.appendFile(path.join(copy, 'database/public.users.copy.gz'), 'x'))).toContain(
      'database/public.users.copy.gz does not match its hash',
    );
    expect(await damaged((copy) => fs.rm(path.join(copy, 'database/public.votes.copy.gz')))).toContain('is missing');
    expect(await damaged((copy) => fs.rm(path.join(copy, 'contents.json')))).toContain('is not a backup');
    expect(
      await damaged(async (copy) => {
        const [file = ''] = await fs.readdir(path.join(copy, 'uploads'));
        await fs.writeFile(path.join(copy, 'uploads', file), 'x');
      }),
    ).toContain('uploads/');
    expect(await damaged((copy) => fs.writeFile(path.join(copy, 'secrets/ledger-key'), 'a'.repeat(64)))).toContain(
      'secrets/ledger-key does not match its hash',
    );
    expect(await damaged((copy) => fs.rm(path.join(copy, 'secrets/ledger-key')))).toContain('is missing');
    expect(
      await damaged(async (copy) => {
        const file = path.join(copy, 'contents.json');
        const contents = JSON.parse(await fs.readFile(file, 'utf8')) as { migrations: object[] };
        contents.migrations.push({ name: '9999_later.sql', sha256: 'x' });
        await fs.writeFile(file, JSON.stringify(contents));
      }),
    ).toContain('newer than this program');
  });
});

describe('the commands for backups', () => {
  it.each(['backup', 'restore', 'doctor'])('%s prints its help and refuses unknown options', async (command) => {
    const help = await florka([command, '--help']);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`npm run florka -- ${command}`) });
    const wrong = await florka([command, '--nonsense']);
    expect(wrong.code).toBe(1);
    expect(wrong.err.trim().split('\n')).toHaveLength(1);
  });

  it('include no secrets unless --secrets is given', async () => {
    const to = path.join(folder, 'plain');
    const plain = await florka(['backup', '--to', to]);
    expect(plain).toMatchObject({ code: 0, out: expect.stringContaining('secrets   not in it') });
    const [one = ''] = await fs.readdir(to);
    expect(await fs.readdir(path.join(to, one, 'secrets'))).toEqual([]);
  });

  it('report in one line that the target cannot be written', async () => {
    const file = path.join(folder, 'file');
    await fs.writeFile(file, '');
    const refused = await florka(['backup', '--to', file]);
    expect(refused.code).toBe(1);
    expect(refused.err.trim().split('\n')).toHaveLength(1);
  });

  it('make no backup if the images cannot be read', async () => {
    const to = path.join(folder, 'unread');
    const data = path.join(folder, 'unreadable');
    await fs.mkdir(path.join(data, 'uploads'), { recursive: true });
    await fs.writeFile(path.join(data, 'uploads/files'), '');
    const refused = await florka(['backup', '--to', to], { DATA_DIR: data });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("can't be read (ENOTDIR)") });
    expect(refused.err.trim().split('\n')).toHaveLength(1);
    expect(await fs.readdir(to)).toEqual([]);
  });
});
