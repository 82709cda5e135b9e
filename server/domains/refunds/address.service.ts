import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Refund } from '#contract/domains/refunds.ts';
import { type Limit, REFUND_CODE_ATTEMPTS, REFUND_CODE_MINUTES } from '#contract/limits.ts';
import { refundAsset } from '#contract/refund-assets.ts';
import type { Db } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import type { Actor } from '#server/lib/audit.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { publishChange } from '#server/live/publish.ts';
import { isAddressOf } from './addresses.ts';
import {
  auditRefund,
  changeRefund,
  lockRefund,
  notifyPayer,
  orderIdOf,
  presentRefund,
  type RefundServices,
} from './cases.service.ts';

const MINUTE = 60_000;
const codeHash = (secret: string, id: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'refund code')).update(`${id} ${code}`).digest();

/**
 * Stores the address that the payer entered and mails a code to the order's mailbox. With the private link alone nobody can
 * redirect the money: the code is only in the mailbox.
 *
 * @param limit of addresses entered for one refund.
 * @throws NOT_FOUND, REFUND_CLOSED, REFUND_REFUSED (no address of the coin's chain), RATE_LIMITED
 */
export function setAddress(
  db: Db,
  services: RefundServices,
  { id, requestId, address }: { id: string; requestId: string; address: string },
  { actor, now, limit }: { actor: Actor; now: Date; limit: Limit },
): Promise<Refund> {
  return db.transaction(async (tx) => {
    const row = await lockRefund(tx, id, requestId);
    if (row.state === 'sent' || row.state === 'withdrawn') return fail('REFUND_CLOSED', { state: row.state });
    if (row.claimedAt) return fail('REFUND_CLOSED', { state: 'claimed' });
    const chain = refundAsset(row.asset)?.chain;
    if (!chain || !isAddressOf(chain, address)) return fail('REFUND_REFUSED', { why: 'address' });
    await consumeRateLimits(tx, [{ key: `refund-address:${id}`, limit }], now);
    const code = String(randomInt(100_000_000)).padStart(8, '0');
    const changed = await changeRefund(
      tx,
      row,
      {
        state: 'address_unconfirmed',
        address,
        addressAt: now,
        confirmedAt: null,
        codeHash: codeHash(services.secret, id, code),
        codeUntil: new Date(now.getTime() + REFUND_CODE_MINUTES * MINUTE),
        codeAttempts: 0,
      },
      now,
    );
    await notifyPayer(tx, services, changed, 'confirm', { code });
    await auditRefund(tx, actor, 'address_set', changed);
    return presentRefund(changed, await orderIdOf(tx, row.paymentId));
  });
}

/**
 * Confirms the address with the mailed code. A wrong code is counted even though the attempt fails.
 *
 * @param confirmed.address the one that the payer saw: whoever has the private link may have set another one since, and the payer
 *   would confirm that with the code of the newest mail.
 * @throws NOT_FOUND, REFUND_CLOSED, REFUND_CODE. @throws VERSION_CONFLICT when the address is another one.
 */
export async function confirmAddress(
  db: Db,
  services: RefundServices,
  confirmed: { id: string; requestId: string; code: string; address?: string | undefined },
  { actor, now }: { actor: Actor; now: Date },
): Promise<Refund> {
  const { id, requestId, code, address } = confirmed;
  const answer = await db.transaction(async (tx) => {
    const row = await lockRefund(tx, id, requestId);
    if (row.state === 'sent' || row.state === 'withdrawn' || row.state === 'ready')
      return fail('REFUND_CLOSED', { state: row.state });
    if (address !== undefined && address !== row.address)
      throw failure('VERSION_CONFLICT', { version: row.version, current: {} });
    const open = row.codeHash && row.codeUntil && row.codeUntil > now && row.codeAttempts < REFUND_CODE_ATTEMPTS;
    if (!open || !row.codeHash) return { attemptsLeft: 0 };
    if (!timingSafeEqual(row.codeHash, codeHash(services.secret, id, code.replace(/\s/g, '')))) {
      await tx
        .update(refundCases)
        .set({ codeAttempts: row.codeAttempts + 1 })
        .where(eq(refundCases.id, id));
      return { attemptsLeft: REFUND_CODE_ATTEMPTS - row.codeAttempts - 1 };
    }
    const changed = await changeRefund(
      tx,
      row,
      { state: 'ready', confirmedAt: now, codeHash: null, codeUntil: null },
      now,
    );
    await publishChange(tx, 'deliverables');
    await auditRefund(tx, actor, 'address_confirmed', changed);
    return presentRefund(changed, await orderIdOf(tx, row.paymentId));
  });
  return 'attemptsLeft' in answer ? fail('REFUND_CODE', answer) : answer;
}
