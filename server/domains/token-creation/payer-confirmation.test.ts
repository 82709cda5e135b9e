import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { notifyCreatedJob } from '#server/jobs/tokens/notify-created.job.ts';
import { contentHash } from '#server/lib/pinned-files.ts';
import { admin, api, app, auditActions, fetched, orderToken, paid, prove, rows } from '#tests/fixtures/token-orders.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { payerConfirms } from '#tests/support/payments/payer-confirms.ts';
import { halvesImage } from '#tests/support/samples/images.ts';
import { remindPayers } from './proposals.service.ts';

describe('a summary that its payer confirms', () => {
  it('is required before every creation, also when nothing differs, and becomes the order', async () => {
    await app.worker('ethereum');
    const one = await paid();
    const { id, input, guest, key } = one;
    await expect(api.createToken(input)).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { fields: [], proposal: null },
    });
    await api.proposeToken(input);
    await expect(api.proposeToken(input)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(api.createToken(input)).rejects.toMatchObject({ data: { fields: [], proposal: 'open' } });
    const mail = (await app.deliverMails()).find(
      ({ text }) => text.includes(`/order/${id}#`) && text.includes('resumen'),
    );
    expect(mail?.subject).toContain('Confirma los datos de tu token');
    expect(mail?.text).toContain(input.ownerWallet);
    const [proposal] = (await one.order()).proposals;
    expect(proposal).toMatchObject({
      state: 'open',
      changed: [],
      supply: '1000000000',
      decimals: 18,
      authorities: 'none',
      picture: null,
      metadata: { description: 'Un token de lago.', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ownerWallet: COMPLETE.ownerWalletAddress,
    });
    await guest.tokenRequests.answerProposal({ id, key, proposalId: proposal?.id ?? '', answer: 'confirmed' });
    await prove();
    await expect(api.createToken({ ...input, description: 'Otro.' })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
    });
    expect(await api.createToken(input)).toMatchObject({ snapshotHash: proposal?.hash });
    const [row] = await rows(id);
    expect(row?.proposal_id).toBe(proposal?.id);
    expect((await one.order()).summary).toMatchObject({ hash: proposal?.hash, metadata: proposal?.metadata });
  });

  it('replaces the previous one once it is confirmed, and not if it is declined', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await payerConfirms(app, api, input);
    const more = { ...input, totalSupply: '5' };
    await payerConfirms(app, api, more);
    await prove();
    await expect(api.createToken(input)).rejects.toMatchObject({ code: 'PAYER_CONFIRMATION' });
    // Declining another proposal reverts nothing.
    await payerConfirms(app, api, { ...input, totalSupply: '6' }, 'declined');
    await prove();
    expect(await api.createToken(more)).toMatchObject({ supply: '5' });
    expect(await rows(id)).toHaveLength(1);
  });

  it('is required for every order by the database', async () => {
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

  it('is shown as open in the inbox, and its payer is reminded once', async () => {
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

  it('gets its reminder even if the notifications of created tokens fail', async () => {
    await app.worker('ethereum');
    const { id, input } = await paid();
    await api.proposeToken(input);
    app.pass(73 * 3_600_000);
    const reading = vi.spyOn(app.services.db, 'select').mockImplementationOnce(() => {
      throw new Error('not these');
    });
    const about = { services: app.services, log: pino({ level: 'silent' }) };
    await expect(notifyCreatedJob({}, about, { jobId: randomUUID(), attempt: 1, last: false })).rejects.toThrow(
      'not these',
    );
    reading.mockRestore();
    expect(await app.sql('select reminded_at from token_proposals where submission_id = $1', [id])).toEqual([
      { reminded_at: app.now },
    ]);
  });
});

describe('a proposal while a token is ordered', () => {
  const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
  const stop = (id: string) =>
    app.sql(
      "update token_creations set state = 'held', problem = 'unreachable', stage = 'stopped', next_try_at = null where submission_id = $1",
      [id],
    );
  const answer = async (one: Awaited<ReturnType<typeof paid>>, decision: 'confirmed' | 'declined') => {
    const [open] = await app.sql<{ id: string }>(
      'select id from token_proposals where submission_id = $1 order by proposed_at desc limit 1',
      [one.id],
    );
    const { id, key } = one;
    return one.guest.tokenRequests.answerProposal({ id, key, proposalId: open?.id ?? '', answer: decision });
  };

  it('that is confirmed with other data prevents a retry of the former order, and is the only one shown', async () => {
    await app.worker('ethereum');
    const one = await paid();
    await orderToken(one.input);
    await stop(one.id);
    const better = { ...one.input, ownerWallet: OTHER };
    await payerConfirms(app, api, better);
    await prove();
    await expect(api.retryCreation({ requestId: one.id })).rejects.toMatchObject({ code: 'PROPOSAL_CHANGED' });
    expect((await rows(one.id))[0]).toMatchObject({ state: 'held' });
    expect((await one.order()).proposals).toMatchObject([{ state: 'confirmed', ownerWallet: OTHER }]);
    expect(await api.createToken(better)).toMatchObject({ state: 'queued', owner: OTHER });
    await stop(one.id);
    expect(await api.retryCreation({ requestId: one.id })).toMatchObject({ state: 'queued', owner: OTHER });
  });

  it.each(['resumed', 'ordered'] as const)('ends when the token of the previous confirmation is %s', async (how) => {
    await app.worker('ethereum');
    const one = await paid();
    if (how === 'resumed') {
      await orderToken(one.input);
      await stop(one.id);
    } else await payerConfirms(app, api, one.input);
    app.pass(1_000);
    await api.proposeToken({ ...one.input, ownerWallet: OTHER });
    expect((await one.order()).proposals).toMatchObject([{ state: 'open' }, { state: 'confirmed' }]);
    await prove();
    if (how === 'resumed') await api.retryCreation({ requestId: one.id });
    else await api.createToken(one.input);
    expect((await one.order()).proposals).toMatchObject([{ state: 'confirmed', ownerWallet: one.input.ownerWallet }]);
    await expect(answer(one, 'confirmed')).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect((await rows(one.id))[0]).toMatchObject({ state: 'queued' });
  });

  it('of a closed request gets no reminder until the request is reopened', async () => {
    await app.worker('ethereum');
    const one = await paid();
    await api.proposeToken(one.input);
    await api.close({ id: one.id, as: 'cancelled', note: 'No se puede crear.' });
    await app.deliverMails();
    app.pass(73 * 3_600_000);
    const { db, jobs } = app.services;
    const reminded = async () => {
      await remindPayers(db, { jobs, secret: app.secret }, app.now);
      return (await app.deliverMails()).filter(
        ({ subject, text }) => subject.includes('Recordatorio') && text.includes(`/order/${one.id}#`),
      ).length;
    };
    expect(await reminded()).toBe(0);
    expect((await one.order()).stage).toBe('closed');
    await prove();
    await api.reopen({ id: one.id });
    expect(await one.order()).toMatchObject({ stage: 'paid', proposals: [{ state: 'open', remindedAt: null }] });
    expect(await reminded()).toBe(1);
  });
});

describe('the files of a token', () => {
  it('are copied with the proposal, named by their hash, and served unchanged', async () => {
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
    const content = JSON.parse(bytes.toString());
    expect(content).toEqual({
      name: 'Ajolote',
      symbol: 'AJO',
      description: 'Un token de lago.',
      image: `http://florka.test${summary?.picture?.path}`,
    });
    const picture = await app.http(summary?.picture?.path ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(contentHash(Buffer.from(await picture.arrayBuffer()))).toBe(summary?.picture?.hash);
    // Later changes of that address and of the request have no effect.
    fetched.delete('https://example.org/a.png');
    await app.sql(`update token_creation_submissions set token_data = token_data || '{"imageUrl":""}' where id = $1`, [
      id,
    ]);
    expect((await app.http(summary?.picture?.path ?? '')).status).toBe(200);
    for (const path of ['/token-files/x.png', `/token-files/${'0'.repeat(64)}.png`, '/token-files/..%2fx.json'])
      expect((await app.http(path)).status, path).toBe(404);
    // Bytes that do not match the hash in their name are not served.
    await app.storage.write(`token-files/${summary?.metadata?.hash}.json`, Buffer.from('{}'), 'application/json');
    expect((await app.http(new URL(made.metadataUrl).pathname)).status).toBe(404);
  });

  it('never link to a mutable image: one that can’t be copied is refused, or left out', async () => {
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

describe('a token that differs from the paid request', () => {
  const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

  it.each([
    ['ownerWallet', { ownerWallet: OTHER }],
    ['tokenName', { tokenName: 'Ajolotes' }],
    ['tokenSymbol', { tokenSymbol: 'AJA', confirmation: 'AJA' }],
    ['network', { network: 'polygon' as const }],
  ])('is refused without a confirmation of its payer: %s', async (field, over) => {
    for (const network of ['ethereum', 'polygon']) await app.worker(network);
    const { id, input } = await paid();
    await expect(api.createToken({ ...input, ...over })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { fields: [field], proposal: null },
    });
    expect([await rows(id), await auditActions(id)]).toEqual([[], []]);
  });

  it('is not one whose address differs in upper and lower case only', async () => {
    await app.worker('ethereum');
    const lower = (COMPLETE.ownerWalletAddress ?? '').toLowerCase();
    const { input } = await paid({ ownerWalletAddress: lower });
    expect(await orderToken(input)).toMatchObject({ owner: COMPLETE.ownerWalletAddress });
  });

  it('is created only once its payer confirmed exactly its data', async () => {
    await app.worker('ethereum');
    const one = await paid();
    const { id, input, guest, key } = one;
    const swapped = { ...input, ownerWallet: OTHER };
    await api.proposeToken(swapped);
    await expect(api.proposeToken(swapped)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    const mails = await app.deliverMails();
    const mail = mails.find(({ subject }) => subject.includes('Confirma el cambio de tu token'));
    expect(mail?.text).toContain(OTHER);
    await expect(api.createToken(swapped)).rejects.toMatchObject({
      data: { fields: ['ownerWallet'], proposal: 'open' },
    });
    const [proposal] = (await one.order()).proposals;
    expect(proposal).toMatchObject({
      state: 'open',
      ownerWallet: OTHER,
      changed: [{ field: 'ownerWallet', paid: COMPLETE.ownerWalletAddress }],
      answeredAt: null,
    });
    const answer = (decision: 'confirmed' | 'declined', proposalId = proposal?.id ?? '') =>
      guest.tokenRequests.answerProposal({ id, key, proposalId, answer: decision });
    await expect(
      guest.tokenRequests.answerProposal({ id, key: `${key}x`, proposalId: proposal?.id ?? '', answer: 'confirmed' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const stranger = await paid();
    await expect(
      stranger.guest.tokenRequests.answerProposal({
        id: stranger.id,
        key: stranger.key,
        proposalId: proposal?.id ?? '',
        answer: 'confirmed',
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await prove();

    await answer('declined');
    await expect(answer('confirmed')).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(api.createToken(swapped)).rejects.toMatchObject({ data: { proposal: 'declined' } });
    // Another proposal replaces a waiting one.
    await api.proposeToken({ ...swapped, totalSupply: '5' });
    await api.proposeToken(swapped);
    const [again, ...before] = (await one.order()).proposals;
    expect(before.map(({ state }) => state)).toEqual(['declined']);
    const answers = await Promise.allSettled([answer('confirmed', again?.id), answer('confirmed', again?.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await prove();
    await expect(api.createToken({ ...swapped, totalSupply: '7' })).rejects.toMatchObject({
      code: 'PAYER_CONFIRMATION',
      data: { proposal: null },
    });
    expect(await api.createToken(swapped)).toMatchObject({ owner: OTHER });
    expect((await one.order()).summary).toMatchObject({ ownerWallet: OTHER, decimals: 18, supply: input.totalSupply });
    await expect(api.proposeToken({ ...swapped, totalSupply: '8' })).rejects.toMatchObject({ code: 'ALREADY_CREATED' });
    expect(await auditActions(id)).toEqual([
      'token.proposed',
      'token.declined',
      'token.proposed',
      'token.proposed',
      'token.confirmed',
      'token.ordered',
    ]);
  });

  it('has a proposal and an answer that cannot be changed by writes to the table', async () => {
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
