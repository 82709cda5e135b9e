// With the role of the site, an attacker can write any rows. No token is signed without the provider's own answer, or an acceptance
// signed with a key of the signer: neither for an unpaid request, nor for another owner than the paid one.
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { PLANS } from '#contract/limits.ts';
import { agreementHash } from '#server/domains/payments/orders/agreed-token.service.ts';
import { statementText } from '#server/domains/payments/proof/signer-evidence.service.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { adminKey } from '#tests/support/app/admin-key.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { freshMemory } from '#tests/support/chains/signer-memory.ts';
import { confirmedSummary } from '#tests/support/payments/confirmed-summary.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { hashOf } from './snapshot.policy.ts';
import { createTokenCreator } from './token-creator.service.ts';

const FORGERIES = generatedCases({ everyday: 400, long: 2_000 });
/** Far below what is expected of the number of forgeries: 20 and 12 everyday, 100 and 60 in the long form. */
const MIN_SIGNED = generatedCases({ everyday: 3, long: 30 });
const MIN_ACCEPTED = generatedCases({ everyday: 0, long: 10 });
/** The token that an attacker wants, whatever was paid for. */
const WANTED = { network: 'ethereum', owner: `0x${'ab'.repeat(20)}`, name: 'Mine', symbol: 'MINE' };
/** Tokens that others paid for. */
const OTHERS = [
  { ...WANTED, owner: `0x${'cd'.repeat(20)}` },
  { ...WANTED, name: 'Theirs' },
  { ...WANTED, symbol: 'THEIRS' },
  { ...WANTED, network: 'bnb' },
  { ...WANTED, name: 'MineMINE', symbol: '' },
];
const LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Deterministic random numbers from 0 up to 1, from a seed. */
function randomOf(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const rig = await paymentRig();
const { app, fake } = rig;
const site = app.services.db;

it(`${FORGERIES} forged rows: only what the provider and valid acceptances allow is signed`, async () => {
  const seed = Math.floor(Date.now() / 1_000);
  const random = randomOf(seed);
  const chance = (share: number) => random() < share;
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

  const template = await rig.order('entry');
  template.move('finished', 1);
  expect(await template.check()).toBe('paid');
  const [trusted, stolen] = [adminKey(), adminKey()];
  const fair = fakeChain('nonces');
  fair.world.production = true;
  const memory = freshMemory();
  const creator = createTokenCreator({
    db: app.signerDb(),
    chain: fair.chain,
    dailyCap: 100_000,
    provider: fake.provider,
    adminKeys: [trusted.publicKey],
    memory,
    now: () => app.now,
    log: LOG,
  });

  /** Deposits that pay for a request at the provider, and those of valid acceptances. */
  const allowed = new Map<string, Set<string>>();
  const allow = (requestId: string, depositId: string) =>
    allowed.set(requestId, (allowed.get(requestId) ?? new Set()).add(depositId));
  const requests: string[] = [];
  const real: string[] = [];
  const signatures: { statement: string; publicKey: string; signature: string }[] = [];
  const tried = { paid: 0, accepted: 0 };

  /** What an attacker writes about a deposit: always everything that is needed to appear paid. */
  const claimOf = (paymentId: string, orderId: string, price: number): Deposit => ({
    paymentId,
    parentId: null,
    invoiceId: '1',
    orderId,
    status: 'finished',
    priceAmount: price,
    priceCurrency: 'usd',
    payAddress: 'x',
    payAmount: price,
    payCurrency: 'eth',
    actuallyPaid: price,
    updatedAt: app.now.getTime(),
  });

  /** What the provider reports about a deposit: mostly not what is needed. */
  function truthOf(requestId: string, orderId: string, honest: boolean): string {
    const id = fake.newDepositId();
    const plan = one(Object.keys(PLANS) as (keyof typeof PLANS)[]);
    const price = PLANS[plan].priceUsd;
    const good: Deposit = {
      ...claimOf(id, orderId, price),
      description: `Florka ${plan} ${orderId} ${requestId} ${agreementHash(WANTED)}`,
    };
    const { description: _, ...nameless } = good;
    const bad: Deposit[] = [
      { ...good, status: one(['waiting', 'confirming', 'failed', 'expired', 'refunded', 'unknown', 'sending']) },
      { ...good, status: 'partially_paid', actuallyPaid: price * random() },
      { ...good, actuallyPaid: price * 0.999 },
      { ...good, parentId: '77' },
      { ...good, priceAmount: one([1, 49, 51, price - 1]) },
      { ...good, priceCurrency: 'eur' },
      { ...good, description: `Florka ${plan} ${orderId} ${randomUUID()} ${agreementHash(WANTED)}` },
      {
        ...good,
        description: `Florka ${plan === 'entry' ? 'basic' : 'entry'} ${orderId} ${requestId} ${agreementHash(WANTED)}`,
      },
      // Actually paid in full, for another token.
      { ...good, description: `Florka ${plan} ${orderId} ${requestId} ${agreementHash(one(OTHERS))}` },
      { ...good, description: `Florka ${plan} ${orderId} ${requestId} ${agreementHash(one(OTHERS))}` },
      { ...good, description: `Florka ${plan} ${orderId} ${requestId}` },
      nameless,
    ];
    fake.truth.set(id, honest ? good : one(bad));
    if (honest) allow(requestId, id);
    real.push(id);
    return id;
  }

  /** A forged acceptance; sometimes a valid one. */
  function acceptanceFor(requestId: string, orderId: string) {
    const amount = 10 + Math.floor(random() * 30);
    const id = fake.newDepositId();
    fake.truth.set(id, { ...claimOf(id, orderId, 50), status: 'partially_paid', actuallyPaid: amount });
    const named = { paymentId: id, amount: String(amount), currency: 'eth' };
    const statement = {
      what: 'florka payment acceptance 2' as const,
      requestId,
      orderId,
      token: WANTED,
      priceUsd: 50,
      deposits: [named],
      reason: 'Enough',
      at: app.now.toISOString(),
    };
    const kind = one(['valid', 'key', 'request', 'amount', 'gone', 'bytes', 'replay', 'own', 'coin', 'token'] as const);
    const text = (over: object) => statementText({ ...statement, ...over });
    const forged = () => {
      switch (kind) {
        case 'valid':
          tried.accepted++;
          allow(requestId, id);
          return trusted.acceptance(text({}));
        case 'key':
          return stolen.acceptance(text({}));
        case 'own':
          return { ...stolen.acceptance(text({})), publicKey: trusted.publicKey };
        case 'request': {
          const other = one(requests) ?? randomUUID();
          // If the row is assigned there, it is what the admin signed.
          allow(other, id);
          return trusted.acceptance(text({ requestId: other }));
        }
        case 'amount':
          return trusted.acceptance(text({ deposits: [{ ...named, amount: String(amount + 1) }] }));
        case 'coin':
          return trusted.acceptance(text({ deposits: [{ ...named, currency: 'btc' }] }));
        case 'token':
          return trusted.acceptance(text({ token: one(OTHERS) }));
        case 'gone':
          fake.truth.set(id, { ...claimOf(id, orderId, 50), status: one(['refunded', 'waiting']), actuallyPaid: 0 });
          return trusted.acceptance(text({}));
        case 'bytes':
          return { ...trusted.acceptance(text({})), statement: text({ priceUsd: 49 }) };
        case 'replay':
          return signatures.length > 0 ? one(signatures) : stolen.acceptance(text({}));
      }
    };
    const acceptance = forged();
    if (kind === 'valid') signatures.push(acceptance);
    return { acceptance, depositId: id };
  }

  const columns = new Map<string, string>();
  for (const table of ['token_creation_submissions', 'payments']) {
    const found = await app.sql<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    columns.set(table, found.map(({ name }) => name).join(', '));
  }
  /** A copy of a row with other values. */
  const copy = (table: string, id: string, patch: object) => {
    const [name, list] = [sql.raw(table), sql.raw(columns.get(table) ?? '')];
    return site.execute(sql`insert into ${name} (${list})
      select ${list} from (select (jsonb_populate_record(t, ${JSON.stringify(patch)}::jsonb)).* from ${name} t where t.id = ${id}) c`);
  };

  /** One request that claims to be paid, and the order of its token with its audit entry. */
  async function forge(n: number): Promise<void> {
    const requestId = randomUUID();
    const orderId = `FL-F${String(n).padStart(9, '0')}`;
    const [paymentId, creationId] = [randomUUID(), randomUUID()];
    const secret = `\\x${randomBytes(32).toString('hex')}`;
    await copy('token_creation_submissions', template.id, {
      id: requestId,
      payment_id: null,
      edit_secret_hash: secret,
    });
    // A few whose money was returned and which name no other deposit: too rare to be left to chance.
    const returned = n < 12;
    const honest = !returned && chance(0.06);
    if (honest) tried.paid++;
    const own = truthOf(requestId, orderId, honest);
    if (returned) fake.truth.set(own, { ...claimOf(own, orderId, 50), status: 'refunded', actuallyPaid: 0 });
    const ids = [own];
    // Deposits of others, and invented ones.
    for (let i = returned ? 0 : Math.floor(random() * 4); i > 0; i--)
      ids.push(chance(0.8) ? one(real) : String(9_000_000 + n));
    const brought = !returned && chance(0.3) ? acceptanceFor(requestId, orderId) : null;
    if (brought) ids.push(brought.depositId);
    const price = returned || chance(0.8) ? 50 : 1;
    const deposits = Object.fromEntries(ids.map((id) => [id, claimOf(id, orderId, price)]));
    const accepted = chance(0.5) ? { at: app.now.getTime(), by: randomUUID(), reason: 'x', of: ids } : null;
    await copy('payments', template.paymentId, {
      id: paymentId,
      submission_id: requestId,
      order_id: orderId,
      price_usd: price,
      plan: 'entry',
      state: 'paid',
      invoice_id: null,
      ledger: { deposits, accepted },
      simulation: chance(0.05),
    });
    if (brought) {
      const { statement, publicKey, signature } = brought.acceptance;
      await site.execute(sql`insert into payment_acceptances (payment_id, statement, public_key, signature, added_at)
        values (${paymentId}, ${statement}, ${publicKey}, ${signature}, now())`);
    }
    // Everything that the site's role can write as a payer's confirmation.
    const { proposalId, snapshot, metadata } = await confirmedSummary(app, requestId, WANTED);
    const hash = hashOf(snapshot);
    const plan = chance(0.3) ? JSON.stringify({ address: `0x${'ee'.repeat(32)}` }) : null;
    const now = app.now.toISOString();
    await site.execute(sql`
      insert into token_creations (id, submission_id, network, snapshot, snapshot_hash, simulation, metadata, proposal_id, state, stage, plan,
        chain_id, next_try_at, ordered_at, begun_at, updated_at)
      values (${creationId}, ${requestId}, 'ethereum', ${JSON.stringify(snapshot)}::jsonb, ${hash}, ${chance(0.05)}, ${JSON.stringify(metadata)}::jsonb,
        ${proposalId}, ${one(['queued', 'working'])}, ${one(['queued', 'checking', 'signed'])}, ${plan}::jsonb, ${plan ? '1' : null}, ${now}, ${now}, ${now}, ${now})`);
    for (const action of ['token.confirmed', 'token.ordered'])
      await site.execute(sql`insert into audit_events (actor_role, action, resource_type, resource_id, after)
      values ('admin', ${action}, 'token_request', ${requestId}, ${JSON.stringify({ snapshotHash: hash.toString('hex') })}::jsonb)`);
    requests.push(requestId);
    // The request of a token that is already signed is assigned to the deposits of another, and vice versa.
    if (chance(0.1))
      await site.execute(
        sql`update payments set submission_id = ${one(requests)}, is_current = false where id = ${paymentId}`,
      );
    if (chance(0.1))
      await site.execute(
        sql`update token_creations set next_try_at = ${now}, begun_at = ${now} where submission_id = ${one(requests)} and state <> 'completed'`,
      );
  }

  for (let n = 0; n < FORGERIES; n++) {
    await forge(n);
    if (n % 100 === 99) await creator.work();
  }
  await creator.work();

  const signed = await app.sql<{ request: string; deposits: string[] }>(`
    select c.submission_id as request,
      array(select d.deposit_id from creation_deposits d where d.creation_id = c.id order by 1) as deposits
    from token_creations c where exists (select from creation_attempts a where a.creation_id = c.id)`);
  const wrong = signed.filter(({ request, deposits }) => {
    const own = allowed.get(request);
    return !own || deposits.length === 0 || deposits.some((id) => !own.has(id));
  });
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(fair.world.signed).toHaveLength(signed.length);
  const spent = signed.flatMap(({ deposits }) => deposits);
  expect(new Set(spent).size).toBe(spent.length);
  // Some of the permitted tokens were created, so the test would detect a signature.
  expect(signed.length).toBeGreaterThan(MIN_SIGNED);
  expect(tried.accepted).toBeGreaterThan(MIN_ACCEPTED);
  const left = await app.sql<{ problem: string | null }>(
    'select distinct problem from token_creations c where not exists (select from creation_attempts a where a.creation_id = c.id)',
  );
  expect(left.map(({ problem }) => problem)).toEqual(
    expect.arrayContaining(['acceptance_unsigned', 'payment_withdrawn', 'unpaid']),
  );
}, 600_000);
