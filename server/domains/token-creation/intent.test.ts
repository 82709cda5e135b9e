import { describe, expect, it } from 'vitest';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import { ImageNotFetched } from '#server/domains/media/media.service.ts';
import { contentHash } from '#server/lib/pinned-files.ts';
import { asPaidFor } from '#tests/support/as-paid-for.ts';
import { COMPLETE } from '#tests/support/complete-draft.ts';
import { fakeProvider } from '#tests/support/fake-provider.ts';
import { halvesImage } from '#tests/support/images.ts';
import { payerConfirms } from '#tests/support/payer-confirms.ts';
import { listenTo, startTestApp } from '#tests/support/test-app.ts';
import { remindPayers } from './proposals.service.ts';
import { hashOf } from './snapshot.policy.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
/** What is on the web, by its address. */
const fetched = new Map<string, Buffer>();
const app = await startTestApp({
  payments: { ...fake.provider, simulation: true },
  fetchImage: async (url) => {
    const bytes = fetched.get(url);
    if (!bytes) throw new ImageNotFetched('unreachable');
    return bytes;
  },
});
clock = () => app.now.getTime();
const admin = await app.member({ role: 'admin' });
const colleague = await app.member({ role: 'admin' });
const api = app.as(admin).admin.tokenRequests;

let serial = 0;
/** A paid request, and what the admin types for it. */
async function paid(over: object = {}) {
  app.pass(1_500);
  const guest = app.as(null, { address: `10.7.${++serial}.1` });
  const { id, secret, orderKey } = await guest.tokenRequests.create({ data: { ...COMPLETE, ...over } });
  const { orderId } = await guest.tokenRequests.pay({ id, secret, plan: 'basic', locale: 'es' });
  const invoice = fake.invoices.findLast((one) => one.orderId === orderId);
  if (!invoice) throw new Error('no invoice');
  const depositId = fake.newDepositId();
  const see = async (status: 'finished' | 'refunded') => {
    fake.move(invoice, depositId, status, { actuallyPaid: 3_000 });
    app.pass(11_000);
    await guest.tokenRequests.check({ id, secret });
    await prove();
  };
  await see('finished');
  return {
    id,
    guest,
    secret,
    see,
    key: orderKey,
    order: () => guest.tokenRequests.order({ id, key: orderKey }),
    input: inputOf(id),
  };
}
const inputOf = (requestId: string) => ({
  requestId,
  tokenName: 'Ajolote',
  tokenSymbol: 'AJO',
  confirmation: 'AJO',
  network: 'ethereum' as const,
  totalSupply: '1000000000',
  ownerWallet: COMPLETE.ownerWalletAddress ?? '',
  description: 'Un token de lago.',
});
const prove = () =>
  app.sql('update sessions set proved_at = $2 where user_id = any($1)', [[admin.id, colleague.id], app.now]);
/** Its payer confirms exactly this, and an admin orders it. */
async function orderToken(input: Parameters<typeof api.createToken>[0]) {
  await payerConfirms(app, api, input);
  await prove();
  return api.createToken(input);
}
const rows = (id: string) => app.sql('select * from token_creations where submission_id = $1', [id]);
const acts = async (id: string) =>
  (
    await app.sql<{ action: string }>(
      "select action from audit_events where action like 'token.%' and resource_id = $1 order by id",
      [id],
    )
  ).map(({ action }) => action);
