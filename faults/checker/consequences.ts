// Checks what an action writes in the same transaction: notifications, their mails, the deliverables of an order.
import type pg from 'pg';
import { itemsOfPlan } from '#contract/domains/deliverables.ts';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { type Findings, rowsOf } from './findings.ts';

/** Each query returns one line for each missing row. */
const MISSING: Record<string, string> = {
  'notification of': `select 'comment ' || c.content as line from forum_comments c join forum_posts p on p.id = c.post_id
    join forum_users u on u.id = p.forum_user_id
    where u.new_auth_user_id <> c.user_id and not exists (
      select 1 from notifications n where n.user_id = u.new_auth_user_id and n.cause = 'comment:' || c.id)`,
  'notification of the': `select 'order ' || p.order_id as line
    from payments p join token_creation_submissions s on s.id = p.submission_id
    where p.state = 'paid' and s.user_id is not null and not exists (
      select 1 from notifications n where n.user_id = s.user_id and n.cause like 'order:' || s.id || ':paid:%')`,
};

/** Each query returns one line for each row that should not exist, or exists twice. */
const TOO_MANY: Record<string, string> = {
  notification: `select n.cause as line from notifications n
    where n.cause like 'comment:%' and not exists (select 1 from forum_comments c where 'comment:' || c.id = n.cause)`,
  'mails of notifications': `select m.mails || ' to ' || m.to_address || ', ' || coalesce(d.done, 0) || ' delivered' as line
    from (select to_address, count(*) as mails from mails where template = 'notification' group by 1) m
    left join (
      select u.email, count(*) as done from notification_deliveries d join notifications n on n.id = d.notification_id
      join users u on u.id = n.user_id where d.channel = 'mail' and d.state = 'done' group by 1) d on d.email = m.to_address
    where m.mails > coalesce(d.done, 0)`,
};

/** Mails are queued in the transaction that marks them as delivered. */
const UNSENT = `select u.email || ': ' || count(*) as line from notification_deliveries d
  join notifications n on n.id = d.notification_id join users u on u.id = n.user_id
  where d.channel = 'mail' and d.state = 'done'
  group by u.email having count(*) > (select count(*) from mails m where m.to_address = u.email and m.template = 'notification')`;

/** True once a mail of a notification was sent and is recorded so: only then can a defect of it be planted. */
export async function isNotificationMailSent(environment: FaultEnvironment): Promise<boolean> {
  const client = await environment.cluster.connect(environment.database);
  try {
    return (
      (await rowsOf(client, `select id from mails where template = 'notification' and status = 'sent' limit 1`))
        .length > 0
    );
  } finally {
    await client.end();
  }
}

/** Compares comments and paid orders with the rows that they must have caused. */
export async function checkConsequences(
  client: pg.Client,
  environment: FaultEnvironment,
  { lost, doubled, wrong }: Findings,
): Promise<void> {
  for (const [what, text] of Object.entries(MISSING))
    for (const { line } of await rowsOf(client, text)) lost.push(`${what} ${line}`);
  for (const [what, text] of Object.entries(TOO_MANY))
    for (const { line } of await rowsOf(client, text)) doubled.push(`${what} ${line}`);
  for (const { line } of await rowsOf(client, UNSENT)) lost.push(`mails of notifications: ${line}`);
  // After a kill between sending a mail and recording that, it is sent again, with the same Message-ID, by which mail
  // servers recognise it.
  const written = await rowsOf(client, `select id::text as id, status from mails where template = 'notification'`);
  const known = new Set(written.map(({ id }) => String(id)));
  const arrived = new Set(
    environment.mails.received
      .filter(({ parsed }) => parsed.headers.some(({ key }) => key === 'list-unsubscribe-post'))
      .map(({ parsed }) => /^<([0-9a-f-]{36})@/.exec(parsed.messageId ?? '')?.[1] ?? 'without an id'),
  );
  for (const { id, status } of written)
    if (status === 'sent' && !arrived.has(String(id))) lost.push(`mail of a notification never arrived: ${id}`);
  for (const id of arrived) if (!known.has(id)) doubled.push(`mail of a notification that nobody wrote: ${id}`);
  const orders = await rowsOf(
    client,
    `select p.order_id as key, p.plan, p.state, count(d.*) as n, count(distinct d.item) as items
     from payments p left join deliverables d on d.payment_id = p.id group by p.id`,
  );
  for (const { key, plan, state, n, items } of orders) {
    const promised = String(plan) in PLANS ? itemsOfPlan(plan as Plan).length : 0;
    if (state === 'paid' && Number(items) < promised)
      lost.push(`deliverables of order ${key}: ${items} of ${promised}`);
    if (Number(n) > promised) doubled.push(`deliverables of order ${key}: ${n}`);
    if (state !== 'paid' && state !== 'under_review' && Number(n) > 0)
      wrong.push(`deliverables of order ${key}, which is ${state}`);
  }
}
