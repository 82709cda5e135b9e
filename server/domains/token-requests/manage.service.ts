import { sql } from 'drizzle-orm';
import type { AdminTokenRequest, AdminTokenRequestRow, Happening } from '#contract/admin/token-requests.ts';
import { checksummed } from '#contract/evm-checksum.ts';
import type { Plan } from '#contract/payments.ts';
import { creatableOn, EMPTY_DRAFT } from '#contract/token-form.ts';
import { checkWallet } from '#contract/wallets.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { findPayments, type PaymentRow } from '#server/domains/payments/ledger.service.ts';
import {
  NO_MONEY,
  presentForAdmin,
  type RequestMoney,
  readRequestMoney,
  TROUBLED,
} from '#server/domains/payments/manage.service.ts';
import { whyNotDeliver } from '#server/domains/payments/payment-check.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { deliverBy, paymentOf } from '#server/domains/payments/request-payments.service.ts';
import { readCreation } from '#server/domains/token-creation/creations.service.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { privatePath } from '#server/lib/private-pages.ts';
import { iso, matchesTerms, readPage } from '#server/records/lists.ts';
import { whyNotClose } from './closing.service.ts';
import { findRequest } from './drafts.service.ts';
import { closureFrom } from './orders.service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface ListQuery {
  q: string;
  page: number;
  size: number;
  sort: string;
  status?: AdminTokenRequestRow['status'] | undefined;
  paymentStatus?: AdminTokenRequestRow['paymentStatus'] | undefined;
  plan?: Plan | undefined;
  network?: string | undefined;
  attention?: 'yes' | undefined;
}

type BareRow = Omit<AdminTokenRequestRow, keyof RequestMoney> & Record<string, unknown>;

const COLUMNS = sql.raw(`t.id, t.membership_type as plan, coalesce(t.token_data ->> 'tokenName', '') as "tokenName",
  coalesce(t.token_data ->> 'tokenSymbol', '') as "tokenSymbol", coalesce(t.selected_network, '') as network,
  coalesce(t.owner_wallet_address, '') as "ownerWallet", coalesce(t.petitioner_email, '') as email,
  coalesce(t.petitioner_telegram, '') as telegram, t.plan_price_usd as "priceUsd",
  t.plan_price_sol::float8 as "priceSol", c.state as "creationState",
  t.closed_as as "closedAs", t.status, t.payment_status as "paymentStatus", t.created_at as "createdAt", t.updated_at as "updatedAt"`);

/** Requests for tokens, for the back office; the payments of one page are read after it, so the count stays cheap. */
export async function listTokenRequests(
  db: Reader,
  input: ListQuery,
): Promise<{ rows: AdminTokenRequestRow[]; total: number }> {
  const { status, paymentStatus, plan, network, attention } = input;
  const searchTerms = cleanText(input.q, 'line');
  const named = /^FL-/i.test(searchTerms) || UUID.test(searchTerms);
  const { rows, total } = await readPage<BareRow>(db, input, {
    columns: COLUMNS,
    from: sql`from token_creation_submissions t left join token_creations c on c.submission_id = t.id`,
    where: [
      status && sql`t.status = ${status}`,
      paymentStatus && sql`t.payment_status = ${paymentStatus}`,
      plan && sql`t.membership_type = ${plan}`,
      network ? sql`t.selected_network = ${network}` : undefined,
      attention && sql`t.id in (select p.submission_id from payments p where ${TROUBLED})`,
      /^FL-/i.test(searchTerms)
        ? sql`t.id in (select p.submission_id from payments p where starts_with(p.order_id, ${searchTerms.toUpperCase()}))`
        : UUID.test(searchTerms)
          ? sql`t.id = ${searchTerms}`
          : undefined,
    ],
    sorts: {
      createdAt: sql`t.created_at`,
      updatedAt: sql`t.updated_at`,
      plan: sql`t.plan_price_usd`,
      priceUsd: sql`t.plan_price_usd`,
      status: sql`t.status`,
      paymentStatus: sql`t.payment_status`,
    },
    filled: ['createdAt', 'updatedAt', 'plan', 'priceUsd', 'status', 'paymentStatus'],
    tie: sql`t.id`,
    id: sql`t.id`,
    searchTerms: named
      ? undefined
      : matchesTerms(sql`token_creation_submissions t`, sql`t.id`, sql`t.search`, searchTerms),
  });
  const moneyOf = await readRequestMoney(
    db,
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => ({
      ...row,
      ...(moneyOf.get(row.id) ?? NO_MONEY),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    })),
    total,
  };
}