/** As a signer would leave it. */
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
  it('freezes what it will be, tells everybody and answers with it [A-TOKEN-31] [DATA-60] [AMB-187]', async () => {
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
    expect(await acts(id)).toEqual(['token.proposed', 'token.confirmed', 'token.ordered']);
    expect(await order()).toMatchObject({ stage: 'creating', next: 'wait_creation' });
    expect((await api.read({ id })).creation).toMatchObject({ state: 'queued' });
    expect((await api.list({ q: id })).rows[0]).toMatchObject({ creationState: 'queued' });
  });

  it('makes one of many clicks, of two admins and of two processes', async () => {
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
    // The other supply is refused as another token, or because its payer did not confirm it.
    for (const code of refused) expect(['ALREADY_CREATED', 'PAYER_CONFIRMATION']).toContain(code);
    expect(await acts(id)).toEqual(['token.proposed', 'token.confirmed', 'token.ordered']);
  });

  it('holds a name that looks like another one until somebody accepts it', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    const disguised = { ...input, tokenSymbol: 'АЈО', confirmation: 'АЈО' };
    await asPaidFor(app, disguised);
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
  ])('says why a network can’t be used: %s', async (why, worker) => {
    await app.worker('binance', worker);
    const { id, input } = await paid({ selectedNetwork: 'bnb' });
    await expect(api.createToken({ ...input, network: 'binance' })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      data: { why },
    });
    expect(await rows(id)).toEqual([]);
    expect((await api.chains()).find(({ network }) => network === 'binance')).toMatchObject({ why });
  });

  it('counts what waits already against balance and cap', async () => {
    await app.worker('solana', { enough_for: 1 });
    const wallet = '4Nd1mYQFk8xq6w1J9nRzJ4qgJd6vY2m3t9pS5rW8aBcD';
    const [one, two] = [await paid(), await paid()];
    const first = { ...one.input, network: 'solana' as const, ownerWallet: wallet };
    await asPaidFor(app, first);
    await orderToken(first);
    const second = { ...two.input, network: 'solana' as const, ownerWallet: wallet };
    await asPaidFor(app, second);
    await expect(api.createToken(second)).rejects.toMatchObject({ data: { why: 'low_balance' } });
    await app.worker('solana', { daily_cap: 3, used_today: 2 });
    await expect(api.createToken(second)).rejects.toMatchObject({ data: { why: 'cap_reached' } });
    await app.worker('solana', { daily_cap: 4, used_today: 2 });
    expect(await orderToken(second)).toMatchObject({ decimals: 6 });
  });

  it('knows Polygon like the other networks [AMB-216]', async () => {
    const { id, input } = await paid();
    await app.sql("update token_creation_submissions set selected_network = 'polygon' where id = $1", [id]);
    await asPaidFor(app, { ...input, network: 'polygon' });
    expect(await api.chains()).toContainEqual(expect.objectContaining({ network: 'polygon', why: 'not_configured' }));
    await expect(api.createToken({ ...input, network: 'polygon' })).rejects.toMatchObject({
      data: { why: 'not_configured' },
    });
    await app.worker('polygon');
    expect(await orderToken({ ...input, network: 'polygon' })).toMatchObject({ network: 'polygon' });
  });
});

