import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { PaymentStage } from '#contract/admin/payments.ts';
import type { AdminTokenRequest, AdminTokenRequestRow, TimelineEntry } from '#contract/admin/token-requests.ts';
import type { Plan } from '#contract/domains/payments.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { creatableOn } from '#contract/networks.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { blockchainNetworks } from '#server/db/tables/networks.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { findPayments, type PaymentRow } from '#server/domains/payments/facts/record.service.ts';
import {
  NEEDS_ATTENTION,
  NO_MONEY,
  presentForAdmin,
  readRequestMoney,
} from '#server/domains/payments/manage.service.ts';
import { deliverBy, paymentOf } from '#server/domains/payments/orders/request-payments.service.ts';
import { isAtStage } from '#server/domains/payments/orders/request-stage.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { whyNotOrder } from '#server/domains/payments/proof/delivery-check.service.ts';
import { readApproval } from '#server/domains/token-creation/approvals.service.ts';
import { readCreation } from '#server/domains/token-creation/creations.service.ts';
import { readAgreedToken, readProposals } from '#server/domains/token-creation/proposals.service.ts';
import { privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import {
  type ListQuery,
  listRecords,
  matchesTerms,
  type PageRows,
  type SearchCondition,
} from '#server/records/lists.ts';
import { accountOfMailbox } from '#server/records/mailbox-account.ts';
import { whyNotClose } from './closing.service.ts';
import { findRequest } from './drafts.service.ts';
import { closureFrom } from './orders.service.ts';
import { readTimeline } from './timeline.sql.ts';

/** `FL-` and ten characters, as the database checks it. */
const ORDER_NUMBER_LENGTH = 13;

interface RequestsQuery extends ListQuery {
  status?: AdminTokenRequestRow['status'] | undefined;
  paymentStatus?: AdminTokenRequestRow['paymentStatus'] | undefined;
  paymentStage?: PaymentStage | undefined;
  plan?: Plan | undefined;
  network?: string | undefined;
  attention?: 'yes' | undefined;
}

/** One page of the list, without payment columns. */
const readRows = (db: Reader, { where, orderBy }: PageRows) => {
  const t = alias(tokenCreationSubmissions, 't');
  const c = alias(tokenCreations, 'c');
  return db
    .select({
      id: t.id,
      plan: t.membershipType,
      tokenName: sql`coalesce(t.token_data ->> 'tokenName', '')`.mapWith(asText),
      tokenSymbol: sql`coalesce(t.token_data ->> 'tokenSymbol', '')`.mapWith(asText),
      network: sql`coalesce(t.selected_network, '')`.mapWith(asText),
      ownerWallet: sql`coalesce(t.owner_wallet_address, '')`.mapWith(asText),
      email: sql`coalesce(t.petitioner_email, '')`.mapWith(asText),
      memberId: sql`coalesce(t.user_id, ${accountOfMailbox(t.petitionerEmail)})`.mapWith(orNull(asText)),
      telegram: sql`coalesce(t.petitioner_telegram, '')`.mapWith(asText),
      priceUsd: t.planPriceUsd,
      priceSol: t.planPriceSol,
      creationState: c.state,
      closedAs: t.closedAs,
      status: t.status,
      paymentStatus: t.paymentStatus,
      paymentStage: t.paymentStage,
      createdAt: t.createdAt,
      updatedAt: t.updatedAt,
    })
    .from(t)
    .leftJoin(c, eq(c.submissionId, t.id))
    .where(where)
    .orderBy(orderBy);
};

/**
 * Condition for requests with an order number of this prefix. A range, because a prepared statement uses no index for `starts_with`
 * alone; numbers consist of letters A to Z and digits, so Z is the last in every collation.
 */
const ofOrderNumber = (beginning: string) => sql`t.id in (select p.submission_id from payments p
  where p.order_id between ${beginning} and ${beginning.padEnd(ORDER_NUMBER_LENGTH, 'Z')} and starts_with(p.order_id, ${beginning}))`;

/** Part of an order number without its prefix; a shorter one matches too many. */
const NUMBER_PART = /^[0-9A-Z]{4,10}$/i;

/** The requests that the list finds for an ordinary term: by their texts, and by part of their order number. */
function requestsWith(term: string): SearchCondition | undefined {
  const texts = matchesTerms(sql`token_creation_submissions t`, sql`t.id`, sql`t.search`, term);
  if (!texts || !NUMBER_PART.test(term)) return texts;
  const numbers = sql`select p.submission_id from payments p where p.order_id like ${`%${term.toUpperCase()}%`}`;
  return {
    ids: sql`(${texts.ids}) union (${numbers} limit ${MANY_FOUND + 1})`,
    condition: sql`(${texts.condition} or t.id in (${numbers}))`,
  };
}

/** An address of a deposit on any chain; all characters are plain in a JSON path. */
const DEPOSIT_ADDRESS = /^[\w:-]{20,}$/;

/** The request with a deposit at this address; null without one. Addresses of EVM are found in every case. */
async function withDepositAddress(db: Reader, address: string): Promise<string | null> {
  const spellings = /^0x[0-9a-f]{40}$/i.test(address)
    ? [address, address.toLowerCase(), checksummed(address)]
    : [address];
  const path = `$.*.payAddress ? (${spellings.map((one) => `@ == "${one}"`).join(' || ')})`;
  const [found] = await db
    .select({ id: payments.submissionId })
    .from(payments)
    .where(sql`(ledger -> 'deposits') @? ${path}::jsonpath`)
    .orderBy(payments.createdAt)
    .limit(1);
  return found?.id ?? null;
}

/** The ids of deposits and invoices at the provider consist of digits; fewer may be part of a name. */
const PROVIDER_NUMBER = /^\d{6,}$/;

/** The request with a deposit or an invoice of this number at the provider; null without one. */
async function withProviderNumber(db: Reader, number: string): Promise<string | null> {
  const [found] = await db
    .select({ id: payments.submissionId })
    .from(payments)
    .where(sql`invoice_id = ${number} or (ledger -> 'deposits') ? ${number}`)
    .orderBy(payments.createdAt)
    .limit(1);
  return found?.id ?? null;
}

/** Token requests for the back office; the payments are read for the rows of one page, so that the count remains cheap. */
export async function listTokenRequests(
  db: Reader,
  input: RequestsQuery,
): Promise<{ rows: AdminTokenRequestRow[]; total: number }> {
  const { status, paymentStatus, paymentStage, plan, network, attention } = input;
  const searchTerms = cleanText(input.q, 'line');
  const ofDeposit = PROVIDER_NUMBER.test(searchTerms)
    ? await withProviderNumber(db, searchTerms)
    : DEPOSIT_ADDRESS.test(searchTerms) && !isUuid(searchTerms)
      ? await withDepositAddress(db, searchTerms)
      : null;
  const id = isUuid(searchTerms) ? searchTerms : ofDeposit;
  const named = /^FL-/i.test(searchTerms) || id !== null;
  const parts = {
    from: sql`from token_creation_submissions t left join token_creations c on c.submission_id = t.id`,
    where: [
      status && sql`t.status = ${status}`,
      paymentStatus && sql`t.payment_status = ${paymentStatus}`,
      paymentStage && isAtStage(paymentStage),
      plan && sql`t.membership_type = ${plan}`,
      network ? sql`t.selected_network = ${network}` : undefined,
      attention && sql`t.id in (select p.submission_id from payments p where ${NEEDS_ATTENTION})`,
      /^FL-/i.test(searchTerms)
        ? ofOrderNumber(searchTerms.toUpperCase())
        : id === null
          ? undefined
          : sql`t.id = ${id}`,
    ],
    sorts: {
      createdAt: sql`t.created_at`,
      updatedAt: sql`t.updated_at`,
      plan: sql`t.plan_price_usd`,
      priceUsd: sql`t.plan_price_usd`,
      status: sql`t.status`,
      paymentStatus: sql`t.payment_status`,
    },
    notNull: ['createdAt', 'updatedAt', 'plan', 'priceUsd', 'status', 'paymentStatus'],
    tieBreaker: sql`t.id`,
    id: sql`t.id`,
    title: sql`t.token_data ->> 'tokenName'`,
    searchTerms: named ? undefined : requestsWith(searchTerms),
  };
  const { rows, total } = await listRecords(db, input, parts, (page) => readRows(db, page));
  const moneyOf = await readRequestMoney(
    db,
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => ({
      ...row,
      ...(moneyOf.get(row.id) ?? NO_MONEY),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    })),
    total,
  };
}

