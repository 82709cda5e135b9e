import { and, asc, eq, lte } from 'drizzle-orm';
import type { NotificationDetail, NotificationKind } from '#contract/domains/notifications.ts';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { offeredLanguage } from '#contract/site.ts';
import { withNotice } from '#contract/text/notice-address.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import {
  notificationDeliveries,
  notifications,
  pushSends,
  pushSubscriptions,
} from '#server/db/tables/notifications.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { queueMail } from '#server/mail/mail.ts';
import { isObsolete, quietEnd } from './delivery.policy.ts';
import { notificationOf } from './list.service.ts';
import { claimPushes, createPushes, lockDue, readOldest, settleRestOfDaily } from './notifications.sql.ts';
import type { PushService } from './push.port.ts';
import { DEFAULT_TIME_ZONE, nextDigest } from './quiet-hours.policy.ts';
import { stopPath } from './settings.service.ts';
import { sendTelegram } from './telegram/send.service.ts';
import type { TelegramService } from './telegram/telegram.port.ts';
import { createMessage } from './telegram/telegram.sql.ts';
import { signStop, unsubscribePath } from './unsubscribe-tokens.service.ts';

/** Members per transaction, and notifications delivered to one member in it. */
const MEMBERS_AT_ONCE = 20;
const OF_ONE = 100;
/** Lines of a daily mail; the remaining notifications are only counted. */
const DIGEST_LINES = 20;
/** Pushes claimed per batch, attempts of each, and duration of a claim: longer than the time limits of all pushes of a batch. */
const PUSHES = 10;
const PUSH_ATTEMPTS = 6;
const CLAIM_MS = 120_000;
const MINUTE = 60_000;
/** Delay before a failed settlement of a member's notifications is retried. */
const UNSETTLED = 60 * MINUTE;

export interface Delivering {
  db: Db;
  jobs: JobQueue;
  push: PushService;
  telegram: TelegramService;
  secret: string;
  /** Base of the links in Telegram messages. */
  publicUrl: string;
  /** Name of the site, and its languages. */
  settings: { site(): SiteNotices['site'] };
  /** Read for each batch: a run can last for minutes, and a claim begins with its batch. */
  now: () => Date;
}
export interface Delivered {
  mails: number;
  pushes: number;
  /** Telegram messages. */
  messages: number;
}

/**
 * Delivers due notifications: mails are queued in the transaction that marks them as delivered, so that each is queued once; pushes
 * and Telegram messages are sent under claims that expire. Safe to repeat and to run in several processes. Notifications that were
 * read meanwhile, or are no longer wanted, are not delivered; during quiet hours they wait. A member whose notifications can't be
 * settled does not block others: they are retried an hour later.
 *
 * @throws the failures, after all members were processed.
 */
export async function deliverNotifications(service: Delivering): Promise<Delivered> {
  const done: Delivered = { mails: 0, pushes: 0, messages: 0 };
  const parts = [
    async () => {
      for (let rows = 1; rows > 0; ) {
        const batch = await settleSome(service);
        done.mails += batch.mails;
        rows = batch.rows;
      }
    },
    async () => {
      for (let claimed = PUSHES; claimed === PUSHES; ) {
        const sent = await sendPushes(service);
        done.pushes += sent.done;
        claimed = sent.claimed;
      }
    },
    async () => {
      done.messages = await sendTelegram(service);
    },
  ];
  await runEachSettled(parts, (part) => part());
  return done;
}

/** Settles what is due for some members in one transaction; if that fails, member by member. */
async function settleSome(service: Delivering): Promise<{ rows: number; mails: number }> {
  const { db } = service;
  const now = service.now();
  try {
    return await db.transaction((tx) => settleDue(tx, service, now));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
  }
  const done = { rows: 0, mails: 0 };
  const members = await dueMembers(db, now);
  await runEachSettled(members, async ({ id }) => {
    try {
      const one = await db.transaction((tx) => settleDue(tx, service, now, id));
      done.rows += one.rows;
      done.mails += one.mails;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      await db
        .update(notificationDeliveries)
        .set({ dueAt: new Date(now.getTime() + UNSETTLED) })
        .from(notifications)
        .where(
          and(
            eq(notifications.id, notificationDeliveries.notificationId),
            eq(notifications.userId, id),
            eq(notificationDeliveries.state, 'waiting'),
            lte(notificationDeliveries.dueAt, now),
          ),
        );
      throw error;
    }
  });
  return done;
}

