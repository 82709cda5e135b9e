import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { paymentOf } from '#server/domains/payments/orders/request-payments.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { queueMail } from '#server/mail/mail.ts';

interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  secret: string;
  now: Date;
}

const c = tokenCreations;
/** Creations per run. */
const BATCH_SIZE = 20;

/**
 * Mails the customers whose token was created, once each, in the language of their order. The site does this rather than the
 * signer, because only the site can make the link of the private page. One transaction per creation: a failure does not block the
 * others.
 *
 * @returns the number of queued mails.
 * @throws the failures, after all were processed.
 */
export async function notifyCreated(context: ServiceContext): Promise<number> {
  const rows = await context.db
    .select({ id: c.id })
    .from(c)
    .where(and(eq(c.state, 'completed'), isNull(c.notifiedAt)))
    .orderBy(asc(c.completedAt))
    .limit(BATCH_SIZE);
  let mails = 0;
  await runEachSettled(rows, async ({ id }) => {
    mails += await notifyOne(context, id);
  });
  return mails;
}

function notifyOne({ db, jobs, secret, now }: ServiceContext, creationId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({
        id: c.id,
        requestId: c.submissionId,
        snapshot: c.snapshot,
        // A completed creation has an address.
        address: sql`coalesce(${c.address}, '')`.mapWith(asText),
        explorerUrl: sql`coalesce(${c.addressPage}, ${c.transactionPage})`.mapWith(orNull(asText)),
        simulation: c.simulation,
        email: tokenCreationSubmissions.petitionerEmail,
      })
      .from(c)
      .innerJoin(tokenCreationSubmissions, eq(tokenCreationSubmissions.id, c.submissionId))
      .where(and(eq(c.id, creationId), eq(c.state, 'completed'), isNull(c.notifiedAt)))
      .for('no key update', { of: c, skipLocked: true });
    let mails = 0;
    for (const { id, requestId, snapshot, address, explorerUrl, simulation, email } of rows) {
      await tx.update(c).set({ notifiedAt: now }).where(eq(c.id, id));
      const payment = await paymentOf(tx, requestId);
      if (payment) await notifyOfOrder(tx, { requestId, orderId: payment.orderId, detail: 'created', now });
      if (!email || !payment) continue;
      const path = await orderLink(tx, secret, requestId, payment.locale);
      const { name, symbol, owner } = snapshot;
      await queueMail(tx, jobs, {
        to: email,
        locale: payment.locale,
        template: 'tokenCreated',
        data: { orderId: payment.orderId, name, symbol, owner, address, explorerUrl, path, simulation },
      });
      mails++;
    }
    return mails;
  });
}
