import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { freshMemory } from '#tests/support/chains/signer-memory.ts';
import { alignRequestWithOrder } from '#tests/support/payments/align-request.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';
import { payerConfirms } from '#tests/support/payments/payer-confirms.ts';
import { createTokenCreator } from './token-creator.service.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
const app = await startTestApp({ payments: { ...fake.provider, simulation: true } });
clock = () => app.now.getTime();
const signerDb = app.signerDb();
const admin = await app.member({ role: 'admin' });
const colleague = await app.member({ role: 'admin' });
const moderator = await app.member({ role: 'moderator' });
const api = app.as(admin).admin.tokenRequests;
const other = app.as(colleague).admin.tokenRequests;

const set = (name: string, value: unknown) =>
  app.sql(
    `insert into settings (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value`,
    [name, JSON.stringify(value)],
  );
afterEach(() => app.sql(`delete from settings where key like 'creationApproval%'`));
const prove = () =>
  app.sql('update sessions set proved_at = now() where user_id = any($1)', [[admin.id, colleague.id]]);

let serial = 0;
/** A paid request whose payer confirmed exactly what the admin enters. */
async function confirmed(plan: 'entry' | 'basic' | 'complete' = 'entry') {
  app.pass(1_500);
  await app.worker('ethereum');
  const guest = app.as(null, { address: `10.66.${++serial}.1` });
  const { id, secret } = await guest.tokenRequests.create({ data: COMPLETE });
  const { orderId } = await guest.tokenRequests.pay({ id, secret, plan, locale: 'es' });
  const invoice = fake.invoiceOf(orderId);
  fake.move(invoice, fake.newDepositId(), 'finished', { actuallyPaid: 1_000_000 });
  app.pass(11_000);
  await guest.tokenRequests.check({ id, secret });
  const input = {
    requestId: id,
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    confirmation: 'AJO',
    network: 'ethereum' as const,
    totalSupply: '1000',
    ownerWallet: COMPLETE.ownerWalletAddress ?? '',
  };
  await alignRequestWithOrder(app, input);
  await prove();
  await payerConfirms(app, api, input);
  await prove();
  return { id, input };
}
/** What an admin approves: the current summary, as shown on the screen. */
async function approvalOf(id: string) {
  const { approval } = await api.read({ id });
  if (!approval.proposal) throw new Error('nothing is confirmed');
  return { requestId: id, proposalId: approval.proposal.id, hash: approval.proposal.hash };
}
const auditActions = async (id: string) =>
  (
    await app.sql<{ actor_id: string }>(
      `select actor_id from audit_events where action = 'token.approved' and resource_id = $1`,
      [id],
    )
  ).map((row) => row.actor_id);

