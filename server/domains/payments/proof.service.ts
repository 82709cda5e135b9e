// What convinces the signer that a request is paid for: the provider's word about deposits, and acceptances that were signed with an
// admin's key. Nothing in here is read from our database but the signed bytes.
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { type AgreedToken, agreementHash, isSameToken } from './agreed-token.service.ts';
import { arrivedUnits, hasMoney, isFull } from './reduce.policy.ts';

/**
 * What an order is called at the provider. It names the request and the token that is paid for, so that a deposit can be led neither to
 * another request here nor to another owner.
 *
 * @param agreed of the token, by `agreementHash`.
 */
export const invoiceDescription = (plan: Plan, orderId: string, requestId: string, agreed: string): string =>
  `Florka ${plan} ${orderId} ${requestId} ${agreed}`;

const statementShape = z.strictObject({
  what: z.literal('florka payment acceptance 2'),
  requestId: z.uuid(),
  orderId: z.string().max(40),
  /** The token that may be made for it. */
  token: z.strictObject({
    network: z.string().max(40),
    owner: z.string().max(200),
    name: z.string().max(200),
    symbol: z.string().max(60),
  }),
  /** Whole US dollars that were agreed. */
  priceUsd: z.int().positive(),
  /** What is taken for enough: amounts as the provider wrote them. */
  deposits: z
    .array(
      z.strictObject({
        paymentId: z.string().min(1).max(64),
        amount: z.string().regex(/^\d{1,40}(\.\d{1,40})?$/),
        currency: z.string().max(40),
      }),
    )
    .min(1)
    .max(20),
  reason: z.string().max(2_000),
  at: z.iso.datetime(),
});
/** That money is taken for enough for one token of one request, as an admin signs it. */
export type AcceptanceStatement = z.infer<typeof statementShape>;

/** The bytes that are signed. Keys stand in the order of the shape. */
export const statementText = (statement: AcceptanceStatement): string =>
  JSON.stringify(statementShape.parse(statement));

/** A statement from its bytes; null when it is none. */
export function readStatement(text: string): AcceptanceStatement | null {
  try {
    const read = statementShape.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** A statement with its signature. */
export interface SignedAcceptance {
  statement: string;
  /** Ed25519, 32 bytes in base64. */
  publicKey: string;
  /** 64 bytes in base64. */
  signature: string;
}

const KEY = /^[A-Za-z0-9+/]{43}=$/;
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** Whether this text is an Ed25519 public key as `florka admin key` prints it. */
export const isAdminKey = (text: string): boolean => KEY.test(text);

/** Whether the signature is of that key, about those bytes. Whose key it is, is another question. */
export function isSignedBy({ statement, publicKey, signature }: SignedAcceptance): boolean {
  if (!KEY.test(publicKey) || !SIGNATURE.test(signature)) return false;
  try {
    const x = Buffer.from(publicKey, 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** The statement of an acceptance that one of these keys signed for this request; null: it counts for nothing. */
export function validAcceptance(
  acceptance: SignedAcceptance,
  { requestId, adminKeys }: { requestId: string; adminKeys: readonly string[] },
): AcceptanceStatement | null {
  if (!adminKeys.includes(acceptance.publicKey) || !isSignedBy(acceptance)) return null;
  const statement = readStatement(acceptance.statement);
  return statement?.requestId === requestId ? statement : null;
}

/** What is to be made, and for which request. */
export interface WantedToken {
  requestId: string;
  token: AgreedToken;
}

/** Whether a deposit, as the provider describes it, pays by itself for this token of this request: order, price and all of the amount. */
export function paysFor(deposit: Deposit, { requestId, token }: WantedToken): boolean {
  const { orderId, parentId, priceCurrency, priceAmount, description } = deposit;
  if (parentId !== null || orderId === null || priceCurrency !== 'usd' || !isFull(deposit)) return false;
  const agreed = agreementHash(token);
  return Object.entries(PLANS).some(
    ([plan, { priceUsd }]) =>
      priceUsd === priceAmount && description === invoiceDescription(plan as Plan, orderId, requestId, agreed),
  );
}

/** Whether everything that was accepted is still at the provider, at least as much of it. */
const standsBehind = (statement: AcceptanceStatement, reported: ReadonlyMap<string, Deposit>): boolean =>
  statement.deposits.every(({ paymentId, amount, currency }) => {
    const deposit = reported.get(paymentId);
    return (
      deposit !== undefined &&
      hasMoney(deposit) &&
      deposit.payCurrency === currency &&
      arrivedUnits(deposit) >= toFixedPoint(amount)
    );
  });

/**
 * The deposits that pay for a token: those that do by themselves, or else those of an acceptance that names it.
 *
 * @param reported the provider's answers of this moment. @param accepted what `validAcceptance` let through.
 * @returns their numbers in a fixed order; none: it is not paid for.
 */
export function provenDeposits(
  wanted: WantedToken,
  reported: readonly Deposit[],
  accepted: readonly AcceptanceStatement[],
): string[] {
  const full = reported.filter((deposit) => paysFor(deposit, wanted)).map(({ paymentId }) => paymentId);
  if (full.length > 0) return [...new Set(full)].toSorted();
  const byId = new Map(reported.map((deposit) => [deposit.paymentId, deposit]));
  const statement = accepted.find((one) => isSameToken(one.token, wanted.token) && standsBehind(one, byId));
  return statement ? [...new Set(statement.deposits.map(({ paymentId }) => paymentId))].toSorted() : [];
}
