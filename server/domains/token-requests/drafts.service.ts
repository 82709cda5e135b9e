import { and, eq, ne, sql } from 'drizzle-orm';
import type { Draft, DraftData, DraftHint } from '#contract/domains/token-requests.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { EMPTY_DRAFT, missingFor } from '#contract/fields/token-form.ts';
import { type Limit, PLANS } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { markImageUsed, releaseMedia, removeMedia } from '#server/domains/media/media.service.ts';
import { networksOnSale } from '#server/domains/networks/networks.service.ts';
import { partPaymentOf } from '#server/domains/payments/facts/record.service.ts';
import { hasReceivedMoney, paymentOf } from '#server/domains/payments/orders/request-payments.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { hashSecret, newSecret, pageKey, secretFits } from '#server/lib/crypto/page-secrets.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { cleanDraft, hintsOf } from './draft.policy.ts';

/** The caller: the member of the session, or a guest; and the draft's secret, if one was given. */
export interface DraftCaller {
  userId: string | null;
  secret: string | undefined;
}

export type RequestRow = typeof tokenCreationSubmissions.$inferSelect;

/** Dependencies of these functions. */
export interface Services {
  secret: string;
  publicUrl: string;
  payments: { mode: { simulation: boolean } };
}

/**
 * Creates a request. A secret that the server generates is returned only here; with the form's own secret it is idempotent, also
 * concurrently: the second call returns the existing request.
 *
 * @throws RATE_LIMITED
 */
export async function createDraft(
  db: Db,
  services: Services,
  author: { userId: string | null; address: string; actor: Actor; now: Date },
  input: { data: Partial<DraftData>; step?: number | undefined; secret?: string | undefined },
  limit: Limit,
): Promise<Draft & { secret: string }> {
  const { now } = author;
  const secret = input.secret ?? newSecret();
  const { data, dropped } = cleanDraft(input.data);
  const full = { ...EMPTY_DRAFT, ...data };
  const answer = async (reader: Reader, row: RequestRow) => {
    const imageDropped = full.imageUrl.startsWith('/media/') && row.tokenData.imageUrl !== full.imageUrl;
    const draft = await present(reader, services, row, [
      ...(dropped ? (['linkDropped'] as const) : []),
      ...(imageDropped ? (['imageDropped'] as const) : []),
    ]);
    return { ...draft, secret };
  };
  const known = await requestOfSecret(db, secret);
  if (known) return answer(db, known);
  await consumeRateLimits(
    db,
    author.userId ? [{ key: `draft:${author.userId}`, limit }] : addressLimits('draft:address', author.address, limit),
    now,
  );
  return db.transaction(async (tx) => {
    const [inserted] = await tx
      .insert(tokenCreationSubmissions)
      .values({ userId: author.userId, editSecretHash: hashSecret(secret), createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ id: tokenCreationSubmissions.id });
    const twin = inserted ? null : await requestOfSecret(tx, secret);
    if (twin) return answer(tx, twin);
    const id = inserted?.id ?? '';
    // Only a member can have images before the draft exists.
    const owner = { draftId: id, userId: author.userId };
    const foreign = full.imageUrl.startsWith('/media/') && !(await ownsImage(tx, full.imageUrl, owner, now));
    await write(tx, id, foreign ? { ...full, imageUrl: '' } : full, input.step, now);
    await audit(tx, author.actor, { action: 'request.created', resourceType: 'token_request', resourceId: id });
    return answer(tx, await findRequest(tx, id));
  });
}

async function requestOfSecret(db: Reader, secret: string): Promise<RequestRow | null> {
  const hash = tokenCreationSubmissions.editSecretHash;
  const [row] = await db
    .select()
    .from(tokenCreationSubmissions)
    .where(and(eq(hash, hashSecret(secret)), sql`octet_length(${hash}) = 32`));
  return row ?? null;
}