describe('the approval of a second admin', () => {
  it('is not required unless a setting requires it', async () => {
    const { id, input } = await confirmed();
    expect((await api.read({ id })).approval).toMatchObject({
      needed: false,
      aboveUsd: null,
      given: [],
      otherAdmins: 1,
    });
    expect((await api.createToken(input)).state).toBe('queued');
  });

  it('has to come from another admin than the one who orders', async () => {
    await set('creationApproval', true);
    const { id, input } = await confirmed();
    expect((await api.read({ id })).approval).toMatchObject({ needed: true, given: [] });
    await expect(api.createToken(input)).rejects.toMatchObject({
      code: 'SECOND_APPROVAL',
      data: { why: 'missing', otherAdmins: 1 },
    });
    await api.approveToken(await approvalOf(id));
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'SECOND_APPROVAL', data: { why: 'own' } });
    await expect(api.approveToken(await approvalOf(id))).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    const { approval } = await other.read({ id });
    expect(approval.given).toEqual([{ by: admin.username, mine: false, at: expect.any(String) }]);
    expect((await other.createToken(input)).state).toBe('queued');
    expect(await auditActions(id)).toEqual([admin.id]);
  });

  it('is required above the configured amount, and not at it', async () => {
    const [{ id, input }, dear] = [await confirmed('entry'), await confirmed('complete')];
    const { amountUsd } = (await api.read({ id })).approval;
    await set('creationApprovalAbove', amountUsd);
    expect((await api.createToken(input)).state).toBe('queued');
    expect((await api.read({ id: dear.id })).approval).toMatchObject({ needed: true, aboveUsd: amountUsd });
    await expect(api.createToken(dear.input)).rejects.toMatchObject({ code: 'SECOND_APPROVAL' });
    await other.approveToken(await approvalOf(dear.id));
    expect((await api.createToken(dear.input)).state).toBe('queued');
  });

  it('covers exactly one summary: one that is confirmed later needs its own', async () => {
    await set('creationApproval', true);
    const { id, input } = await confirmed();
    const first = await approvalOf(id);
    await other.approveToken(first);
    const changed = { ...input, tokenName: 'Ajolote Azul' };
    await payerConfirms(app, api, changed);
    await prove();
    await expect(api.createToken(changed)).rejects.toMatchObject({ code: 'SECOND_APPROVAL', data: { why: 'missing' } });
    await expect(other.approveToken(first)).rejects.toMatchObject({ code: 'PROPOSAL_CHANGED' });
    await expect(other.approveToken({ ...(await approvalOf(id)), hash: first.hash })).rejects.toMatchObject({
      code: 'PROPOSAL_CHANGED',
    });
    await other.approveToken(await approvalOf(id));
    expect((await api.createToken(changed)).tokenName).toBe('Ajolote Azul');
    await app.sql(
      `insert into creation_attempts (creation_id, number, chain_id, signer, transaction, signed, signed_at)
       select id, 1, '31337', 'deployer', $1::text || 'x', '\\x01', now() from token_creations where submission_id = $1::uuid`,
      [id],
    );
    await expect(api.approveToken(await approvalOf(id))).rejects.toMatchObject({ code: 'ALREADY_CREATED' });
  });

  it('is shown as missing in the inbox until it is given', async () => {
    await set('creationApproval', true);
    const { id } = await confirmed();
    const details = async () =>
      (await app.as(admin).admin.inbox.list({ source: 'request' })).items.find((item) => item.id === id)?.details;
    expect(await details()).toContain('approval_missing');
    await api.approveToken(await approvalOf(id));
    expect(await details()).toContain('payer_confirmed');
  });

  it('is enforced by the database', async () => {
    const { id } = await confirmed();
    const { proposalId, hash } = await approvalOf(id);
    const approve = (by: string, over: { hash?: string } = {}) =>
      app.sql(
        `insert into token_approvals (proposal_id, snapshot_hash, approved_by, approved_at) values ($1, decode($2, 'hex'), $3, now())`,
        [proposalId, over.hash ?? hash, by],
      );
    const order = (by: string | null) =>
      app.sql(
        `insert into token_creations (submission_id, network, snapshot, snapshot_hash, simulation, metadata, proposal_id,
           requested_by, ordered_at, begun_at, updated_at)
         select submission_id, snapshot ->> 'network', snapshot, snapshot_hash, true, metadata, id, $2, now(), now(), now()
         from token_proposals where id = $1`,
        [proposalId, by],
      );
    await set('creationApproval', true);
    await expect(order(admin.id)).rejects.toMatchObject({
      code: '23001',
      message: expect.stringMatching(/another admin/),
    });
    await expect(approve(moderator.id)).rejects.toMatchObject({ code: '23001' });
    await expect(approve(admin.id, { hash: 'b'.repeat(64) })).rejects.toMatchObject({ code: '23001' });
    await approve(admin.id);
    await expect(order(admin.id)).rejects.toMatchObject({ code: '23001' });
    await expect(order(null)).rejects.toMatchObject({ code: '23001' });
    await order(colleague.id);
    await expect(
      app.sql('update token_creations set requested_by = $2 where submission_id = $1', [id, admin.id]),
    ).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('delete from token_approvals')).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('update token_approvals set approved_by = $1', [colleague.id])).rejects.toMatchObject({
      code: '23001',
    });
  });

  it('is verified again by the signer, in its row and in the audit log', async () => {
    const chain = fakeChain('nonces');
    const creator = createTokenCreator({
      db: signerDb,
      chain: chain.chain,
      dailyCap: 1_000,
      provider: null,
      adminKeys: [],
      memory: freshMemory(),
      now: () => app.now,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    const run = async () => {
      for (let i = 0; i < 40; i++) {
        const wait = await creator.work();
        if (wait === null || wait > 3_600_000) return;
        app.pass(Math.max(wait, 1_000));
        chain.world.block();
      }
    };
    await app.sql("update token_creations set next_try_at = null where state <> 'completed'");
    const { id, input } = await confirmed();
    await api.createToken(input);
    const creation = async () => (await api.read({ id })).creation;
    // Required after the order was given.
    await set('creationApproval', true);
    await run();
    expect(await creation()).toMatchObject({ state: 'held', problem: 'approval_missing', attempts: [] });
    // A row without an audited action.
    const { proposalId, hash } = await approvalOf(id);
    await app.sql(
      `insert into token_approvals (proposal_id, snapshot_hash, approved_by, approved_at)
       values ($1, decode($2, 'hex'), $3, now())`,
      [proposalId, hash, colleague.id],
    );
    await prove();
    await api.retryCreation({ requestId: id });
    await run();
    expect(await creation()).toMatchObject({ state: 'held', problem: 'approval_missing', attempts: [] });
    expect(chain.world.signed).toHaveLength(0);
    const third = await app.member({ role: 'admin' });
    await app.as(third).admin.tokenRequests.approveToken({ requestId: id, proposalId, hash });
    await prove();
    await api.retryCreation({ requestId: id });
    await run();
    expect(await creation()).toMatchObject({ state: 'completed' });
  });
});
