import { and, asc, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { TokenProposal } from '#contract/domains/token-requests.ts';
import type { AgreedField, TokenInput } from '#contract/fields/token-form.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { type StoredSnapshot, type TokenMetadata, tokenProposals } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import type { MediaService } from '#server/domains/media/media.port.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { type AgreedToken, requestedToken } from '#server/domains/payments/orders/agreed-token.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { paymentOf } from '#server/domains/payments/orders/request-payments.service.ts';
import { whyNotOrder } from '#server/domains/payments/proof/delivery-check.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { pinnedPath } from '#server/lib/pinned-files.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { differencesOf, tokenIn } from './agreement.policy.ts';
import { countAttempts, findCreation } from './creations.service.ts';
import { hashOf, isWhole, metadataBytes, metadataOf, type Snapshot, snapshotOf, typedOf } from './snapshot.policy.ts';

const p = tokenProposals;

interface Services {
  publicUrl: string;
  secret: string;
  jobs: JobQueue;
  simulation: boolean;
  media: Pick<MediaService, 'own' | 'walletImage' | 'pin'>;
}

/** Token data of the paid request. @throws NOT_FOUND */
async function readAgreed(tx: Reader, requestId: string) {
  const t = tokenCreationSubmissions;
  const [row] = await tx.select({ data: t.tokenData }).from(t).where(eq(t.id, requestId));
  return { ...EMPTY_DRAFT, ...(row ?? fail('NOT_FOUND', { what: 'request' })).data };
}

/** A summary that the payer confirmed. */
export interface Confirmed {
  id: string;
  snapshot: Snapshot;
  hash: Buffer;
  metadata: TokenMetadata;
}

const readProposalRows = (tx: Reader, requestId: string) =>
  tx
    .select()
    .from(p)
    .where(and(eq(p.submissionId, requestId.toLowerCase()), sql`${p.state} <> 'replaced'`))
    .orderBy(desc(p.proposedAt), desc(p.id));
type ProposalRow = Awaited<ReturnType<typeof readProposalRows>>[number];

/** True when a proposal is about exactly this input. */
function isAbout({ snapshot, metadata }: ProposalRow, input: TokenInput): boolean {
  const typed = typedOf(input);
  return (
    isWhole(snapshot, metadata) &&
    metadata?.description === cleanText(input.description, 'text') &&
    Object.entries(typed).every(([name, value]) => snapshot[name as keyof typeof typed] === value)
  );
}

/** The latest confirmation; it replaces earlier ones. */
const lastConfirmed = (proposals: readonly ProposalRow[]): ProposalRow | undefined =>
  proposals
    .filter(({ state }) => state === 'confirmed')
    .toSorted((a, b) => Number(b.answeredAt) - Number(a.answeredAt))[0];

/** The summary that the payer confirmed last, if it equals this input; otherwise null. */
export async function findConfirmed(tx: Reader, input: TokenInput): Promise<Confirmed | null> {
  const last = lastConfirmed(await readProposalRows(tx, input.requestId));
  if (!last?.metadata || !isAbout(last, input) || !isWhole(last.snapshot, last.metadata)) return null;
  const { id, snapshot, snapshotHash: hash, metadata } = last;
  return { id, snapshot, hash, metadata };
}

/** The token that would be created for a request: the one that its payer confirmed last, or else the one in the request. */
export async function readAgreedToken(tx: Reader, requestId: string): Promise<AgreedToken> {
  const last = lastConfirmed(await readProposalRows(tx, requestId));
  return last ? tokenIn(last.snapshot) : requestedToken(await readAgreed(tx, requestId));
}

/** The summary that the payer of a request confirmed last, whatever its content. */
export async function findLastConfirmed(tx: Reader, requestId: string): Promise<{ id: string; hash: Buffer } | null> {
  const last = lastConfirmed(await readProposalRows(tx, requestId));
  return last ? { id: last.id, hash: last.snapshotHash } : null;
}

/**
 * The payer's confirmed summary of exactly this input; its row is what is ordered.
 *
 * @throws NOT_FOUND. @throws PAYER_CONFIRMATION with the differences from the paid request, and the state of the proposal.
 */
export async function needConfirmed(tx: Tx, input: TokenInput): Promise<Confirmed> {
  const confirmed = await findConfirmed(tx, input);
  if (confirmed) return confirmed;
  const proposal = (await readProposalRows(tx, input.requestId)).find((one) => isAbout(one, input));
  return fail('PAYER_CONFIRMATION', {
    fields: differencesOf(await readAgreed(tx, input.requestId), typedOf(input)),
    proposal: proposal?.state === 'open' || proposal?.state === 'declined' ? proposal.state : null,
  });
}

/** Copies the image of a request, and the metadata for wallets, to permanent storage. @throws IMAGE_NOT_FETCHED, StorageError */
async function freezeFiles(
  { media, publicUrl }: Services,
  by: Editor,
  input: TokenInput,
  imageUrl: string,
): Promise<{ metadata: TokenMetadata; files: Pick<Snapshot, 'picture' | 'metadata'> }> {
  const own = await media.own(imageUrl || null, { bucket: 'token-images', actor: by.actor });
  const bytes = own && ((await media.walletImage(own)) ?? fail('IMAGE_NOT_FETCHED', { why: 'storage' }));
  const picture = bytes ? await media.pin(bytes, 'image/png') : '';
  const metadata = metadataOf(input, publicUrl, picture);
  return { metadata, files: { picture, metadata: await media.pin(metadataBytes(metadata), 'application/json') } };
}

/**
 * Asks the payer of a request to confirm its token: the snapshot and its image are frozen, and the answer is about exactly that. A
 * proposal that is still waiting is replaced.
 *
 * @throws NOT_FOUND, NOT_DELIVERABLE, ALREADY_CREATED. @throws ALREADY_DONE when the same proposal was made and not declined.
 * @throws IMAGE_NOT_FETCHED when the image of the request can't be copied; `withoutPicture` proposes the token without one.
 */
export async function proposeToken(
  db: Db,
  services: Services,
  by: Editor,
  { withoutPicture, ...input }: TokenInput & { withoutPicture: boolean },
): Promise<void> {
  const requestId = input.requestId.toLowerCase();
  // Checked before any file is copied, and again in the transaction.
  await db.transaction((tx) => needOpen(tx, services, input));
  const { imageUrl } = await readAgreed(db, requestId);
  const { metadata, files } = await freezeFiles(services, by, input, withoutPicture ? '' : imageUrl);
  const snapshot = snapshotOf(input, services.publicUrl, files);
  const hash = hashOf(snapshot);
  await db.transaction(async (tx) => {
    const { email } = await needOpen(tx, services, input);
    await replaceOpen(tx, requestId);
    const fields = differencesOf(await readAgreed(tx, requestId), snapshot);
    await tx.insert(p).values({
      submissionId: requestId,
      snapshot,
      snapshotHash: hash,
      metadata,
      fields,
      proposedBy: by.actor.id,
      proposedAt: by.now,
    });
    await mailPayer(tx, services, { requestId, email, snapshot, changed: fields.length > 0, now: by.now });
    await publishChange(tx, 'tokenRequests');
    await audit(tx, by.actor, {
      action: 'token.proposed',
      resourceType: 'token_request',
      resourceId: requestId,
      after: briefOf(snapshot, hash),
    });
  });
}

/** Ends the open proposal of a request: another one follows, or a token is ordered. */
export const replaceOpen = (tx: Tx, requestId: string) =>
  tx
    .update(p)
    .set({ state: 'replaced' })
    .where(and(eq(p.submissionId, requestId), eq(p.state, 'open')));

/** Locks a request and checks that its payer may be asked. @throws NOT_FOUND, NOT_DELIVERABLE, ALREADY_CREATED, ALREADY_DONE */
async function needOpen(tx: Tx, services: Services, input: TokenInput): Promise<{ email: string | null }> {
  const requestId = input.requestId.toLowerCase();
  const request = await lockRequest(tx, requestId);
  const why = await whyNotOrder(tx, requestId, services);
  if (why) fail('NOT_DELIVERABLE', { why });
  const there = await findCreation(tx, requestId, true);
  const replaceable = there?.state === 'held' || there?.state === 'failed';
  if (there && !(replaceable && (await countAttempts(tx, there.id)) === 0))
    fail('ALREADY_CREATED', { state: there.state, network: there.network, address: there.address });
  const last = (await readProposalRows(tx, requestId)).find((one) => isAbout(one, input));
  if (last?.state === 'open' || (await findConfirmed(tx, input))) fail('ALREADY_DONE');
  return request;
}

/** Mails a payer that a confirmation is waiting; the first time also with a notification. @returns the number of queued mails. */
async function mailPayer(
  tx: Tx,
  { jobs, secret }: Pick<Services, 'jobs' | 'secret'>,
  about: {
    requestId: string;
    email: string | null;
    snapshot: StoredSnapshot;
    changed: boolean;
    reminder?: boolean;
    now: Date;
  },
): Promise<number> {
  const { requestId, email, snapshot, changed, reminder = false, now } = about;
  const payment = await paymentOf(tx, requestId);
  if (!payment) return 0;
  const { orderId, locale, simulation } = payment;
  if (!reminder) await notifyOfOrder(tx, { requestId, orderId, detail: 'proposal', now });
  if (!email) return 0;
  const { name, symbol, owner, network } = snapshot;
  const path = await orderLink(tx, secret, requestId, locale);
  await queueMail(tx, jobs, {
    to: email,
    locale,
    template: 'tokenProposal',
    data: { orderId, name, symbol, owner, network, path, simulation, changed, reminder },
  });
  return 1;
}

/** Hours after which a payer who did not answer gets the one reminder. */
const REMIND_AFTER_HOURS = 72;
/** Reminders per run. */
const BATCH_SIZE = 20;

/**
 * Reminds payers who did not answer within three days, once per proposal; not those of a request that is closed or whose money was sent
 * back, because their answer leads to no token.
 *
 * @returns the number of queued mails. @throws the failures, after all were processed.
 */
export async function remindPayers(db: Db, services: Pick<Services, 'jobs' | 'secret'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - REMIND_AFTER_HOURS * 3_600_000);
  const t = tokenCreationSubmissions;
  const toMake = db
    .select({ id: t.id })
    .from(t)
    .where(and(isNull(t.closedAt), inArray(t.paymentStage, ['paid', 'accepted'])));
  const waiting = and(
    eq(p.state, 'open'),
    isNull(p.remindedAt),
    lte(p.proposedAt, before),
    inArray(p.submissionId, toMake),
  );
  const rows = await db.select({ id: p.id }).from(p).where(waiting).orderBy(asc(p.proposedAt)).limit(BATCH_SIZE);
  let mails = 0;
  await runEachSettled(rows, async ({ id }) => {
    mails += await db.transaction(async (tx) => {
      const [row] = await tx
        .update(p)
        .set({ remindedAt: now })
        .where(and(eq(p.id, id), waiting))
        .returning();
      if (!row) return 0;
      const [to] = await tx.select({ email: t.petitionerEmail }).from(t).where(eq(t.id, row.submissionId));
      const { submissionId: requestId, snapshot, fields } = row;
      const email = to?.email ?? null;
      return mailPayer(tx, services, { requestId, email, snapshot, changed: fields.length > 0, reminder: true, now });
    });
  });
  return mails;
}