describe('a summary that its payer confirms', () => {
  it('is asked for before every creation, also when nothing differs; the order is that row', async () => {
    await app.worker('ethereum');
    const one = await paid();
    const { id, input, guest, key } = one;
    await expect(api.createToken(input)).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { fields: [], asked: null },
    });
    await api.proposeToken(input);
    await expect(api.proposeToken(input)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(api.createToken(input)).rejects.toMatchObject({ data: { fields: [], asked: 'open' } });
    const mail = (await app.deliverMails()).find(
      ({ text }) => text.includes(`/order/${id}#`) && text.includes('resumen'),
    );
    expect(mail?.subject).toContain('Confirma los datos de tu token');
    expect(mail?.text).toContain(input.ownerWallet);
    const [asked] = (await one.order()).proposals;
    expect(asked).toMatchObject({
      state: 'open',
      changed: [],
      supply: '1000000000',
      decimals: 18,
      authorities: 'none',
      picture: null,
      metadata: { description: 'Un token de lago.', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ownerWallet: COMPLETE.ownerWalletAddress,
    });
    await guest.tokenRequests.answerProposal({ id, key, proposalId: asked?.id ?? '', answer: 'confirmed' });
    await prove();
    await expect(api.createToken({ ...input, description: 'Otro.' })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
    });
    expect(await api.createToken(input)).toMatchObject({ snapshotHash: asked?.hash });
    const [row] = await rows(id);
    expect(row?.proposal_id).toBe(asked?.id);
    expect((await one.order()).summary).toMatchObject({ hash: asked?.hash, metadata: asked?.metadata });
  });

  it('ends a former yes with the next one', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await payerConfirms(app, api, input);
    const more = { ...input, totalSupply: '5' };
    await payerConfirms(app, api, more);
    await prove();
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'PAYER_CONFIRMATION' });
    // A no to another question takes nothing back.
    await payerConfirms(app, api, { ...input, totalSupply: '6' }, 'declined');
    await prove();
    expect(await api.createToken(more)).toMatchObject({ supply: '5' });
    expect(await rows(id)).toHaveLength(1);
  });

  it('is what every order has to be, by the database’s own rule', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await api.proposeToken(input);
    const insert = () =>
      app.sql(
        `insert into token_creations (submission_id, network, snapshot, snapshot_hash, simulation, metadata, proposal_id,
           ordered_at, begun_at, updated_at)
         select submission_id, 'ethereum', snapshot, snapshot_hash, true, metadata, id, now(), now(), now()
         from token_proposals where submission_id = $1`,
        [id],
      );
    await expect(insert()).rejects.toMatchObject({ code: '23001' });
    await app.sql("update token_proposals set state = 'declined', answered_at = now() where submission_id = $1", [id]);
    await expect(insert()).rejects.toMatchObject({ code: '23001' });
    const write = (state: string, hash: string) =>
      app.sql(
        `insert into token_proposals (submission_id, snapshot, snapshot_hash, metadata, fields, state, answered_at, proposed_at)
         select submission_id, snapshot, ${hash}, metadata, '{}', $2, case when $2 = 'confirmed' then now() end, now()
         from token_proposals where submission_id = $1`,
        [id, state],
      );
    await expect(write('confirmed', 'snapshot_hash')).rejects.toMatchObject({ code: '23001' });
    await expect(write('open', "sha256('x')")).rejects.toMatchObject({ code: '23514' });
    expect(await rows(id)).toEqual([]);
  });

  it('waits in the inbox, and its payer is reminded once', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    const item = async () =>
      (await app.as(admin).admin.inbox.list({ source: 'request' })).items.find((one) => one.id === id)?.details;
    expect(await item()).toEqual(['BASIC', 'ethereum']);
    await api.proposeToken(input);
    expect(await item()).toEqual(['BASIC', 'ethereum', 'payer_open']);
    await app.deliverMails();
    const { db, jobs } = app.services;
    const remind = () => remindPayers(db, { jobs, secret: app.secret }, app.now);
    const reminders = async () =>
      (await app.deliverMails()).filter(
        ({ subject, text }) => subject.includes('Recordatorio') && text.includes(`/order/${id}#`),
      );
    await remind();
    expect(await reminders()).toEqual([]);
    app.pass(73 * 3_600_000);
    await Promise.all([remind(), remind()]);
    expect(await reminders()).toHaveLength(1);
    await remind();
    expect(await reminders()).toHaveLength(1);
    await app.sql("update token_proposals set state = 'confirmed', answered_at = now() where submission_id = $1", [id]);
    expect(await item()).toEqual(['BASIC', 'ethereum', 'payer_confirmed']);
  });
});

