import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { DELIVERABLE_ITEMS, DELIVERABLES, type DeliverableItem, EVIDENCE_OF } from '#contract/domains/deliverables.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { chainOfNetwork, isTransaction } from '#contract/refund-assets.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asOneOf, asText, orNull } from '#server/db/expressions.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { markImageUsed } from '#server/domains/media/media.service.ts';
import { findPayments, lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { arrivedAssets } from '#server/domains/refunds/amounts.service.ts';
import { openRefund } from '#server/domains/refunds/refunds.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type AuditFields, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { iso, isoOrNull, type ListQuery, listRecords, type SearchCondition } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import type { DeliverableRow } from './deliverables.service.ts';
import { notifyOfDeliverables } from './mails.ts';
import { newestPlaces, PLACE_ITEM, readPlaceableProjects } from './place-reads.service.ts';

interface DeliverablesQuery extends ListQuery {
  state: DeliverableRow['state'] | 'all';
  overdue?: 'yes' | undefined;
  mine?: 'yes' | undefined;
  item?: DeliverableItem | undefined;
  request?: string | undefined;
}

const d = alias(deliverables, 'd');
const p = alias(payments, 'p');
const t = alias(tokenCreationSubmissions, 't');

const nameOf = (id: SQL | typeof d.ownerId | typeof d.doneBy) =>
  sql`(select coalesce(f.username, u.email) from users u left join forum_users f on f.new_auth_user_id = u.id
    where u.id = ${id})`.mapWith(orNull(asText));
const textOrEmpty = (text: SQL) => sql`coalesce(${text}, '')`.mapWith(asText);

const selectDeliverables = (db: Reader) =>
  db
    .select({
      id: d.id,
      version: d.version,
      requestId: d.submissionId,
      orderId: p.orderId,
      plan: p.plan,
      item: sql`${d.item}`.mapWith(asOneOf(DELIVERABLE_ITEMS)),
      line: d.line,
      state: d.state,
      dueAt: d.dueAt,
      tokenName: textOrEmpty(sql`t.token_data ->> 'tokenName'`),
      network: textOrEmpty(sql`t.selected_network`),
      email: textOrEmpty(sql`t.petitioner_email`),
      ownerId: d.ownerId,
      ownerName: nameOf(d.ownerId),
      evidenceKind: d.evidenceKind,
      evidence: d.evidence,
      note: d.note,
      doneAt: d.doneAt,
      doneBy: nameOf(d.doneBy),
      withdrawnAt: d.withdrawnAt,
      withdrawnReason: d.withdrawnReason,
      refund: sql`(select number from refund_cases r where r.id = ${d.refundId})`.mapWith(orNull(asText)),
      simulation: p.simulation,
      paymentId: p.id,
      createdAt: d.createdAt,
    })
    .from(d)
    .innerJoin(p, eq(p.id, d.paymentId))
    .innerJoin(t, eq(t.id, d.submissionId));
type Row = Awaited<ReturnType<typeof selectDeliverables>>[number];

const TASKS = sql`from deliverables d join payments p on p.id = d.payment_id
  join token_creation_submissions t on t.id = d.submission_id`;

/** Deliverables of an order or a token whose number or name begins with these words. */
function deliverablesWith(q: string): SearchCondition | undefined {
  const terms = cleanText(q, 'line');
  if (!terms) return undefined;
  const condition = sql`(starts_with(p.order_id, ${terms.toUpperCase()})
    or starts_with(florka_fold(t.token_data ->> 'tokenName'), florka_fold(${terms})))`;
  return { ids: sql`select d.id ${TASKS} where ${condition} limit ${MANY_FOUND + 1}`, condition };
}

/** Deliverables for the back office. Sorted by date, the longest overdue come first; those without a date come last. */
export async function listDeliverables(
  db: Reader,
  input: DeliverablesQuery,
  { me, now }: { me: string; now: Date },
): Promise<{ rows: AdminDeliverable[]; total: number }> {
  const parts = {
    from: TASKS,
    where: [
      input.state === 'all' ? undefined : sql`d.state = ${input.state}`,
      input.overdue && sql`d.state = 'open' and d.due_at <= ${now.toISOString()}`,
      input.mine && sql`d.owner_id = ${me}`,
      input.item && sql`d.item = ${input.item}`,
      input.request ? sql`d.submission_id = ${input.request}` : undefined,
    ],
    sorts: { dueAt: sql`d.due_at`, createdAt: sql`d.created_at`, plan: sql`p.price_usd` },
    notNull: ['createdAt', 'plan'],
    tieBreaker: sql`d.id`,
    id: sql`d.id`,
    title: sql`t.token_data ->> 'tokenName'`,
    searchTerms: deliverablesWith(input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    selectDeliverables(db).where(where).orderBy(orderBy),
  );
  return { rows: await present(db, rows, now), total };
}

async function present(db: Reader, rows: Row[], now: Date): Promise<AdminDeliverable[]> {
  const ids = [...new Set(rows.map(({ paymentId }) => paymentId))];
  const paid = ids.length > 0 ? await findPayments(db, sql`id = any(${sql.param(ids)}::uuid[])`) : [];
  const assets = new Map(
    paid.map((payment) => [payment.id, [...arrivedAssets(payment)].flatMap(([name, units]) => (units ? [name] : []))]),
  );
  const placed = rows.filter(({ item }) => item === PLACE_ITEM);
  const [places, homes] = await Promise.all([
    newestPlaces(
      db,
      placed.map(({ id }) => id),
    ),
    readPlaceableProjects(
      db,
      placed.map(({ requestId }) => requestId),
    ),
  ]);
  return rows.map(({ paymentId, ownerId, ownerName, ...row }) => ({
    ...row,
    kind: DELIVERABLES[row.item].kind,
    owner: ownerId ? { id: ownerId, name: ownerName ?? '' } : null,
    assets: assets.get(paymentId) ?? [],
    place: places.get(row.id) ?? null,
    homes: (row.item === PLACE_ITEM && homes.get(row.requestId)) || [],
    dueAt: isoOrNull(row.dueAt),
    overdue: row.state === 'open' && row.dueAt !== null && row.dueAt <= now,
    doneAt: isoOrNull(row.doneAt),
    withdrawnAt: isoOrNull(row.withdrawnAt),
    createdAt: iso(row.createdAt),
  }));
}

/** One deliverable. @throws NOT_FOUND */
export async function readDeliverable(db: Reader, id: string, now: Date): Promise<AdminDeliverable> {
  const [row] = await present(db, await selectDeliverables(db).where(eq(d.id, id)), now);
  return row ?? fail('NOT_FOUND', { what: 'deliverable' });
}

/**
 * Locks an open deliverable in the version that its editor saw; its request is locked first, in the common lock order.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DELIVERABLE_CLOSED
 */
export async function lockOpen(
  tx: Tx,
  { id, version }: { id: string; version: number },
  now: Date,
): Promise<DeliverableRow> {
  const [seen] = await tx.select().from(deliverables).where(eq(deliverables.id, id));
  if (!seen) return fail('NOT_FOUND', { what: 'deliverable' });
  await lockRequest(tx, seen.submissionId);
  const [row] = await tx.select().from(deliverables).where(eq(deliverables.id, id)).for('update');
  if (!row) return fail('NOT_FOUND', { what: 'deliverable' });
  if (row.version !== version) {
    const current = await readDeliverable(tx, id, now);
    const [last] = await tx
      .select({ username: forumUsers.username, email: users.email, at: auditEvents.at })
      .from(auditEvents)
      .leftJoin(users, eq(users.id, auditEvents.actorId))
      .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
      .where(and(eq(auditEvents.resourceType, 'deliverable'), eq(auditEvents.resourceId, id)))
      .orderBy(desc(auditEvents.id))
      .limit(1);
    const { state, evidence, note, withdrawnReason } = current;
    fail('VERSION_CONFLICT', {
      version: row.version,
      current: { state, evidence, note, reason: withdrawnReason, owner: current.owner?.name ?? null },
      by: last?.username ?? last?.email ?? null,
      at: (last?.at ?? row.updatedAt).toISOString(),
    });
  }
  if (row.state !== 'open') return fail('DELIVERABLE_CLOSED', { state: row.state });
  return row;
}

/** Stores a locked deliverable, as its next version. */
export async function saveDeliverable(
  tx: Tx,
  row: DeliverableRow,
  values: Partial<DeliverableRow>,
  now: Date,
): Promise<DeliverableRow> {
  const [saved] = await tx
    .update(deliverables)
    .set({ ...values, version: row.version + 1, updatedAt: now })
    .where(eq(deliverables.id, row.id))
    .returning();
  await publishChange(tx, 'deliverables');
  return saved ?? fail('NOT_FOUND', { what: 'deliverable' });
}

/** Writes the audit entry of a change. */
export const auditDeliverable = (
  tx: Tx,
  by: Editor,
  action: 'deliverable.assigned' | 'deliverable.delivered' | 'deliverable.withdrawn',
  row: DeliverableRow,
  after: AuditFields,
  { before, reason }: { before?: AuditFields; reason?: string } = {},
) =>
  audit(tx, by.actor, {
    action,
    resourceType: 'deliverable',
    resourceId: row.id,
    ...(before ? { before } : {}),
    after: { requestId: row.submissionId, item: row.item, ...after },
    ...(reason ? { reason } : {}),
  });

interface Services {
  jobs: JobQueue;
  secret: string;
}

interface Delivery {
  id: string;
  version: number;
  kind: 'url' | 'transaction' | 'file';
  evidence: string;
  note: string;
}

/**
 * Records a delivery. The format of the evidence is checked, and that no other deliverable has the same; its content is not fetched.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DELIVERABLE_CLOSED, PLACE_REFUSED, EVIDENCE_REFUSED, EVIDENCE_USED
 */
export function deliver(db: Db, services: Services, by: Editor, input: Delivery): Promise<AdminDeliverable> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input, by.now);
    const paidPlace = (await newestPlaces(tx, [row.id])).get(row.id);
    // A sold place is delivered automatically at its end, and not before.
    if (paidPlace && paidPlace.endedAt === null) fail('PLACE_REFUSED', { why: 'running' });
    const evidence = await checkEvidence(tx, by, row, input);
    await refuseUsed(tx, row, input.kind, evidence);
    const saved = await saveDeliverable(
      tx,
      row,
      {
        state: 'delivered',
        evidenceKind: input.kind,
        evidence,
        note: cleanText(input.note, 'text') || null,
        doneAt: by.now,
        doneBy: by.actor.id,
      },
      by.now,
    );
    await notifyOfDeliverables(tx, services, 'done', [saved], by.now);
    await auditDeliverable(tx, by, 'deliverable.delivered', saved, {
      state: 'delivered',
      evidenceKind: input.kind,
      evidence,
    });
    return readDeliverable(tx, row.id, by.now);
  });
}