/** Members with due notifications, longest due first. */
function dueMembers(db: Reader, now: Date) {
  const oldest = db
    .select({ notificationId: notificationDeliveries.notificationId })
    .from(notificationDeliveries)
    .where(and(eq(notificationDeliveries.state, 'waiting'), lte(notificationDeliveries.dueAt, now)))
    .orderBy(asc(notificationDeliveries.dueAt))
    .limit(OF_ONE)
    .as('oldest');
  return db
    .selectDistinct({ id: notifications.userId })
    .from(oldest)
    .innerJoin(notifications, eq(notifications.id, oldest.notificationId))
    .orderBy(asc(notifications.userId))
    .limit(MEMBERS_AT_ONCE);
}

type DueRow = Awaited<ReturnType<typeof lockDue>>[number];

/** Settles everything that is due for some members, or for one. */
async function settleDue(
  tx: Tx,
  service: Delivering,
  now: Date,
  member?: string,
): Promise<{ rows: number; mails: number }> {
  const rows = await lockDue(tx, {
    now,
    member: member ?? null,
    ofOne: OF_ONE,
    members: MEMBERS_AT_ONCE,
    zone: DEFAULT_TIME_ZONE,
  });
  let mails = 0;
  const daily = new Map<string, DueRow[]>();
  for (const row of rows) {
    const until = waitsUntil(row, now);
    if (isUnwanted(row)) await settle(tx, row, 'dropped');
    else if (until) await postpone(tx, row, until);
    else if (row.channel === 'push') await expandPush(tx, row, now);
    else if (row.channel === 'telegram') await expandTelegram(tx, row, service, now);
    else if (row.mail === 'daily') daily.set(row.userId, [...(daily.get(row.userId) ?? []), row]);
    else {
      await mailOne(tx, service, row);
      mails++;
    }
  }
  for (const some of daily.values()) {
    await mailDigest(tx, service, some, now);
    mails++;
  }
  return { rows: rows.length, mails };
}

/** True when it is obsolete, its channel was turned off (mails also for its saved token), or its member can't be reached. */
function isUnwanted(row: DueRow): boolean {
  if (row.channel === 'push') return isObsolete(row) || row.push === false;
  if (row.channel === 'telegram') return isObsolete(row) || row.telegram === false;
  return isObsolete(row) || row.mail === 'off' || row.unfollowed || !row.reachable;
}

/** Earliest time of delivery; null for now. */
function waitsUntil(row: DueRow, now: Date): Date | null {
  if (row.channel === 'mail' && row.mail === 'daily') {
    const next = nextDigest(new Date(row.createdAt), row.zone);
    if (next > now) return next;
  }
  return quietEnd(row, now);
}

const deliveryOf = ({ id, channel }: DueRow) =>
  and(eq(notificationDeliveries.notificationId, id), eq(notificationDeliveries.channel, channel));

const settle = (tx: Tx, row: DueRow, state: 'done' | 'dropped') =>
  tx.update(notificationDeliveries).set({ state }).where(deliveryOf(row));
const postpone = (tx: Tx, row: DueRow, dueAt: Date) =>
  tx.update(notificationDeliveries).set({ dueAt }).where(deliveryOf(row));

/** The line of one notification in a mail. */
function lineOf(row: Parameters<typeof notificationOf>[0], secret: string, locale: DueRow['locale']) {
  const { kind, detail, actor, title, count, path } = notificationOf(row, secret, locale);
  const page = path === null ? '/notifications' : withNotice(path, row.id);
  return { kind, detail, actor, title, count, path: `${locale === 'en' ? '/en' : ''}${page}` };
}

async function mailOne(tx: Tx, { jobs, secret }: Delivering, row: DueRow): Promise<void> {
  await settle(tx, row, 'done');
  const { saved } = row.data;
  const line = lineOf(row, secret, row.locale);
  const to = { to: row.email, locale: row.locale };
  if (saved)
    await queueMail(tx, jobs, {
      ...to,
      template: 'savedToken',
      data: {
        name: line.title ?? '',
        news: line.detail as NotificationDetail<'follows'>,
        path: line.path,
        unsubscribePath: unsubscribePath(row.locale, signStop(secret, [row.userId, saved.kind, saved.id])),
      },
    });
  else
    await queueMail(tx, jobs, {
      ...to,
      template: 'notification',
      data: { ...line, unsubscribePath: stopPath(secret, row, row.kind as NotificationKind) },
    });
}