/**
 * Stores the payer's answer to the waiting proposal.
 *
 * @throws NOT_FOUND when it does not exist. @throws ALREADY_DONE when it is no longer waiting.
 */
export function answerProposal(
  db: Db,
  { requestId, proposalId, answer }: { requestId: string; proposalId: string; answer: 'confirmed' | 'declined' },
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockRequest(tx, requestId);
    const [found] = await tx
      .select()
      .from(p)
      .where(and(eq(p.id, proposalId), eq(p.submissionId, requestId)));
    if (!found) return fail('NOT_FOUND', { what: 'proposal' });
    if (found.state !== 'open') fail('ALREADY_DONE');
    await tx.update(p).set({ state: answer, answeredAt: now }).where(eq(p.id, proposalId));
    await publishChange(tx, 'tokenRequests');
    await audit(tx, actor, {
      action: answer === 'confirmed' ? 'token.confirmed' : 'token.declined',
      resourceType: 'token_request',
      resourceId: requestId,
      after: briefOf(found.snapshot, found.snapshotHash),
    });
  });
}

/** The part of a summary that is stored in the audit log. */
export const briefOf = ({ network, name, symbol, supply, owner }: StoredSnapshot, hash: Buffer) => ({
  network,
  tokenName: name,
  tokenSymbol: symbol,
  supply,
  owner,
  snapshotHash: hash.toString('hex'),
});