/**
 * Evidence in normalized form: each address has one spelling, so that duplicates are found by their text.
 *
 * @throws EVIDENCE_REFUSED; NOT_FOUND when the image does not exist, or another member uploaded it.
 */
async function checkEvidence(tx: Tx, by: Editor, row: DeliverableRow, { kind, evidence }: Delivery): Promise<string> {
  const item = row.item as DeliverableItem;
  if (!EVIDENCE_OF[DELIVERABLES[item].kind].includes(kind)) fail('EVIDENCE_REFUSED', { why: 'kind' });
  if (kind === 'transaction') {
    const [request] = await tx
      .select({ network: tokenCreationSubmissions.selectedNetwork })
      .from(tokenCreationSubmissions)
      .where(eq(tokenCreationSubmissions.id, row.submissionId));
    const chain = chainOfNetwork(request?.network ?? '');
    if (!chain || !isTransaction(chain, evidence)) fail('EVIDENCE_REFUSED', { why: 'transaction' });
    return chain === 'evm' ? evidence.toLowerCase() : evidence;
  }
  if (kind === 'file') {
    if (!/^\/media\/[^/]+\.webp$/.test(evidence)) fail('EVIDENCE_REFUSED', { why: 'file' });
    // Their own upload, which is retained from now on.
    await markImageUsed(tx, evidence, { userId: by.actor.id ?? undefined }, by.now);
    return evidence;
  }
  const url = URL.canParse(evidence) ? new URL(evidence) : null;
  if (url?.protocol !== 'https:' || !url.hostname.includes('.') || url.username || url.password)
    return fail('EVIDENCE_REFUSED', { why: 'url' });
  return oneSpelling(url);
}