/** Settings that these functions need. */
interface Services {
  secret: string;
  publicUrl: string;
  payments: PaymentService;
}

/** A request with everything there is about it. @throws NOT_FOUND */
export async function readTokenRequest(db: Db, services: Services, id: string): Promise<AdminTokenRequest> {
  const request = await findRequest(db, id);
  const { rows } = await listTokenRequests(db, { q: id, page: 1, size: 1, sort: 'createdAt' });
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'request' });
  const data = { ...EMPTY_DRAFT, ...request.token_data };
  const payments = await findPayments(db, sql`submission_id = ${id}`);
  const { rows: more } = await db.execute<{
    networkName: string | null;
    memberId: string | null;
    name: string | null;
    email: string | null;
  }>(sql`
    select n.name as "networkName", u.id as "memberId", f.username as name, u.email
    from token_creation_submissions t left join blockchain_networks n on n.key = t.selected_network
    left join users u on u.id = t.user_id left join forum_users f on f.new_auth_user_id = u.id where t.id = ${id}`);
  const { networkName = null, memberId = null, name = null, email = null } = more[0] ?? {};
  return {
    ...row,
    data,
    networkName,
    member: memberId && email ? { id: memberId, name, email } : null,
    orderPath: privatePath(services.secret, 'order', id, payments[0]?.locale ?? 'es'),
    wallet: checkWallet(data.selectedNetwork, data.ownerWalletAddress, checksummed),
    payments: await presentForAdmin(db, payments, services.payments.mode),
    notDeliverable: await whyNotDeliver(db, id, { simulation: services.payments.mode.simulation }),
    creatableOn: creatableOn(data.selectedNetwork),
    creation: await readCreation(db, id),
    closure: closureFrom(request),
    closable: (await whyNotClose(db, id)) === null,
    deliverBy: deliverBy(await paymentOf(db, id)),
    timeline: await timelineOf(db, id, payments),
  };
}

/** Entries of one request that a person reads at once. */
const MAX_TIMELINE = 100;

/** Acts on the request and its payments, callbacks, and what the provider said of deposits; newest first. */
async function timelineOf(db: Reader, id: string, payments: PaymentRow[]): Promise<Happening[]> {
  const ids = sql.param(payments.map((payment) => payment.id));
  const numbers = new Map(payments.map((payment) => [payment.id, payment.orderId]));
  type Row = Omit<Happening, 'orderId' | 'details'> & {
    about: string | null;
    before: unknown;
    after: unknown;
  } & Record<string, unknown>;
  const { rows } = await db.execute<Row>(sql`
    (select 'a' || e.id as id, e.at, 'act' as kind, e.action as what, e.resource_id as about,
       coalesce(f.username, u.email) as by, e.reason, e.before, e.after
     from audit_events e left join users u on u.id = e.actor_id left join forum_users f on f.new_auth_user_id = u.id
     where (e.resource_type = 'token_request' and e.resource_id = ${id})
        or (e.resource_type = 'payment' and e.resource_id = any(${ids}::text[]))
        or (e.resource_type = 'deliverable' and e.resource_id in (select d.id::text from deliverables d where d.submission_id = ${id}))
        or (e.resource_type = 'refund' and e.resource_id in (select r.id::text from refund_cases r where r.submission_id = ${id}))
     order by e.id desc limit ${MAX_TIMELINE})
    union all
    (select 'p' || v.id, v.created_at, v.kind,
       coalesce(v.body ->> 'rawStatus', v.body ->> 'status', v.body ->> 'payment_status', ''), v.payment_id::text, null, null, null,
       jsonb_strip_nulls(jsonb_build_object('deposit', v.provider_payment_id,
         'amount', coalesce(v.body -> 'actuallyPaid', v.body -> 'actually_paid'),
         'currency', coalesce(v.body ->> 'payCurrency', v.body ->> 'pay_currency')))
     from payment_events v where v.payment_id = any(${ids}::uuid[]) and v.kind in ('webhook', 'seen')
     order by v.id desc limit ${MAX_TIMELINE})
    order by 2 desc, 1 desc limit ${MAX_TIMELINE}`);
  return rows.map(({ about, before, after, ...row }) => ({
    ...row,
    at: iso(row.at),
    orderId: numbers.get(about ?? '') ?? null,
    details: detailsOf(before, after),
  }));
}

/** What is worth reading in a line: new values, and old ones where they differ. */
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
