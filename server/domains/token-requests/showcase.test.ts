import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;

let serial = 0;
/** A request whose token is on its chain. */
async function created(over: object = {}, token: { network?: string; queued?: boolean } = {}) {
  const guest = app.as(null, { address: `10.8.${++serial}.1` });
  const { id } = await guest.tokenRequests.create({ data: { ...COMPLETE, ...over } });
  return { id, ...(await createdToken(app, id, token)) };
}

describe('a created token', () => {
  it('becomes a project, a candidate and a NEXT project with all its data, linked to its request', async () => {
    const { id, address } = await created({
      description: 'Un token de lago.',
      websiteUrl: 'https://ajolote.test',
      twitter: 'https://x.com/ajolote',
      telegram: '@ajolote',
    });
    const project = await back.showcase.add({ requestId: id, resemblanceAccepted: true, as: 'project' });
    app.pass(1_000);
    const candidate = await back.showcase.add({ requestId: id, resemblanceAccepted: true, as: 'candidate' });
    app.pass(1_000);
    const next = await back.showcase.add({ requestId: id, resemblanceAccepted: true, as: 'next' });
    expect(await back.showcase.list({ requestId: id })).toEqual([project, candidate, next]);
    const shared = {
      tokenName: 'Ajolote',
      tokenSymbol: 'AJO',
      contractAddress: address,
      network: 'bnb',
      description: 'Un token de lago.',
      websiteUrl: 'https://ajolote.test',
      twitterUrl: 'https://x.com/ajolote',
      telegramUrl: null,
    };
    for (const { slug } of [project, candidate, next])
      expect(await app.as(null).tokens.find({ slug })).toMatchObject(shared);
    expect((await app.as(null).tokens.find({ slug: candidate.slug })).maxSupply).toBe(1_000);
  });

  it('keeps its symbol if that would be too long in upper case, and its links as they were typed', async () => {
    const { id } = await created({ websiteUrl: 'HTTP://AJOLOTE.TEST' });
    // Triggers protect the signer's row. The symbol is one that a chain accepts: ten bytes.
    const symbol = 'ΐ'.repeat(5);
    await app.sql('alter table token_creations disable trigger user');
    await app.sql(
      `update token_creations set snapshot = snapshot || $2::jsonb, snapshot_hash = token_snapshot_hash(snapshot || $2::jsonb)
       where submission_id = $1`,
      [id, JSON.stringify({ symbol })],
    );
    await app.sql('alter table token_creations enable trigger user');
    for (const as of ['project', 'candidate', 'next'] as const) {
      const { slug } = await back.showcase.add({ requestId: id, resemblanceAccepted: true, as });
      expect(await app.as(null).tokens.find({ slug })).toMatchObject({
        tokenSymbol: symbol,
        websiteUrl: 'HTTP://AJOLOTE.TEST',
      });
    }
  });

  it('is added to a list once, also by concurrent admins, and again when its entry is in the trash', async () => {
    const { id } = await created();
    const colleague = app.as(await app.member({ role: 'admin' })).admin;
    const all = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        (n % 2 ? back : colleague).showcase.add({ requestId: id, resemblanceAccepted: true, as: 'next' }),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'ALREADY_DONE' });
    const [made] = await back.showcase.list({ requestId: id });
    await back.nextProjects.remove({ id: made?.id ?? '', version: 1 });
    app.pass(1_000);
    await back.showcase.add({ requestId: id, resemblanceAccepted: true, as: 'next' });
    expect((await back.showcase.list({ requestId: id })).map(({ deleted }) => deleted)).toEqual([true, false]);
  });

  it('can be shown only once it is created', async () => {
    const { id } = await created({}, { queued: true });
    const records = () =>
      app.sql(
        'select id from projects union all select id from voting_candidates union all select id from next_projects',
      );
    const before = await records();
    for (const as of ['project', 'candidate', 'next'] as const)
      await expect(back.showcase.add({ requestId: id, resemblanceAccepted: true, as })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    expect(await back.showcase.list({ requestId: id })).toEqual([]);
    expect(await records()).toHaveLength(before.length);
  });

  it('has its facts on every token page with its address, also on one that was created by hand', async () => {
    const { id, address, transaction } = await created({}, { network: 'ethereum' });
    const creation = {
      network: 'ethereum',
      address,
      transaction,
      transactionUrl: `https://explorer.test/tx/${transaction}`,
      addressUrl: `https://explorer.test/token/${address}`,
      createdAt: '2026-03-01T00:00:00.000Z',
      supply: '1000',
      ownerShare: 100,
      mintRevoked: true,
      freezeRevoked: true,
      metadataLocked: true,
      filesHashed: true,
      simulation: true,
      readAt: '2026-03-01T00:00:00.000Z',
      again: null,
      sourceVerifiedAt: null,
    };
    const byHand = await app.project({
      contract_address: address.toUpperCase().replace('0X', '0x'),
      network: 'ethereum',
    });
    const slugs = [byHand.id];
    for (const as of ['project', 'candidate', 'next'] as const)
      slugs.push((await back.showcase.add({ requestId: id, resemblanceAccepted: true, as })).slug);
    for (const slug of slugs) {
      const { facts, sources, maxSupply } = await app.as(null).tokens.find({ slug });
      expect(facts.creation).toEqual(creation);
      expect(sources.maxSupply).toMatchObject({ source: 'chain' });
      expect(maxSupply).toBe(1_000);
    }
  });

  it('has public metadata for wallets, and a request without a token has none', async () => {
    const { id } = await created();
    const answer = await app.http(`/token-metadata/${id}.json`);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await answer.json()).toEqual({ name: 'Ajolote', symbol: 'Ajo', description: 'Un token', image: '' });
    const draft = await app.as(null, { address: '10.8.99.1' }).tokenRequests.create({ data: COMPLETE });
    expect((await app.http(`/token-metadata/${draft.id}.json`)).status).toBe(404);
  });
});
