import { eq } from 'drizzle-orm';
import type { CloseInput } from '#contract/admin/token-requests.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { endWithRequest, reopenWithRequest } from '#server/domains/deliverables/deliverables.service.ts';
import { networksOnSale } from '#server/domains/networks/networks.service.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { hasReceivedMoney, paymentOf } from '#server/domains/payments/orders/request-payments.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { refundAll, withdrawOfClosing } from '#server/domains/refunds/refunds.service.ts';
import { countAttempts, findCreation } from '#server/domains/token-creation/creations.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';
import { findRequest } from './drafts.service.ts';

/** Dependencies of these functions. */
interface Services {
  jobs: JobQueue;
  secret: string;
  publicUrl: string;
  payments: PaymentService;
}

/**
 * The reason why a request can't be closed; null when it can. An unpaid request needs no closing, and a creation that the signer has begun
 * ends on the chain, unless the chain refuses it: then no signed transaction can land any more.
 */
export async function whyNotClose(
  db: Reader,
  requestId: string,
): Promise<'unpaid' | 'creating' | 'created' | 'closed' | null> {
  if ((await findRequest(db, requestId)).closedAt) return 'closed';
  const creation = await findCreation(db, requestId);
  if (creation?.state === 'completed') return 'created';
  const begun = creation && (creation.state === 'queued' || creation.state === 'working');
  const refused = creation?.state === 'failed' && creation.problem === 'refused';
  if (begun || (creation && !refused && (await countAttempts(db, creation.id)) > 0)) return 'creating';
  return (await hasReceivedMoney(db, requestId)) ? null : 'unpaid';
}

/**
 * Closes a request whose token will not be created with the signer: the team delivered it by hand, or will not deliver. The
 * customer gets the note on the order page and in a mail. Its deliverables end with it; for a cancelled request all money that
 * arrived becomes a refund, unless the team states that nothing is refunded.
 *
 * @throws NOT_FOUND, NOT_CLOSABLE, REFUND_REFUSED; ADDRESS_INVALID for an address that cannot exist on the request's network.
 */
export function closeRequest(db: Db, services: Services, by: Editor, input: CloseInput): Promise<void> {
  return db.transaction(async (tx) => {
    const { email } = await lockRequest(tx, input.id);
    const why = await whyNotClose(tx, input.id);
    if (why) fail('NOT_CLOSABLE', { why });
    const note = cleanText(input.note, 'text');
    const address = input.as === 'delivered' ? cleanText(input.address, 'line') : null;
    if (address !== null && (await isImpossible(tx, input.id, address))) fail('ADDRESS_INVALID');
    await tx
      .update(tokenCreationSubmissions)
      .set({ closedAt: by.now, closedAs: input.as, closedNote: note, deliveredAddress: address, updatedAt: by.now })
      .where(eq(tokenCreationSubmissions.id, input.id));
    const payment = await paymentOf(tx, input.id);
    if (payment)
      await notifyOfOrder(tx, { requestId: input.id, orderId: payment.orderId, detail: input.as, now: by.now });
    if (email && payment)
      await queueMail(tx, services.jobs, {
        to: email,
        locale: payment.locale,
        template: 'requestClosed',
        data: {
          orderId: payment.orderId,
          as: input.as,
          note,
          address,
          path: await orderLink(tx, services.secret, input.id, payment.locale),
          simulation: payment.simulation,
        },
      });
    await endWithRequest(tx, input.id, { at: by.now, by: by.actor.id, as: input.as, reason: note, address });
    if (input.as === 'cancelled' && input.refund === 'all')
      await refundAll(tx, services, by, input.id, { cause: await refundCauseOf(tx, services, input.id), reason: note });
    await notify(tx, by, input.id, 'request.closed', { how: input.as, address }, note);
  });
}

/** True when a text cannot be an address on the network of a request: its customer would read it as the address of the token. */
async function isImpossible(tx: Tx, requestId: string, address: string): Promise<boolean> {
  const { tokenData } = await findRequest(tx, requestId);
  return checkWallet(tokenData.selectedNetwork ?? '', address, checksummed) === 'invalid';
}

/** A network on which delivery is no longer possible has a refund cause of its own. */
async function refundCauseOf(tx: Tx, services: Services, requestId: string): Promise<'network' | 'cancelled'> {
  const { tokenData } = await findRequest(tx, requestId);
  const networks = await networksOnSale(tx, services);
  return networks.some(({ key }) => key === tokenData.selectedNetwork) ? 'cancelled' : 'network';
}

/**
 * Reopens a closed request with its deliverables; refunds that were opened with its closing are withdrawn, of which its payer is
 * notified by mail.
 *
 * @throws NOT_FOUND; ALREADY_DONE when it is open; REFUND_CLOSED when a refund of its closing was sent, REFUND_CLAIMED when
 * somebody is paying one.
 */
export function reopenRequest(db: Db, services: Services, by: Editor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockRequest(tx, id);
    const request = await findRequest(tx, id);
    if (!request.closedAt) fail('ALREADY_DONE');
    await tx
      .update(tokenCreationSubmissions)
      .set({ closedAt: null, closedAs: null, closedNote: null, deliveredAddress: null, updatedAt: by.now })
      .where(eq(tokenCreationSubmissions.id, id));
    await withdrawOfClosing(tx, services, by, id);
    await reopenWithRequest(tx, id, by.now);
    await notify(tx, by, id, 'request.reopened');
  });
}

async function notify(
  tx: Tx,
  by: Editor,
  id: string,
  action: 'request.closed' | 'request.reopened',
  after?: { how: string; address: string | null },
  reason?: string,
): Promise<void> {
  await publishChange(tx, 'tokenRequests');
  await audit(tx, by.actor, {
    action,
    resourceType: 'token_request',
    resourceId: id,
    ...(after ? { after } : {}),
    ...(reason ? { reason } : {}),
  });
}
