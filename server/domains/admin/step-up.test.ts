import { randomUUID } from 'node:crypto';
import { traverseContractProcedures } from '@orpc/server';
import { beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ publicUrl: 'http://localhost' });
const { newcomer } = peopleOf(app);
const admin = await app.member({ role: 'admin', verified: true });
const id = randomUUID();
const ids = [id];

/** Every procedure that requires a proof within the last ten minutes, with a valid input. */
const CALLS: Record<string, unknown> = {
  'account.passkeys.add': {
    name: 'Phone',
    response: {
      id: 'a',
      rawId: 'a',
      type: 'public-key',
      response: { clientDataJSON: 'a', attestationObject: 'a' },
    },
  },
  'account.passkeys.remove': { id },
  'account.revokeOtherSessions': undefined,
  'account.revokeSession': { id },
  'account.passkeys.startAdding': undefined,
  'account.wallets.link': { nonce: 'a', signature: '0x' },
  'account.wallets.startLinking': { network: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  'account.wallets.unlink': { id },
  'admin.candidates.resetVotes': { id, reason: 'Bots' },
  'admin.candidates.undoReset': { id, resetId: id },
  'admin.deliverables.withdraw': { id, version: 1, reason: 'Not possible', refund: 'no' },
  'admin.moderatorRequests.decide': { ids, decision: 'approve' },
  'admin.networks.remove': { id, version: 1 },
  'admin.networks.removeMany': { records: [{ id, version: 1 }] },
  'admin.ownership.withdraw': { id, reason: 'The site was sold' },
  'admin.ownership.withdrawMany': { ids, reason: 'The site was sold' },
  'admin.refunds.open': { paymentId: id, asset: 'usdttrc20', amount: '5', reason: 'Not possible' },
  'admin.refunds.claim': { id, version: 1 },
  'admin.refunds.release': { id, version: 1, reason: 'Not paid' },
  'admin.refunds.send': { id, version: 1, transaction: 'a'.repeat(64), byProvider: false },
  'admin.refunds.withdraw': { id, version: 1, reason: 'Not possible' },
  'admin.roles.assign': { id, role: 'moderator' },
  'admin.roles.assignMany': { changes: [{ id, to: 'moderator', seen: 'user' }] },
  'admin.roles.remove': { id },
  'admin.rounds.closeEarly': { id, seenClosesAt: '2026-03-20T12:00:00.000Z', reason: 'Enough' },
  'admin.tokenRequests.acceptPayment': { paymentId: id, reason: 'Enough' },
  'admin.tokenRequests.close': { id, as: 'cancelled', note: 'Not possible' },
  'admin.tokenRequests.addAcceptance': { paymentId: id, signed: 'x' },
  'admin.tokenRequests.notePayment': { paymentId: id, note: 'Given back' },
  'admin.rounds.promoteWinner': { id },
  'admin.rounds.setEnd': {
    id,
    seenClosesAt: '2026-03-20T12:00:00.000Z',
    closesAt: '2026-03-21T12:00:00.000Z',
  },
  'admin.people.look': { id, reason: 'Asked for help' },
  'admin.settings.save': { changes: [{ name: 'supportEmail', version: 0, value: 'help@florka.test' }] },
  'admin.settings.testMail': {},
  'admin.settings.testPayment': undefined,
  'admin.settings.testTelegram': undefined,
  'admin.settlement.explain': { id, version: 1, reason: 'Rounded' },
  'admin.unplaced.place': { id: '5333977169', version: 1, orderId: 'FL-0000000001', reason: 'Theirs' },
  'admin.unplaced.refund': { id: '5333977169', version: 1, orderId: 'FL-0000000001', reason: 'Not ours' },
  'admin.unplaced.settle': { id: '5333977169', version: 1, reason: 'Given back' },
  'admin.tokenRequests.createToken': {
    requestId: id,
    tokenName: 'Colibrí',
    tokenSymbol: 'COL',
    network: 'ethereum',
    ownerWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    confirmation: 'COL',
  },
  'admin.tokenRequests.proposeToken': {
    requestId: id,
    tokenName: 'Colibrí',
    tokenSymbol: 'COL',
    network: 'ethereum',
    ownerWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    confirmation: 'COL',
  },
  'admin.tokenRequests.approveToken': { requestId: id, proposalId: id, hash: 'a'.repeat(64) },
  'admin.tokenRequests.retryCreation': { requestId: id },
  'admin.users.ban': { ids, days: 1, reason: 'spam' },
  'admin.users.promote': { ids },
  'admin.users.remove': { ids, reason: 'asked for it' },
  'admin.users.update': { id, version: 1, email: 'other@florka.test', username: 'other' },
};

/** Those that require it of an account with a second factor only: passkeys.test.ts, second-factor.test.ts. */
const WITH_SECOND_FACTOR = [
  ...['account.changeEmail', 'account.changePassword', 'account.remove'],
  'account.startSecondFactor',
];

const call = (name: string) => {
  const procedure = name.split('.').reduce<unknown>((api, key) => (api as Record<string, unknown>)[key], app.as(admin));
  return (procedure as (input: unknown) => Promise<unknown>)(CALLS[name]);
};
const outcomeOf = (made: Promise<unknown>) =>
  made.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const outcome = (name: string) => outcomeOf(call(name));

/** A hash of the rows of each table, except those of rate limits, which count refused calls too. */
async function hashes() {
  const tables = await app.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`,
  );
  const hashOf = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from "${name}" t`;
  return app.sql(`${tables.map(hashOf).join(' union all ')} order by name`);
}

beforeAll(() => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]));

it('the lists above contain every procedure that can require a step-up', () => {
  const asking: string[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    if ('STEP_UP_NEEDED' in procedure['~orpc'].errorMap) asking.push(path.join('.'));
  });
  expect(asking.sort()).toEqual([...Object.keys(CALLS), ...WITH_SECOND_FACTOR].sort());
});

it.each(Object.keys(CALLS))(
  '%s requires a step-up within the last ten minutes, and changes nothing without it',
  async (name) => {
    await app.sql(`update sessions set proved_at = now() - interval '10 minutes 1 second' where user_id = $1`, [
      admin.id,
    ]);
    const before = await hashes();
    await expect(call(name)).rejects.toMatchObject({ code: 'STEP_UP_NEEDED', status: 403 });
    expect(await hashes()).toEqual(before);
    await app.sql(`update sessions set proved_at = now() - interval '9 minutes' where user_id = $1`, [admin.id]);
    expect(await outcome(name)).not.toBe('STEP_UP_NEEDED');
  },
);

it.each(['2001-01-01T00:00:00.000Z', '2101-01-01T00:00:00.000Z'])(
  'the age of a step-up is measured by the database, also when the clock of the process is %s',
  async (clock) => {
    const person = await newcomer({ verified: true });
    await app.sql('insert into admin_profiles (id) values ($1)', [person.id]);
    const before = app.now.toISOString();
    app.setNow(clock);
    const change = () => outcomeOf(person.api.admin.networks.remove({ id, version: 1 }));
    await app.sql(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [person.id]);
    expect(await change()).toBe('STEP_UP_NEEDED');
    await person.api.account.prove({ password: PASSWORD });
    expect(await change()).toBe('NOT_FOUND');
    const [session] = await app.sql(
      `select abs(extract(epoch from now() - proved_at)) < 60 as current from sessions where user_id = $1`,
      [person.id],
    );
    expect(session).toEqual({ current: true });
    app.setNow(before);
  },
);