describe('the files of a token', () => {
  it('are copied when the payer is asked, named by their hash, and served as they are for ever', async () => {
    await app.worker('ethereum');
    const one = await paid({ imageUrl: 'https://example.org/a.png' });
    const { id, input } = one;
    fetched.set('https://example.org/a.png', await halvesImage().png().toBuffer());
    const made = await orderToken(input);
    const { summary } = await one.order();
    const metadata = await app.http(new URL(made.metadataUrl).pathname);
    expect(metadata.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(metadata.headers.get('access-control-allow-origin')).toBe('*');
    const bytes = Buffer.from(await metadata.arrayBuffer());
    expect(contentHash(bytes)).toBe(summary?.metadata?.hash);
    const said = JSON.parse(bytes.toString());
    expect(said).toEqual({
      name: 'Ajolote',
      symbol: 'AJO',
      description: 'Un token de lago.',
      image: `http://florka.test${summary?.picture?.path}`,
    });
    const picture = await app.http(summary?.picture?.path ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(contentHash(Buffer.from(await picture.arrayBuffer()))).toBe(summary?.picture?.hash);
    // What is at that address afterwards, and what the request says, changes nothing.
    fetched.delete('https://example.org/a.png');
    await app.sql(`update token_creation_submissions set token_data = token_data || '{"imageUrl":""}' where id = $1`, [
      id,
    ]);
    expect((await app.http(summary?.picture?.path ?? '')).status).toBe(200);
    for (const path of ['/token-files/x.png', `/token-files/${'0'.repeat(64)}.png`, '/token-files/..%2fx.json'])
      expect((await app.http(path)).status, path).toBe(404);
    // Bytes that are not those of their name are not served as them.
    await app.storage.write(`token-files/${summary?.metadata?.hash}.json`, Buffer.from('{}'), 'application/json');
    expect((await app.http(new URL(made.metadataUrl).pathname)).status).toBe(404);
  });

  it('are never a link to what can change: a picture that can’t be copied is refused, or left out', async () => {
    await app.worker('ethereum');
    const { id, input, order } = await paid({ imageUrl: 'https://example.org/gone.png' });
    await expect(api.proposeToken(input)).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
      data: { why: 'unreachable' },
    });
    expect((await order()).proposals).toEqual([]);
    await api.proposeToken({ ...input, withoutPicture: true });
    const [row] = await app.sql<{ metadata: { image: string } }>(
      'select metadata from token_proposals where submission_id = $1',
      [id],
    );
    expect(row?.metadata.image).toBe('');
  });
});