/**
 * Saves the changed fields; omitted fields are not changed. The step is stored when it is further than the stored one.
 *
 * The mailbox does not change once money arrived, even if that did not pay the order: the code that confirms the address of a refund is
 * sent to it, and somebody with only the draft's secret must not be able to receive it.
 *
 * @throws NOT_FOUND for an unknown id and a wrong secret alike.
 * @throws VERSION_CONFLICT with the current draft, when it was saved concurrently.
 * @throws LOCKED once it is paid for.
 * @throws RATE_LIMITED past the limit of saves of one draft.
 */
export async function saveDraft(
  db: Db,
  services: Services,
  caller: DraftCaller,
  input: { id: string; version: number; data: Partial<DraftData>; step?: number | undefined },
  now: Date,
  limit: Limit,
): Promise<Draft> {
  await openRequest(db, caller, input.id);
  await consumeRateLimits(db, [{ key: `draft-save:${input.id}`, limit }], now);
  return db.transaction(async (tx) => {
    const row = await openRequest(tx, caller, input.id, true);
    if (row.paymentStatus === 'completed') fail('LOCKED');
    if (row.version !== input.version)
      throw failure('VERSION_CONFLICT', { version: row.version, current: await present(tx, services, row) });
    const old = { ...EMPTY_DRAFT, ...row.tokenData };
    const { data, dropped } = cleanDraft(input.data);
    const hints: DraftHint[] = dropped ? ['linkDropped'] : [];
    const owner = { draftId: row.id, userId: row.userId };
    if (data.imageUrl?.startsWith('/media/') && !(await ownsImage(tx, data.imageUrl, owner, now))) {
      data.imageUrl = '';
      hints.push('imageDropped');
    }
    const mailbox = row.petitionerEmail;
    const isOther = data.petitionerEmail !== undefined && data.petitionerEmail !== mailbox;
    if (mailbox && isOther && (await hasReceivedMoney(tx, row.id))) {
      data.petitionerEmail = mailbox;
      hints.push('mailboxUnchanged');
    }
    const next = { ...old, ...data };
    await write(tx, row.id, next, input.step, now);
    if (old.imageUrl !== next.imageUrl) await releaseMedia(tx, old.imageUrl, now);
    return present(tx, services, await findRequest(tx, row.id), hints);
  });
}

/** A draft, for the holder of its secret or the member who created it. @throws NOT_FOUND */
export async function readDraft(db: Db, services: Services, caller: DraftCaller, id: string): Promise<Draft> {
  return present(db, services, await openRequest(db, caller, id));
}

/**
 * The request, for the holder of its secret or the member who created it. Others get the same error as for an unknown id.
 *
 * @throws NOT_FOUND
 */
export async function openRequest(db: Reader, caller: DraftCaller, id: string, lock = false): Promise<RequestRow> {
  const row = await findRequest(db, id, lock);
  const own = caller.userId !== null && row.userId === caller.userId;
  if (!own && !secretFits(caller.secret, row.editSecretHash)) fail('NOT_FOUND', { what: 'request' });
  return row;
}

const CLAIM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{20,100})$/i;

/**
 * The draft for which a guest uploads an image: header `x-draft: {id}.{secret}`, because the body of an upload is the image. Null
 * for anything else, and once it is paid for.
 */
export async function draftOfUpload(db: Reader, header: string | null): Promise<string | null> {
  const [, id, secret] = CLAIM.exec(header ?? '') ?? [];
  if (!id || !secret) return null;
  const { id: key, editSecretHash: hash, paymentStatus } = tokenCreationSubmissions;
  const [draft] = await db
    .select({ hash })
    .from(tokenCreationSubmissions)
    .where(and(eq(key, id), ne(paymentStatus, 'completed')));
  return draft && secretFits(secret, draft.hash) ? id.toLowerCase() : null;
}

/** A token request, without an access check. @param lock locks it until the end of the transaction. @throws NOT_FOUND */
export async function findRequest(db: Reader, id: string, lock = false): Promise<RequestRow> {
  const query = db.select().from(tokenCreationSubmissions).where(eq(tokenCreationSubmissions.id, id));
  const [row] = await (lock ? query.for('update') : query);
  return row ?? fail('NOT_FOUND', { what: 'request' });
}

