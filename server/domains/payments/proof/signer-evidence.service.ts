// Evidence by which the signer decides that a request is paid for: the provider's answers about deposits, and acceptances signed
// with an admin's key. Of our database, this module trusts nothing but the signed bytes.
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { arrivedUnits, hasMoney, isFull } from '#server/domains/payments/facts/reduce.policy.ts';
import { type AgreedToken, agreementHash, isSameToken } from '#server/domains/payments/orders/agreed-token.service.ts';
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

/**
 * Description of an order at the provider. It contains the request and the agreed token, so that a deposit can be assigned neither
 * to another request nor to another owner.
 *
 * @param agreed `agreementHash` of the token.
 */
export const invoiceDescription = (plan: Plan, orderId: string, requestId: string, agreed: string): string =>
  `Florka ${plan} ${orderId} ${requestId} ${agreed}`;

const statementShape = z.strictObject({
  what: z.literal('florka payment acceptance 2'),
  requestId: z.uuid(),
  orderId: z.string().max(40),
  /** The token that may be created for it. */
  token: z.strictObject({
    network: z.string().max(40),
    owner: z.string().max(200),
    name: z.string().max(200),
    symbol: z.string().max(60),
  }),
  /** Agreed price in whole US dollars. */
  priceUsd: z.int().positive(),
  /** The accepted deposits, with amounts as the provider wrote them. */
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
/** Statement that money is accepted as payment for one token of one request, as an admin signs it. */
export type AcceptanceStatement = z.infer<typeof statementShape>;

/** The bytes that are signed. The keys are in the order of the schema. */
export const statementText = (statement: AcceptanceStatement): string =>
  JSON.stringify(statementShape.parse(statement));

/** Parses the bytes of a statement; null when they are not one. */
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

/** True when this text has the format of a public key that `florka admin key` prints: 32 bytes in base64. */
export const isAdminKey = (text: string): boolean => KEY.test(text);

/** True when the signature matches the key and the bytes. Whether the key belongs to an admin is not checked here. */
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

/** The statement of an acceptance that one of these keys signed for this request; null when it is not valid. */
export function validAcceptance(
  acceptance: SignedAcceptance,
  { requestId, adminKeys }: { requestId: string; adminKeys: readonly string[] },
): AcceptanceStatement | null {
  if (!adminKeys.includes(acceptance.publicKey) || !isSignedBy(acceptance)) return null;
  const statement = readStatement(acceptance.statement);
  return statement?.requestId === requestId ? statement : null;
}

/** The token to be created, and its request. */
export interface WantedToken {
  requestId: string;
  token: AgreedToken;
}

/**
 * True when a deposit, as the provider describes it, pays for this token of this request without an acceptance: order, price and
 * full amount match.
 */
export function paysFor(deposit: Deposit, { requestId, token }: WantedToken): boolean {
  const { orderId, parentId, priceCurrency, priceAmount, description } = deposit;
  if (parentId !== null || orderId === null || priceCurrency !== 'usd' || !isFull(deposit)) return false;
  const agreed = agreementHash(token);
  return Object.entries(PLANS).some(
    ([plan, { priceUsd }]) =>
      priceUsd === priceAmount && description === invoiceDescription(plan as Plan, orderId, requestId, agreed),
  );
}

/** True when all accepted deposits are still at the provider, with at least the accepted amount. */
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
 * The deposits that pay for a token: those that match by themselves, or else those of an acceptance that names the token.
 *
 * @param reported the provider's current answers. @param accepted statements that `validAcceptance` returned.
 * @returns their ids in a fixed order; empty when the token is not paid for.
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