/**
 * An address without parts that do not change its page by definition: the dot of the root domain, an empty query or fragment,
 * escapes of unreserved characters.
 */
function oneSpelling(address: URL): string {
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, (coded) => {
    const character = String.fromCharCode(Number.parseInt(coded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : coded.toUpperCase();
  });
  if (url.search === '') url.search = '';
  if (url.hash === '') url.hash = '';
  return url.href;
}

/** @throws EVIDENCE_USED */
async function refuseUsed(tx: Tx, row: DeliverableRow, kind: Delivery['kind'], evidence: string): Promise<void> {
  // Of two concurrent deliverables with the same evidence, the later one waits and sees the first.
  await lockByName(tx, { names: [`evidence ${evidence}`] });
  const [used] = await tx
    .select({ orderId: payments.orderId, item: deliverables.item })
    .from(deliverables)
    .innerJoin(payments, eq(payments.id, deliverables.paymentId))
    .where(and(eq(deliverables.evidenceKind, kind), eq(deliverables.evidence, evidence), ne(deliverables.id, row.id)));
  if (used) fail('EVIDENCE_USED', { orderId: used.orderId, what: used.item });
}

interface Withdrawal {
  id: string;
  version: number;
  reason: string;
  refund: 'yes' | 'no';
  asset: string;
  amount: string;
}

/**
 * Withdraws a sold item and, if requested, opens its refund, in one transaction with the mails to its payer.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DELIVERABLE_CLOSED, REFUND_REFUSED
 */
export function withdrawDeliverable(
  db: Db,
  services: Services,
  by: Editor,
  input: Withdrawal,
): Promise<AdminDeliverable> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input, by.now);
    const reason = cleanText(input.reason, 'text');
    const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`, true);
    if (!payment) return fail('NOT_FOUND', { what: 'payment' });
    const { asset, amount } = input;
    const refund =
      input.refund === 'yes'
        ? await openRefund(tx, services, by, payment, { cause: 'deliverable', reason, asset, amount })
        : null;
    const saved = await saveDeliverable(
      tx,
      row,
      {
        state: 'withdrawn',
        withdrawnAt: by.now,
        withdrawnBy: by.actor.id,
        withdrawnCause: 'team',
        withdrawnReason: reason,
        refundId: refund?.id ?? null,
      },
      by.now,
    );
    await notifyOfDeliverables(tx, services, 'withdrawn', [saved], by.now);
    await auditDeliverable(
      tx,
      by,
      'deliverable.withdrawn',
      saved,
      { state: 'withdrawn', refund: refund?.number ?? null },
      { reason },
    );
    return readDeliverable(tx, row.id, by.now);
  });
}
