import { describe, expect, it } from 'vitest';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import {
  admin,
  api,
  app,
  auditActions,
  colleague,
  orderToken,
  paid,
  prove,
  rows,
} from '#tests/fixtures/token-orders.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { alignRequestWithOrder } from '#tests/support/payments/align-request.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { payerConfirms } from '#tests/support/payments/payer-confirms.ts';
import { hashOf } from './snapshot.policy.ts';

/** Sets a creation to a state in which a signer leaves it. */
const leave = (id: string, state: TokenCreation['state'], problem: string | null = null) =>
  app.sql(
    "update token_creations set state = $2, problem = $3, stage = 'stopped', next_try_at = null where submission_id = $1",
    [id, state, problem],
  );
const sign = (id: string, number = 1) =>
  app.sql(
    `insert into creation_attempts (creation_id, number, chain_id, signer, transaction, signed, signed_at)
     select id, $2, '31337', 'deployer', $3, '\\x01', now() from token_creations where submission_id = $1`,
    [id, number, `0x${id}${number}`],
  );

describe('ordering a token', () => {
  it('freezes its data, notifies open screens and returns the creation [A-TOKEN-31] [DATA-60] [AMB-187]', async () => {
    await app.worker('ethereum');
    const { id, input, order } = await paid();
    expect((await order()).stage).toBe('paid');
    const live = listenTo(app.services);
    const made = await orderToken(input);
    expect(made).toMatchObject({
      requestId: id,
      network: 'ethereum',
      state: 'queued',
      stage: 'queued',
      problem: null,
      tokenName: 'Ajolote',
      tokenSymbol: 'AJO',
      supply: '1000000000',
      decimals: 18,
      owner: COMPLETE.ownerWalletAddress,
      metadataUrl: expect.stringMatching(/^http:\/\/florka\.test\/token-files\/[0-9a-f]{64}\.json$/),
      simulation: true,
      address: null,
      transaction: null,
      attempts: [],
      facts: null,
      correctable: false,
      retryable: false,
      orderedBy: admin.username,
    });
    await live.changed('tokenRequests');
    const [row] = await rows(id);
    expect(row?.snapshot_hash).toEqual(hashOf(row?.snapshot as object));
    expect(row?.metadata).toEqual({
      name: 'Ajolote',
      symbol: 'AJO',
      description: 'Un token de lago.',
      image: '',
    });
    expect(await auditActions(id)).toEqual(['token.proposed', 'token.confirmed', 'token.ordered']);
    expect(await order()).toMatchObject({ stage: 'creating', next: 'wait_creation' });
    expect((await api.read({ id })).creation).toMatchObject({ state: 'queued' });
    expect((await api.list({ q: id })).rows[0]).toMatchObject({ creationState: 'queued' });
  });

  it('creates one order from concurrent clicks of two admins on two processes', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    const other = app.as(colleague, { at: await app.secondProcess() }).admin.tokenRequests;
    await payerConfirms(app, api, input);
    await prove();
    const answers = await Promise.allSettled(
      [api, other, api, other].flatMap((one) => [
        one.createToken(input),
        one.createToken({ ...input, totalSupply: '2000' }),
      ]),
    );
    expect(await rows(id)).toHaveLength(1);
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(new Set(made.map((one) => `${one.id} ${one.snapshotHash}`)).size).toBe(1);
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []));
    expect(refused).toHaveLength(4);
    // The order with the other supply is refused as another token, or because its payer did not confirm it.
    for (const code of refused) expect(['ALREADY_CREATED', 'PAYER_CONFIRMATION']).toContain(code);
    expect(await auditActions(id)).toEqual(['token.proposed', 'token.confirmed', 'token.ordered']);
  });

  it('refuses a symbol with look-alike characters until the admin accepts it', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    const disguised = { ...input, tokenSymbol: 'АЈО', confirmation: 'АЈО' };
    await alignRequestWithOrder(app, disguised);
    await expect(api.createToken(disguised)).rejects.toMatchObject({
      code: 'LOOK_ALIKE',
      data: { fields: ['tokenSymbol'] },
    });
    expect(await rows(id)).toEqual([]);
    expect(await orderToken({ ...disguised, lookAlikeAccepted: true })).toMatchObject({ tokenSymbol: 'АЈО' });
  });

  it.each([
    ['signer_offline', { seen_at: new Date(Date.now() - 90_000) }],
    ['unreachable', { state: 'unreachable' }],
    ['unreachable', { production: null }],
    ['wrong_chain', { state: 'wrong_chain' }],
    ['unsupported', { state: 'unsupported' }],
    ['wrong_money', { production: true }],
    ['low_balance', { enough_for: 0 }],
    ['cap_reached', { daily_cap: 5, used_today: 5 }],
  ])('is refused with the reason why a network can’t be used: %s', async (why, worker) => {
    await app.worker('binance', worker);
    const { id, input } = await paid({ selectedNetwork: 'bnb' });
    await expect(api.createToken({ ...input, network: 'binance' })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      data: { why },
    });
    expect(await rows(id)).toEqual([]);
    expect((await api.chains()).find(({ network }) => network === 'binance')).toMatchObject({ why });
  });

  it('counts waiting orders against balance and daily cap', async () => {
    await app.worker('solana', { enough_for: 1 });
    const wallet = '4Nd1mYQFk8xq6w1J9nRzJ4qgJd6vY2m3t9pS5rW8aBcD';
    const [one, two] = [await paid(), await paid()];
    const first = { ...one.input, network: 'solana' as const, ownerWallet: wallet };
    await alignRequestWithOrder(app, first);
    await orderToken(first);
    const second = { ...two.input, network: 'solana' as const, ownerWallet: wallet };
    await alignRequestWithOrder(app, second);
    await expect(api.createToken(second)).rejects.toMatchObject({ data: { why: 'low_balance' } });
    await app.worker('solana', { daily_cap: 3, used_today: 2 });
    await expect(api.createToken(second)).rejects.toMatchObject({ data: { why: 'cap_reached' } });
    await app.worker('solana', { daily_cap: 4, used_today: 2 });
    expect(await orderToken(second)).toMatchObject({ decimals: 6 });
  });

  it('supports Polygon like the other networks [AMB-216]', async () => {
    const { id, input } = await paid();
    await app.sql("update token_creation_submissions set selected_network = 'polygon' where id = $1", [id]);
    await alignRequestWithOrder(app, { ...input, network: 'polygon' });
    expect(await api.chains()).toContainEqual(expect.objectContaining({ network: 'polygon', why: 'not_configured' }));
    await expect(api.createToken({ ...input, network: 'polygon' })).rejects.toMatchObject({
      data: { why: 'not_configured' },
    });
    await app.worker('polygon');
    expect(await orderToken({ ...input, network: 'polygon' })).toMatchObject({ network: 'polygon' });
  });
});

