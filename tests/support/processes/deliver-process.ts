/**
 * A process for tests that kill it: `node tests/support/processes/deliver-process.ts` with its settings in DELIVER_PROCESS. It notifies
 * members of the same event as the process that ran before it, delivers what is due in every channel, and appends queued mails to a file.
 * It reports on standard output when it is ready, and when it hangs.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openDb, openPool } from '#server/db/client.ts';
import { deliverNotifications } from '#server/domains/notifications/deliver.service.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import { createPushService } from '#server/domains/notifications/push.service.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import { deliverMail } from '#server/mail/mail.ts';
import { pushServices } from '#server/providers/push/services.ts';
import { telegramBot } from '#server/providers/telegram/bot-api.ts';
import { SITE_LOOK } from '#tests/support/samples/site.ts';

/** Settings of the process; plain values, because they are passed between processes. */
export interface DeliverProcess {
  config: pg.ClientConfig;
  secret: string;
  now: string;
  members: string[];
  cause: string;
  /** File with a line for each mail that was sent. */
  outbox: string;
  bot: { token: string; name: string; url: string };
  /**
   * Milliseconds of work after which it ends itself by SIGKILL; it sends no message before, however fast the machine
   * is.
   */
  killAfter?: number | undefined;
  /** Number of the last message of a channel: it is sent, and nothing after it. */
  hang?: { channel: 'push' | 'mail'; at: number } | undefined;
  /** Milliseconds between the sending of each message and its record, so that a kill at random falls between both. */
  slow?: number | undefined;
}

const read = JSON.parse(process.env['DELIVER_PROCESS'] ?? '{}') as DeliverProcess;
const pool = openPool({ ...read.config, max: 3 });
const db = openDb(pool);
const jobs = new JobQueue(pool, () => {}, read.secret);
await jobs.start();
const now = new Date(read.now);
const publicUrl = 'http://florka.test';
let left = read.hang?.at ?? 0;
const endlessly = () => new Promise(() => setInterval(() => {}, 1_000));
/** After a message was sent, and before that was recorded. */
async function sentOne(channel: 'push' | 'mail' | 'telegram'): Promise<void> {
  if (read.slow !== undefined) await sleep(read.slow);
  if (channel !== read.hang?.channel || --left > 0) return;
  console.log('hangs');
  await endlessly();
}
const bot = telegramBot(read.bot);
const services = pushServices((endpoint) => /^http:\/\/(localhost|127\.0\.0\.1):/.test(endpoint));
console.log('ready');
if (read.killAfter !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), read.killAfter);
await db.transaction((tx) =>
  notify(tx, {
    kind: 'follows',
    detail: 'launched',
    cause: read.cause,
    to: read.members.map((id) => ({ id })),
    data: { title: 'Luna', path: '/next' },
    now,
  }),
);
await deliverNotifications({
  db,
  jobs,
  push: createPushService({
    secret: read.secret,
    contact: 'mailto:ops@florka.test',
    transport: {
      accepts: services.accepts,
      async post(...message) {
        if (read.killAfter !== undefined) await endlessly();
        const answer = await services.post(...message);
        await sentOne('push');
        return answer;
      },
    },
  }),
  telegram: {
    bot: {
      ...bot,
      async send(...message) {
        await bot.send(...message);
        await sentOne('telegram');
      },
    },
    onChange: () => () => {},
  },
  secret: read.secret,
  publicUrl,
  settings: { site: () => SITE_LOOK },
  now: () => now,
});
const transport = {
  target: read.outbox,
  kind: 'file' as const,
  send: async (mail: { to: string; messageId: string }) => {
    appendFileSync(read.outbox, `${JSON.stringify([mail.to, mail.messageId])}\n`);
    await sentOne('mail');
  },
  close: () => {},
};
const { rows } = await pool.query<{ id: string }>("select id from mails where status = 'queued' order by created_at");
// As from the queue, which gives the job of a mail to one process at a time; a killed process loses its lock with its connection.
const lock = await pool.connect();
for (const { id } of rows) {
  const { rows: got } = await lock.query<{ mine: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
    [id],
  );
  if (!got[0]?.mine) continue;
  await deliverMail(db, transport, id, {
    publicUrl,
    secret: read.secret,
    site: SITE_LOOK,
    supportEmail: null,
    now,
    last: false,
  });
  await lock.query('select pg_advisory_unlock(hashtextextended($1, 0))', [id]);
}
lock.release();
await jobs.stop();
await pool.end();