/** Dependencies of these functions. */
interface Services {
  secret: string;
  publicUrl: string;
  payments: PaymentService;
}

/** A request with all of its data. @param reader the admin who reads it, for their own approvals. @throws NOT_FOUND */
export async function readTokenRequest(
  db: Db,
  services: Services,
  id: string,
  reader: { id: string | null },
): Promise<AdminTokenRequest> {
  const request = await findRequest(db, id);
  const { rows } = await listTokenRequests(db, { q: id, page: 1, size: 1, sort: 'createdAt' });
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'request' });
  const data = { ...EMPTY_DRAFT, ...request.tokenData };
  const opened = await findPayments(db, sql`submission_id = ${id}`);
  const t = tokenCreationSubmissions;
  const [more] = await db
    .select({
      networkName: blockchainNetworks.name,
      memberId: users.id,
      name: forumUsers.username,
      email: users.email,
    })
    .from(t)
    .leftJoin(blockchainNetworks, eq(blockchainNetworks.key, t.selectedNetwork))
    .leftJoin(users, eq(users.id, t.userId))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(t.id, id));
  const { networkName = null, memberId = null, name = null, email = null } = more ?? {};
  return {
    ...row,
    data,
    networkName,
    member: memberId && email ? { id: memberId, name, email } : null,
    orderPath: privatePath(services.secret, 'order', id, opened[0]?.locale ?? 'es', request.linkGeneration),
    wallet: checkWallet(data.selectedNetwork, data.ownerWalletAddress, checksummed),
    payments: await presentForAdmin(db, opened, services.payments.mode, await readAgreedToken(db, id)),
    notDeliverable: await whyNotOrder(db, id, { simulation: services.payments.mode.simulation }),
    creatableOn: creatableOn(data.selectedNetwork),
    creation: await readCreation(db, id),
    proposals: await readProposals(db, id),
    approval: await readApproval(db, id, reader.id),
    closure: closureFrom(request),
    closable: (await whyNotClose(db, id)) === null,
    deliverBy: deliverBy(await paymentOf(db, id)),
    timeline: await timelineOf(db, id, opened),
  };
}

/** Entries of one request in a response. */
const MAX_TIMELINE = 100;

/** Audited actions on a request, its payments, deliverables and refunds, callbacks, and observations of deposits; newest first. */
async function timelineOf(db: Reader, id: string, opened: PaymentRow[]): Promise<TimelineEntry[]> {
  const numbers = new Map(opened.map((payment) => [payment.id, payment.orderId]));
  const rows = await readTimeline(db, { request: id, payments: [...numbers.keys()], max: MAX_TIMELINE });
  return rows.map(({ about, before, after, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    orderId: numbers.get(about ?? '') ?? null,
    details: detailsOf(before, after),
  }));
}

/** The values shown for an entry: new ones, and old ones where they differ. */
function detailsOf(before: unknown, after: unknown): Record<string, unknown> {
  const old = (before ?? {}) as Record<string, unknown>;
  const now = (after ?? {}) as Record<string, unknown>;
  const hidden = new Set(['requestId', 'orderId']);
  return Object.fromEntries(
    Object.entries(now)
      .filter(([name, value]) => !hidden.has(name) && value !== null && JSON.stringify(value) !== '[]')
      .map(([name, value]) => [name, name in old && old[name] !== value ? `${old[name]} → ${value}` : value]),
  );
}