describe('a token that is not as it was paid for', () => {
  const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

  it.each([
    ['ownerWallet', { ownerWallet: OTHER }],
    ['tokenName', { tokenName: 'Ajolotes' }],
    ['tokenSymbol', { tokenSymbol: 'AJA', confirmation: 'AJA' }],
    ['network', { network: 'polygon' as const }],
  ])('is refused: %s', async (field, over) => {
    for (const network of ['ethereum', 'polygon']) await app.worker(network);
    const { id, input } = await paid();
    await expect(api.createToken({ ...input, ...over })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { fields: [field], asked: null },
    });
    expect([await rows(id), await acts(id)]).toEqual([[], []]);
  });

  it('is what the request says however its address is written', async () => {
    await app.worker('ethereum');
    const lower = (COMPLETE.ownerWalletAddress ?? '').toLowerCase();
    const { input } = await paid({ ownerWalletAddress: lower });
    expect(await orderToken(input)).toMatchObject({ owner: COMPLETE.ownerWalletAddress });
  });

  it('is made once its payer confirmed exactly that, and not before, nor anything else', async () => {
    await app.worker('ethereum');
    const one = await paid();
    const { id, input, guest, key } = one;
    const swapped = { ...input, ownerWallet: OTHER };
    await api.proposeToken(swapped);
    await expect(api.proposeToken(swapped)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    const mails = await app.deliverMails();
    const mail = mails.find(({ subject }) => subject.includes('Confirma el cambio de tu token'));
    expect(mail?.text).toContain(OTHER);
    await expect(api.createToken(swapped)).rejects.toMatchObject({ data: { fields: ['ownerWallet'], asked: 'open' } });
    const [asked] = (await one.order()).proposals;
    expect(asked).toMatchObject({
      state: 'open',
      ownerWallet: OTHER,
      changed: [{ field: 'ownerWallet', paid: COMPLETE.ownerWalletAddress }],
      answeredAt: null,
    });
    const answer = (said: 'confirmed' | 'declined', proposalId = asked?.id ?? '') =>
      guest.tokenRequests.answerProposal({ id, key, proposalId, answer: said });
    await expect(
      guest.tokenRequests.answerProposal({ id, key: `${key}x`, proposalId: asked?.id ?? '', answer: 'confirmed' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const stranger = await paid();
    await expect(
      stranger.guest.tokenRequests.answerProposal({
        id: stranger.id,
        key: stranger.key,
        proposalId: asked?.id ?? '',
        answer: 'confirmed',
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await prove();

    await answer('declined');
    await expect(answer('confirmed')).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(api.createToken(swapped)).rejects.toMatchObject({ data: { asked: 'declined' } });
    // Another question takes the place of one that waits.
    await api.proposeToken({ ...swapped, totalSupply: '5' });
    await api.proposeToken(swapped);
    const [again, ...before] = (await one.order()).proposals;
    expect(before.map(({ state }) => state)).toEqual(['declined']);
    const answers = await Promise.allSettled([answer('confirmed', again?.id), answer('confirmed', again?.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await prove();
    await expect(api.createToken({ ...swapped, totalSupply: '7' })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { asked: null },
    });
    expect(await api.createToken(swapped)).toMatchObject({ owner: OTHER });
    expect((await one.order()).summary).toMatchObject({ ownerWallet: OTHER, decimals: 18, supply: input.totalSupply });
    await expect(api.proposeToken({ ...swapped, totalSupply: '8' })).rejects.toMatchObject({ code: 'ALREADY_CREATED' });
    expect(await acts(id)).toEqual([
      'token.proposed',
      'token.declined',
      'token.proposed',
      'token.proposed',
      'token.confirmed',
      'token.ordered',
    ]);
  });

  it('keeps question and answer as they were, whatever is written to the table', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await api.proposeToken({ ...input, ownerWallet: OTHER });
    const set = (what: string) => app.sql(`update token_proposals set ${what} where submission_id = $1`, [id]);
    for (const what of [`snapshot = '{}'`, `snapshot_hash = sha256('x')`, `fields = '{network}'`])
      await expect(set(what), what).rejects.toMatchObject({ code: '23001' });
    await expect(set(`state = 'confirmed'`)).rejects.toMatchObject({ code: '23514' });
    await set(`state = 'declined', answered_at = now()`);
    await expect(set(`state = 'confirmed'`)).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql('delete from token_proposals where submission_id = $1', [id])).rejects.toMatchObject({
      code: '23001',
    });
  });
});

describe('an ordered token', () => {
  it('may be corrected while nothing is signed and it stopped, and not after', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await orderToken(input);
    await leave(id, 'failed', 'owner_is_program');
    expect((await api.read({ id })).creation).toMatchObject({ correctable: true, retryable: true });
    const better = { ...input, ownerWallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' };
    await asPaidFor(app, better);
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
    expect(await acts(id)).toEqual([
      ...['token.proposed', 'token.confirmed', 'token.ordered'],
      ...['token.proposed', 'token.confirmed', 'token.ordered', 'token.retried'],
    ]);
  });

  it('does not go on by hand while its payment does not count', async () => {
    await app.worker('ethereum');
    const { id, input, see } = await paid();
    await orderToken(input);
    await leave(id, 'held', 'unreachable');
    await see('refunded');
    await expect(api.retryCreation({ requestId: id })).rejects.toMatchObject({ code: 'NOT_DELIVERABLE' });
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'NOT_DELIVERABLE' });
  });

  it('stays as it was ordered, whatever is written to the tables', async () => {
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
    // Completed without what makes it so, and a completed one that changes.
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

  it('gives a nonce of a key to one creation for ever', async () => {
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

  it('has a request until its token is ordered, and again when the creation stopped', async () => {
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

  it('says that a network needs an operator', async () => {
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
    await app.sql("delete from chain_lanes where network = 'ethereum'");
    expect(await chain()).toEqual([['not_configured']]);
    await app.worker('ethereum', { enough_for: 0 });
    expect(await chain()).toEqual([['low_balance']]);
  });
});
