import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { notifyOfOrder } from '#server/domains/notifications/happenings.service.ts';
import { paymentOf } from '#server/domains/payments/request-payments.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { eachAlone } from '#server/lib/each-alone.ts';
import { privatePath } from '#server/lib/private-pages.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Snapshot } from './snapshot.policy.ts';

interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  secret: string;
  now: Date;
}

/** Creations in one run. */
const AT_ONCE = 20;

/**
 * Writes to the customers whose token was made, once each, in the language of their order. The site does this, not the
 * signer: only the site can make the link of the private page. Each in a transaction of its own: one that fails holds up no
 * other one.
 *
 * @returns how many mails were queued.
 * @throws what failed, once all had their turn.
 */
export async function notifyCreated(context: ServiceContext): Promise<number> {
  const rows = await context.db
    .select({ id: tokenCreations.id })
    .from(tokenCreations)
    .where(and(eq(tokenCreations.state, 'completed'), sql`told_at is null`))
    .orderBy(asc(tokenCreations.completedAt))
    .limit(AT_ONCE);
  let mails = 0;
  await eachAlone(rows, async ({ id }) => {
    mails += await notifyOne(context, id);
  });
  return mails;
}

function notifyOne({ db, jobs, secret, now }: ServiceContext, creationId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{
      id: string;
      requestId: string;
      snapshot: Snapshot;
      address: string;
      explorerUrl: string | null;
      simulation: boolean;
      email: string | null;
    }>(sql`
      select c.id, c.submission_id as "requestId", c.snapshot, c.address, coalesce(c.address_page, c.transaction_page) as "explorerUrl",
        c.simulation, t.petitioner_email as email
      from token_creations c join token_creation_submissions t on t.id = c.submission_id
      where c.id = ${creationId} and c.state = 'completed' and c.told_at is null for no key update of c skip locked`);
    let mails = 0;
    for (const { id, requestId, snapshot, address, explorerUrl, simulation, email } of rows) {
      await tx.execute(sql`update token_creations set told_at = ${now.toISOString()} where id = ${id}`);
      const payment = await paymentOf(tx, requestId);
      if (payment) await notifyOfOrder(tx, { requestId, orderId: payment.orderId, detail: 'created', now });
      if (!email || !payment) continue;
      const path = privatePath(secret, 'order', requestId, payment.locale);
      const { name, symbol } = snapshot;
      await queueMail(tx, jobs, {
        to: email,
        locale: payment.locale,
        template: 'tokenCreated',
        data: { orderId: payment.orderId, name, symbol, address, explorerUrl, path, simulation },
      });
      mails++;
    }
    return mails;
  });
}