describe('an ordered token', () => {
  it('can be corrected while it is stopped and nothing is signed, and not afterwards', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await orderToken(input);
    await leave(id, 'failed', 'owner_is_program');
    expect((await api.read({ id })).creation).toMatchObject({ correctable: true, retryable: true });
    const better = { ...input, ownerWallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' };
    await alignRequestWithOrder(app, better);
    expect(await orderToken(better)).toMatchObject({
      state: 'queued',
      problem: null,
      owner: better.ownerWallet,
    });
    await leave(id, 'held', 'stuck');
    await sign(id);
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'ALREADY_CREATED', data: { state: 'held' } });
    await expect(api.createToken(better)).rejects.toMatchObject({ code: 'ALREADY_CREATED' });
    expect(await api.retryCreation({ requestId: id })).toMatchObject({ state: 'working', owner: better.ownerWallet });
    await expect(api.retryCreation({ requestId: id })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect(await auditActions(id)).toEqual([
      ...['token.proposed', 'token.confirmed', 'token.ordered'],
      ...['token.proposed', 'token.confirmed', 'token.ordered', 'token.retried'],
    ]);
  });

  it('can be neither retried nor ordered again while its payment does not count', async () => {
    await app.worker('ethereum');
    const { id, input, see } = await paid();
    await orderToken(input);
    await leave(id, 'held', 'unreachable');
    await see('refunded');
    await expect(api.retryCreation({ requestId: id })).rejects.toMatchObject({ code: 'NOT_DELIVERABLE' });
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'NOT_DELIVERABLE' });
  });

  it('cannot be changed by writes to its tables, before and after its completion', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await orderToken(input);
    await sign(id);
    const set = (what: string) => app.sql(`update token_creations set ${what} where submission_id = $1`, [id]);
    for (const what of [
      `snapshot = snapshot || '{"owner":"0x0"}'`,
      `snapshot_hash = sha256('x')`,
      `network = 'solana'`,
      `simulation = false`,
      `plan = '{"address":"0x1"}'`,
      `submission_id = gen_random_uuid()`,
    ])
      await expect(set(what), what).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('delete from token_creations where submission_id = $1', [id])).rejects.toThrow();
    for (const what of [`signed = '\\x02'`, `transaction = 'other'`, `number = 2`, `nonce = 7`])
      await expect(app.sql(`update creation_attempts set ${what}`), what).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('delete from creation_attempts')).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('truncate creation_attempts')).rejects.toMatchObject({ code: '23001' });
    await expect(sign(id)).rejects.toMatchObject({ code: '23505' });
    // Completed without the required data, and a change of a completed one.
    await expect(set(`state = 'completed'`)).rejects.toMatchObject({ code: '23514' });
    await expect(set(`address = '0x1'`)).rejects.toMatchObject({ code: '23514' });
    const other = await paid();
    await orderToken(other.input);
    const done = `state = 'completed', address = '0x1', transaction = '0x2', plan = '{}', chain_id = '1', facts = '{}',
      completed_at = now()`;
    await app.sql(`update token_creations set ${done} where submission_id = $1`, [other.id]);
    for (const what of [`address = '0x9'`, `state = 'held', address = null`, `facts = '{"a":1}'`, `detail = 'x'`])
      await expect(
        app.sql(`update token_creations set ${what} where submission_id = $1`, [other.id]),
        what,
      ).rejects.toMatchObject({ code: '23001' });
    await app.sql('update token_creations set told_at = now() where submission_id = $1', [other.id]);
    const { db, jobs } = app.services;
    await watchDeliverables({ db, jobs, secret: app.secret, now: app.now });
    expect(await other.order()).toMatchObject({
      stage: 'created',
      next: 'nothing',
      token: { address: '0x1', transaction: '0x2' },
      items: expect.arrayContaining([expect.objectContaining({ key: 'uniqueToken', state: 'done' })]),
    });
    await expect(api.createToken(other.input)).rejects.toMatchObject({
      code: 'ALREADY_CREATED',
      data: { state: 'completed', address: '0x1' },
    });
  });

  it('reserves a nonce of a key for one creation permanently', async () => {
    await app.worker('ethereum');
    const [one, two] = [await paid(), await paid()];
    await orderToken(one.input);
    await orderToken(two.input);
    const nonce = (id: string) =>
      app.sql(
        `insert into creation_nonces (chain_id, signer, nonce, creation_id)
         select '31337', 'deployer', 7, id from token_creations where submission_id = $1`,
        [id],
      );
    await nonce(one.id);
    await expect(nonce(two.id)).rejects.toMatchObject({ code: '23505' });
    const attempt = (id: string) =>
      app.sql(
        `insert into creation_attempts (creation_id, number, chain_id, signer, nonce, transaction, signed, signed_at)
         select id, 1, '31337', 'deployer', 7, $1::text || 'n', '\\x01', now() from token_creations where submission_id = $1::uuid`,
        [id],
      );
    await expect(attempt(two.id)).rejects.toMatchObject({ code: '23503' });
    await attempt(one.id);
    await expect(app.sql('delete from creation_nonces')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the inbox', () => {
  const waiting = async () => (await app.as(admin).admin.inbox.list({})).items;
  const about = async (id: string) => (await waiting()).filter((item) => item.id === id).map(({ source }) => source);

  it('has a request until its token is ordered, and the creation once it stopped', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    expect(await about(id)).toEqual(['request']);
    await orderToken(input);
    expect(await about(id)).toEqual([]);
    await leave(id, 'held', 'stuck');
    const [item] = (await waiting()).filter((one) => one.id === id);
    expect(item).toMatchObject({
      source: 'creation',
      title: 'Ajolote (AJO)',
      details: ['held', 'ethereum', 'stuck'],
    });
    await app.as(admin).admin.inbox.take({ source: 'creation', id });
  });

  it('has a network that needs an operator, with the reason', async () => {
    await app.worker('ethereum');
    const { input } = await paid();
    await orderToken(input);
    const chain = async () =>
      (await waiting())
        .filter(({ source, id }) => source === 'chain' && id === 'ethereum')
        .map(({ details }) => details);
    expect(await chain()).toEqual([]);
    await app.worker('ethereum', { state: 'low_balance' });
    expect(await chain()).toEqual([['low_balance']]);
    await app.worker('ethereum', { state: 'cap_reached' });
    expect(await chain()).toEqual([['cap_reached']]);
    await app.worker('ethereum', { seen_at: new Date(Date.now() - 90_000) });
    expect(await chain()).toEqual([['signer_offline']]);
    await app.sql("delete from signer_workers where network = 'ethereum'");
    expect(await chain()).toEqual([['not_configured']]);
    await app.worker('ethereum', { enough_for: 0 });
    expect(await chain()).toEqual([['low_balance']]);
  });
});