/**
 * Deletes an image that was uploaded for this draft and that it does not show. One that it shows is deleted when the draft is saved
 * without it.
 *
 * @returns true when it was deleted.
 * @throws NOT_FOUND for another owner's draft or image. @throws LOCKED once the draft is paid for.
 */
export async function removeDraftImage(
  db: Db,
  caller: DraftCaller,
  input: { id: string; imageId: string },
  { actor, jobs, now }: { actor: Actor; jobs: JobQueue; now: Date },
): Promise<boolean> {
  await openRequest(db, caller, input.id);
  return db.transaction(async (tx) => {
    const row = await openRequest(tx, caller, input.id, true);
    if (row.paymentStatus === 'completed') fail('LOCKED');
    const gone = await removeMedia(tx, actor, { draftId: row.id }, input.imageId, now);
    if (gone) await jobs.enqueue(tx, 'clean-uploads', { deletedOnly: true });
    return gone;
  });
}

/**
 * Checks in the caller's transaction that the form of a request has every field that the delivery of its token needs.
 *
 * @returns days within which the team promises to deliver by hand; null where the signer creates the token.
 * @throws DRAFT_INCOMPLETE with the missing fields.
 */
export async function checkForm(
  tx: Tx,
  services: Pick<Services, 'publicUrl' | 'payments'>,
  requestId: string,
): Promise<{ manualDays: number | null }> {
  const [request] = await tx
    .select({ data: tokenCreationSubmissions.tokenData })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.id, requestId));
  const data = { ...EMPTY_DRAFT, ...request?.data };
  const networks = await networksOnSale(tx, services);
  const missing = missingFor(
    data,
    networks.map(({ key }) => key),
    checksummed,
  );
  if (missing) fail('DRAFT_INCOMPLETE', { missing });
  const network = networks.find(({ key }) => key === data.selectedNetwork);
  return { manualDays: network?.delivery === 'manual' ? network.manualDays : null };
}

/** Marks an uploaded image as used by this draft; false when it belongs to another owner. */
async function ownsImage(
  tx: Tx,
  url: string,
  { draftId, userId }: { draftId: string; userId: string | null },
  now: Date,
): Promise<boolean> {
  try {
    await markImageUsed(tx, url, { draftId, userId: userId ?? undefined }, now);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'NOT_FOUND') return false;
    throw error;
  }
}

/**
 * Stores the form and its copies in columns. The column of the mailbox keeps the last valid address while another one is being typed
 * (trigger keep_whole_mailbox), and also when it is deleted once there is a payment, because its receipt has to be delivered.
 */
async function write(tx: Tx, id: string, data: DraftData, step: number | undefined, now: Date): Promise<void> {
  const mailbox = data.petitionerEmail
    ? data.petitionerEmail
    : sql`case when exists (select 1 from payments where submission_id = ${id}) then petitioner_email end`;
  const t = tokenCreationSubmissions;
  await tx
    .update(t)
    .set({
      tokenData: data,
      membershipType: data.selectedPlan,
      planPriceUsd: PLANS[data.selectedPlan].priceUsd,
      ownerWalletAddress: data.ownerWalletAddress || null,
      petitionerEmail: mailbox,
      petitionerTelegram: data.petitionerTelegram || null,
      selectedNetwork: data.selectedNetwork || null,
      furthestStep: sql`greatest(${t.furthestStep}, ${step ?? null}::smallint)`,
      version: sql`${t.version} + 1`,
      updatedAt: now,
    })
    .where(eq(t.id, id));
}

async function present(db: Reader, services: Services, row: RequestRow, hints: DraftHint[] = []): Promise<Draft> {
  const data = { ...EMPTY_DRAFT, ...row.tokenData };
  const networks = (await networksOnSale(db, services)).map(({ key }) => key);
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    paymentStatus: row.paymentStatus,
    locked: row.paymentStatus === 'completed',
    partPayment: row.paymentStatus === 'completed' ? partPaymentOf(await paymentOf(db, row.id)) : null,
    priceUsd: row.planPriceUsd,
    orderKey: pageKey(services.secret, 'order', row.id, row.linkGeneration),
    data,
    hints: [...hintsOf(data, networks), ...hints],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