/**
 * Proposals to the payer of a request that were not replaced, newest first, with their differences from the request. Of several that were
 * confirmed only the latest is one.
 */
export async function readProposals(db: Reader, requestId: string): Promise<TokenProposal[]> {
  const proposals = await readProposalRows(db, requestId);
  const last = lastConfirmed(proposals);
  const rows = proposals.filter(({ state, id }) => state !== 'confirmed' || id === last?.id);
  if (rows.length === 0) return [];
  const agreed = await readAgreed(db, requestId);
  const paid: Record<AgreedField, string> = {
    network: agreed.selectedNetwork,
    ownerWallet: agreed.ownerWalletAddress,
    tokenName: agreed.tokenName,
    tokenSymbol: agreed.tokenSymbol,
  };
  return rows.map(({ id, state, snapshot, snapshotHash, metadata, fields, proposedAt, answeredAt, remindedAt }) => ({
    id,
    state: state as TokenProposal['state'],
    ...summaryOf(snapshot, snapshotHash, metadata),
    changed: fields.map((field) => ({ field, paid: paid[field] })),
    proposedAt: iso(proposedAt),
    answeredAt: answeredAt && iso(answeredAt),
    remindedAt: remindedAt && iso(remindedAt),
  }));
}

/** Summary of a token in the form for its payer. */
export const summaryOf = (snapshot: StoredSnapshot, hash: Buffer, metadata: TokenMetadata | null) => ({
  network: snapshot.network,
  tokenName: snapshot.name,
  tokenSymbol: snapshot.symbol,
  supply: snapshot.supply,
  decimals: Number(snapshot.decimals),
  ownerWallet: snapshot.owner,
  authorities: snapshot.authorities ?? null,
  picture: snapshot.picture ? { hash: snapshot.picture, path: pinnedPath(snapshot.picture, 'image/png') } : null,
  metadata:
    snapshot.metadata && metadata
      ? {
          hash: snapshot.metadata,
          path: pinnedPath(snapshot.metadata, 'application/json'),
          description: metadata.description,
        }
      : null,
  hash: hash.toString('hex'),
});