async function mailDigest(tx: Tx, { jobs, secret }: Delivering, rows: DueRow[], now: Date): Promise<void> {
  const [first] = rows;
  if (!first) return;
  for (const row of rows) await settle(tx, row, 'done');
  // Due ones beyond the rows of this transaction, which other channels and kinds may fill, are in this mail instead of a second one.
  const rest = (await settleRestOfDaily(tx, { now, member: first.userId })).filter(({ wanted }) => wanted);
  const shown: Parameters<typeof lineOf>[0][] = rows.slice(0, DIGEST_LINES);
  if (rest.length > 0 && shown.length < DIGEST_LINES)
    shown.push(...(await readOldest(tx, { ids: rest.map(({ id }) => id), max: DIGEST_LINES - shown.length })));
  await queueMail(tx, jobs, {
    to: first.email,
    locale: first.locale,
    template: 'notificationDigest',
    data: {
      lines: shown.map((row) => lineOf(row, secret, first.locale)),
      more: rows.length + rest.length - shown.length,
      path: `${first.locale === 'en' ? '/en' : ''}/notifications`,
      unsubscribePath: stopPath(secret, first, 'all'),
    },
  });
}

/** Creates one push per browser of the member. */
async function expandPush(tx: Tx, row: DueRow, now: Date): Promise<void> {
  await createPushes(tx, { notification: row.id, member: row.userId, now });
  await settle(tx, row, 'done');
}

/** Creates one message for the member's chat, if one is linked with the current bot. */
async function expandTelegram(tx: Tx, row: DueRow, { telegram }: Delivering, now: Date): Promise<void> {
  const bot = telegram.bot?.id;
  if (bot === undefined) return void (await settle(tx, row, 'dropped'));
  const { id, userId, locale, createdAt } = row;
  await createMessage(tx, { bot, member: userId, notification: id, locale, due: createdAt, now });
  await settle(tx, row, 'done');
}

type Claimed = Awaited<ReturnType<typeof claimPushes>>[number];

/**
 * Sends some pushes; a repeated one may have become obsolete since it was created, or fall into quiet hours. If the process ends between
 * sending and recording it, the claim expires and the push is sent again under the same topic and tag: browsers show it once.
 */
async function sendPushes({
  db,
  push,
  secret,
  settings,
  now: clock,
}: Delivering): Promise<{ claimed: number; done: number }> {
  const now = clock();
  const rows = await claimPushes(db, {
    now,
    until: new Date(now.getTime() + CLAIM_MS),
    max: PUSHES,
    zone: DEFAULT_TIME_ZONE,
  });
  let done = 0;
  await runEachSettled(rows, async (row) => {
    if (isObsolete(row) || row.push === false) {
      await dropPush(db, row);
      return;
    }
    const quiet = quietEnd(row, now);
    if (quiet) {
      await postponePush(db, row, quiet);
      return;
    }
    const { name: site, mark, languages } = settings.site();
    const locale = offeredLanguage(row.locale, languages);
    const { kind, detail, actor, title, count, path } = notificationOf(row, secret, locale);
    const text = JSON.stringify({
      id: row.id,
      locale,
      site,
      mark,
      kind,
      detail,
      actor,
      title,
      count,
      path: path && withNotice(path, row.id),
    });
    const topic = row.id.replaceAll('-', '').slice(0, 32);
    const outcome = await push.send(row, { text, topic }).catch(async (error: unknown) => {
      await note(db, row, { later: null }, now);
      throw error;
    });
    if (outcome === 'gone') await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, row.subscriptionId));
    else await note(db, row, outcome, now);
    if (outcome === 'sent') done++;
  });
  return { claimed: rows.length, done };
}

const sendOf = ({ id, subscriptionId }: Claimed) =>
  and(eq(pushSends.notificationId, id), eq(pushSends.subscriptionId, subscriptionId));

const dropPush = (db: Db, row: Claimed) => db.delete(pushSends).where(sendOf(row));

/** The claim does not count as an attempt. */
const postponePush = (db: Db, row: Claimed, dueAt: Date) =>
  db
    .update(pushSends)
    .set({ dueAt, attempts: row.attempts - 1 })
    .where(sendOf(row));

async function note(
  db: Db,
  row: Claimed,
  outcome: 'sent' | 'refused' | { later: number | null },
  now: Date,
): Promise<void> {
  const again = typeof outcome === 'object' && row.attempts < PUSH_ATTEMPTS;
  const wait =
    typeof outcome === 'object' && outcome.later !== null ? outcome.later * 1_000 : 2 ** row.attempts * MINUTE;
  const state = outcome === 'sent' ? 'sent' : again ? 'waiting' : 'failed';
  await db
    .update(pushSends)
    .set({ state, dueAt: new Date(now.getTime() + wait) })
    .where(sendOf(row));
}
