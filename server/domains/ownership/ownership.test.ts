import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import type { TokenRecord } from '#contract/ownership.ts';
import { COMPLETE } from '#tests/support/complete-draft.ts';
import { createdToken } from '#tests/support/created-token.ts';
import { startProofWorld } from '#tests/support/proof-world.ts';
import { type Person, startTestApp } from '#tests/support/test-app.ts';
import { createProofLooks } from './looks.service.ts';
import { hostOf } from './places.policy.ts';
import { checkProofs } from './recheck.service.ts';

const world = await startProofWorld();
afterAll(() => world.close());
const app = await startTestApp({ proofs: world.looks });
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
let serial = 0;
const domain = () => `creator-${++serial}.example.org`;

const DAY = 86_400_000;
const visitor = app.as();
const verifiedOf = async ({ id }: TokenRecord) => (await visitor.tokens.find({ slug: id })).verified;
const runJob = () => checkProofs({ db: app.services.db, looks: world.looks, now: app.now });

/** A project that a member with a confirmed mailbox asked for. */
async function published(over: { host?: string; kind?: 'project' | 'next'; verified?: boolean } = {}) {
  const host = over.host ?? domain();
  const creator = await app.member({ verified: over.verified ?? true });
  const kind = over.kind ?? 'project';
  const links = { website_url: `https://${host}/start`, telegram_url: 'https://t.me/x' };
  const { id } = await (kind === 'project' ? app.project(links) : app.nextProject(links));
  await app.sql(
    `insert into project_submissions (submitter_name, submitter_email, status, ${kind === 'project' ? 'project_id' : 'next_project_id'})
     values ('x', $1, 'approved', $2)`,
    [creator.email.toUpperCase(), id],
  );
  const record = { kind, id } as const;
  return { host, creator, api: app.as(creator), record };
}

/** A token that was made here for a member, shown as a candidate, and the wallet that it was made for. */
async function created(network: 'ethereum' | 'solana' = 'ethereum') {
  const creator = await app.member();
  const wallet = network === 'solana' ? solanaWallet() : evmWallet();
  const { id: requestId } = await app.as(creator).tokenRequests.create({ data: { ...COMPLETE } });
  const address = network === 'solana' ? solanaWallet().address : undefined;
  await createdToken(app, requestId, { network, owner: wallet.address, ...(address ? { address } : {}) });
  const made = await back.showcase.add({ requestId, as: 'candidate', resemblanceAccepted: true });
  return { creator, api: app.as(creator), wallet, record: { kind: 'candidate', id: made.id } as const, requestId };
}

function evmWallet() {
  const account = privateKeyToAccount(generatePrivateKey());
  return {
    address: account.address as string,
    sign: (message: string) => account.signMessage({ message }) as Promise<string>,
  };
}
function solanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: base58.encode(raw),
    sign: async (message: string) => `0x${sign(null, Buffer.from(message), privateKey).toString('hex')}`,
  };
}

/** Proves a token in one way, and leaves what proves it in place. */
async function proven(over: Parameters<typeof published>[0] & { method?: 'dns' | 'file' } = {}) {
  const { method = 'file', ...rest } = over;
  const made = await published(rest);
  const proof = await made.api.ownership.start({ ...made.record, method });
  if (method === 'file') world.files.set(made.host, `hello\r\n ${proof.content}\r\n`);
  else world.dns.records.set(proof.place ?? '', [['v=spf1 -all'], [proof.content ?? '']]);
  await made.api.ownership.check({ id: proof.id });
  return { ...made, proof };
}

describe('a proof by the name system', () => {
  it('is a TXT record below the domain of the website, whatever else stands there, in parts or not', async () => {
    const { host, api, record } = await published({ host: `www.${domain()}` });
    const bare = host.replace('www.', '');
    const proof = await api.ownership.start({ ...record, method: 'dns' });
    expect(proof).toMatchObject({ state: 'pending', subject: bare, place: `_florka.${bare}` });
    expect(proof.content).toMatch(/^florka-verification=[\w-]{32}$/);
    expect(await verifiedOf(record)).toEqual([]);
    const check = () => api.ownership.check({ id: proof.id });
    const refused = (why: string) => ({ code: 'PROOF_NOT_FOUND', data: { why } });
    await expect(check()).rejects.toMatchObject(refused('missing'));
    world.dns.records.set(`_florka.${bare}`, 'none');
    await expect(check()).rejects.toMatchObject(refused('missing'));
    world.dns.records.set(`_florka.${bare}`, [['v=spf1 -all']]);
    await expect(check()).rejects.toMatchObject(refused('missing'));
    world.dns.records.set(`_florka.${bare}`, [['florka-verification=of-somebody-else']]);
    await expect(check()).rejects.toMatchObject(refused('other'));
    expect(await verifiedOf(record)).toEqual([]);
    const text = proof.content ?? '';
    world.dns.records.set(`_florka.${bare}`, [['x'], [text.slice(0, 9), text.slice(9)]]);
    expect(await check()).toMatchObject({ state: 'valid', provenAt: app.now.toISOString() });
    expect(await verifiedOf(record)).toEqual([{ by: 'dns', what: bare, at: app.now.toISOString() }]);
    expect(world.dns.asked).toContain(`_florka.${bare}`);
  });

  it('says when nobody answers', async () => {
    const { host, api, record } = await published();
    const proof = await api.ownership.start({ ...record, method: 'dns' });
    world.dns.records.set(`_florka.${host}`, 'silent');
    await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({ data: { why: 'slow' } });
  }, 30_000);
});

describe('a proof by a file', () => {
  it('is a line of a text on the website itself', async () => {
    const { host, api, record } = await published();
    const proof = await api.ownership.start({ ...record, method: 'file' });
    expect(proof.place).toBe(`https://${host}/.well-known/florka.txt`);
    const check = () => api.ownership.check({ id: proof.id });
    const refused = (why: string) => ({ code: 'PROOF_NOT_FOUND', data: { why } });
    await expect(check()).rejects.toMatchObject(refused('missing'));
    world.files.set(host, `${proof.content}x`);
    await expect(check()).rejects.toMatchObject(refused('other'));
    world.files.set(host, (_req, res) => res.writeHead(302, { location: 'https://169.254.169.254/' }).end());
    await expect(check()).rejects.toMatchObject(refused('redirect'));
    world.files.set(host, (_req, res) => res.writeHead(500).end());
    await expect(check()).rejects.toMatchObject(refused('unreachable'));
    world.files.set(host, `${'x\n'.repeat(9_000)}${proof.content}`);
    await expect(check()).rejects.toMatchObject(refused('large'));
    expect(await verifiedOf(record)).toEqual([]);
    world.files.set(host, `# Florka\n${proof.content}\n`);
    await check();
    expect(await verifiedOf(record)).toEqual([{ by: 'file', what: host, at: app.now.toISOString() }]);
    expect(world.fetched.every((address) => address.endsWith('/.well-known/florka.txt'))).toBe(true);
  });

  it('is asked of public machines only: names that lead inside are refused before a connection', async () => {
    const looks = createProofLooks();
    expect(await looks.look('file', '127.0.0.1', 'x')).toBe('private');
    expect(await looks.look('file', 'localhost', 'x')).toBe('private');
    expect(await looks.look('file', '169.254.169.254', 'x')).toBe('private');
  });
});

it.each([
  ['https://Example.org/a', 'example.org'],
  ['http://shop.example.org.:8080', 'shop.example.org'],
  ['https://ejemplo.españa.es', 'ejemplo.xn--espaa-rta.es'],
  [null, null],
  ['https://localhost', null],
  ['https://127.0.0.1/', null],
  ['https://2130706433/', null],
  ['https://[::1]/', null],
  ['ftp://example.org', null],
  ['javascript:alert(1)', null],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`, null],
])('the host of %s is %s', (url, host) => expect(hostOf(url)).toBe(host));

describe('a proof by a wallet', () => {
  it.each(['ethereum', 'solana'] as const)('of %s is the signature of whom the token was made for', async (network) => {
    const { api, wallet, record } = await created(network);
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'yes', walletNetwork: network });
    const asked = await api.ownership.startWallet({ ...record, address: wallet.address });
    expect(asked.message).toContain('florka.test wants you to sign in with your');
    expect(asked.message).toContain(wallet.address);
    const signature = await wallet.sign(asked.message);
    expect(await api.ownership.proveWallet({ nonce: asked.nonce, signature })).toMatchObject({
      method: 'wallet',
      state: 'valid',
      subject: wallet.address,
      place: null,
    });
    expect(await verifiedOf(record)).toEqual([{ by: 'wallet', what: wallet.address, at: app.now.toISOString() }]);
    // Once is once.
    await expect(api.ownership.proveWallet({ nonce: asked.nonce, signature })).rejects.toMatchObject({
      code: 'WALLET_REFUSED',
      data: { why: 'used' },
    });
  });

  it('is refused of another wallet, another text, another session, and when it is old', async () => {
    const { creator, api, wallet, record } = await created();
    const other = evmWallet();
    await expect(api.ownership.startWallet({ ...record, address: other.address })).rejects.toMatchObject({
      code: 'PROOF_IMPOSSIBLE',
      data: { why: 'address' },
    });
    await expect(api.ownership.startWallet({ ...record, address: '0x12' })).rejects.toMatchObject({
      code: 'PROOF_IMPOSSIBLE',
    });
    const asked = await api.ownership.startWallet({ ...record, address: wallet.address });
    const refused = (why: string) => ({ code: 'WALLET_REFUSED', data: { why } });
    const prove = async (message: string, by = wallet, from = api) =>
      from.ownership.proveWallet({ nonce: asked.nonce, signature: await by.sign(message) });
    await expect(prove(asked.message, other)).rejects.toMatchObject(refused('signature'));
    // As signed for another site, chain, moment or nonce: the text that counts is ours.
    for (const [from, to] of [
      ['florka.test', 'fl0rka.test'],
      ['Chain ID: 1', 'Chain ID: 56'],
      ['Issued At: 2026', 'Issued At: 2025'],
      [asked.nonce, asked.nonce.replace(/./, 'f').replace(/.$/, '0')],
      ['I answer', 'I answered'],
    ] as const) {
      expect(asked.message).toContain(from);
      await expect(prove(asked.message.replaceAll(from, to))).rejects.toMatchObject(refused('signature'));
    }
    // Somebody else, and the same member in another browser.
    const thief = app.as(await app.member());
    await expect(prove(asked.message, wallet, thief)).rejects.toMatchObject(refused('used'));
    const [session] = await app.sql<{ token: string }>(
      `insert into sessions (user_id, token, expires_at, updated_at) values ($1, $2, now() + interval '1 day', $3) returning token`,
      [creator.id, `second-session-of-${creator.username}`, app.now],
    );
    expect(session).toBeDefined();
    await app.sql(`update wallet_challenges set browser_hash = '\\x00' where nonce = $1`, [asked.nonce]);
    await expect(prove(asked.message)).rejects.toMatchObject(refused('used'));
    const again = await api.ownership.startWallet({ ...record, address: wallet.address });
    const signature = await wallet.sign(again.message);
    app.pass(5 * 60_000);
    await expect(api.ownership.proveWallet({ nonce: again.nonce, signature })).rejects.toMatchObject(refused('used'));
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('is not possible where nobody here knows whose the contract is', async () => {
    const { api, record } = await published();
    expect(await api.ownership.mine(record)).toMatchObject({ walletNetwork: null });
    const address = evmWallet().address;
    await expect(api.ownership.startWallet({ ...record, address })).rejects.toMatchObject({
      data: { why: 'contract' },
    });
    await app.sql(`update projects set contract_address = $2, network = 'ethereum' where id = $1`, [
      record.id,
      address,
    ]);
    await expect(api.ownership.startWallet({ ...record, address })).rejects.toMatchObject({ data: { why: 'unknown' } });
  });
});

describe('who may prove', () => {
  it('is who asked for the publication with a confirmed mailbox, or paid for the token; nobody else', async () => {
    const { record, api, creator } = await published({ verified: false });
    const stranger = app.as(await app.member({ verified: true }));
    expect(await stranger.ownership.mine(record)).toMatchObject({ may: 'no', proofs: [] });
    await expect(stranger.ownership.start({ ...record, method: 'dns' })).rejects.toMatchObject({
      code: 'NOT_CREATOR',
      data: { why: 'other' },
    });
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'unconfirmed' });
    await expect(api.ownership.start({ ...record, method: 'dns' })).rejects.toMatchObject({
      data: { why: 'unconfirmed' },
    });
    await app.sql('update users set email_verified = true where id = $1', [creator.id]);
    const proof = await api.ownership.start({ ...record, method: 'dns' });
    expect((await api.ownership.start({ ...record, method: 'dns' })).id).toBe(proof.id);
    await expect(stranger.ownership.check({ id: proof.id })).rejects.toMatchObject({ code: 'NOT_CREATOR' });
    await expect(stranger.ownership.giveUp({ id: proof.id })).rejects.toMatchObject({ code: 'NOT_CREATOR' });
    await api.ownership.giveUp({ id: proof.id });
    await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not who merely sent a request that was not approved', async () => {
    const { record, api } = await published();
    await app.sql(`update project_submissions set status = 'rejected' where project_id = $1`, [record.id]);
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'no' });
  });

  it('includes admins, for the creator; a launch that won its round belongs to whom its candidate belongs', async () => {
    const { api, record } = await created();
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, closed_at, winner_candidate_id)
       values ($1, 'closed', now() - interval '2 days', now() - interval '1 day', now() - interval '1 day', $2) returning id`,
      [9_000 + ++serial, record.id],
    );
    const next = await app.nextProject({ voting_round_id: round?.id, website_url: `https://${domain()}` });
    expect(await api.ownership.mine({ kind: 'next', id: next.id })).toMatchObject({ may: 'yes' });
    const begun = await back.ownership.start({ kind: 'next', id: next.id, method: 'file' });
    world.files.set(begun.subject, begun.content ?? '');
    expect(await back.ownership.check({ id: begun.id })).toMatchObject({ state: 'valid' });
    expect((await back.ownership.list({ q: String(next['token_name']) })).rows).toMatchObject([
      { id: begun.id, kind: 'next', recordId: next.id, state: 'valid', startedBy: admin.username },
    ]);
  });
});

/** One character of each field that a proof is about. */
const FIELDS: Record<TokenRecord['kind'], readonly string[]> = {
  project: [
    'token_name',
    'token_symbol',
    'token_address',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
  candidate: [
    'token_name',
    'token_symbol',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
  next: [
    'token_name',
    'token_symbol',
    'token_address',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
};
const TABLES = { project: 'projects', candidate: 'voting_candidates', next: 'next_projects' } as const;

/** A record with a proof that holds, as if it had been proven. */
async function marked(kind: TokenRecord['kind']): Promise<{ record: TokenRecord; creator: Person }> {
  const creator = await app.member();
  const links = {
    website_url: `https://${domain()}`,
    telegram_url: 'https://t.me/a',
    twitter_url: 'https://x.com/a',
    discord_url: 'https://discord.gg/a',
    image_url: 'https://images.example/a.png',
  };
  const over = { ...links, contract_address: `0x${String(++serial).padStart(40, 'c')}` };
  const { id } = await (kind === 'project'
    ? app.project(over)
    : kind === 'next'
      ? app.nextProject({ ...over, token_address: `at-${serial}` })
      : app.candidate(over));
  const column = { project: 'project_id', candidate: 'candidate_id', next: 'next_project_id' }[kind];
  await app.sql(
    `insert into ownership_proofs (${column}, method, subject, token, state, started_at, started_by, proven_at, checked_at, next_check_at, expires_at)
     values ($1, 'file', 'a.example.org', 'x', 'valid', $2, $3, $2, $2, $2::timestamptz + interval '1 day', $2::timestamptz + interval '180 days')`,
    [id, app.now, creator.id],
  );
  return { record: { kind, id }, creator };
}
/** The site's own role, past every service. */
const asSite = (text: string, values: unknown[]) => app.services.pool.query(text, values);

describe('one changed character takes the mark away, in the transaction of the change', () => {
  it.each(
    Object.entries(FIELDS).flatMap(([kind, fields]) =>
      fields.map((field) => [kind as TokenRecord['kind'], field] as const),
    ),
  )('%s: %s, also by a statement of the site’s role past every service', async (kind, field) => {
    const { record } = await marked(kind);
    expect(await verifiedOf(record)).toHaveLength(1);
    const client = await app.services.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update ${TABLES[kind]} set ${field} = ${field} || 'x' where id = $1`, [record.id]);
      const { rows } = await client.query(
        `select state, end_reason from ownership_proofs where coalesce(project_id, candidate_id, next_project_id) = $1`,
        [record.id],
      );
      // Seen before the commit: there is no moment with the new value and the mark.
      expect(rows).toEqual([{ state: 'ended', end_reason: 'changed' }]);
      await client.query('rollback');
      expect(await verifiedOf(record)).toHaveLength(1);
    } finally {
      client.release();
    }
    await asSite(`update ${TABLES[kind]} set ${field} = ${field} || 'x' where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it.each(['project', 'candidate', 'next'] as const)('%s: network', async (kind) => {
    const { record } = await marked(kind);
    await asSite(`update ${TABLES[kind]} set network = 'polygon' where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by the editor of the back office, whichever kind', async () => {
    for (const kind of ['project', 'next'] as const) {
      const { record } = await marked(kind);
      const api = kind === 'project' ? back.projects : back.nextProjects;
      await api.update({ id: record.id, version: 1, description: 'Otra.' });
      expect(await verifiedOf(record)).toHaveLength(1);
      await api.update({ id: record.id, version: 2, discordUrl: 'https://discord.gg/b', resemblanceAccepted: true });
      expect(await verifiedOf(record)).toEqual([]);
    }
    const { record } = await marked('candidate');
    const {
      id: _id,
      createdAt,
      updatedAt,
      deletedAt,
      tokenSlug,
      totalVotes,
      votesToday,
      wonRound,
      resetId,
      resetAt,
      resetVotes,
      ...fields
    } = (await back.candidates.list({})).rows.find(({ id }) => id === record.id) as never as Record<string, never>;
    await back.candidates.update({
      ...(fields as object),
      id: record.id,
      tokenSymbol: 'CANE',
      resemblanceAccepted: true,
    } as never);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by the way back to an earlier version', async () => {
    const { record } = await marked('project');
    await back.projects.update({ id: record.id, version: 1, tokenName: 'Otro nombre' });
    const { versions } = await back.editorial.versions({ kind: 'project', id: record.id });
    await app.sql(
      `insert into ownership_proofs (project_id, method, subject, token, state, started_at, proven_at, next_check_at, expires_at)
       values ($1, 'file', 'b.example.org', 'y', 'valid', $2, $2, $2::timestamptz + interval '1 day', $2::timestamptz + interval '180 days')`,
      [record.id, app.now],
    );
    expect(await verifiedOf(record)).toHaveLength(1);
    const first = Math.min(...versions.map(({ version }) => version));
    await back.editorial.restoreVersion({ kind: 'project', id: record.id, version: 2, restore: first });
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by a statement about many', async () => {
    const records = await Promise.all([marked('next'), marked('next'), marked('next')]);
    const ids = records.map(({ record }) => record.id);
    await asSite(`update next_projects set website_url = 'https://elsewhere.example.org' where id = any($1)`, [ids]);
    for (const { record } of records) expect(await verifiedOf(record)).toEqual([]);
  });

  it('and not by what the proof is not about', async () => {
    const { record } = await marked('candidate');
    await asSite(
      `update voting_candidates set description = 'x', price = 2, order_index = 7, total_votes = 3 where id = $1`,
      [record.id],
    );
    await asSite(`update voting_candidates set token_name = token_name where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toHaveLength(1);
  });

  it('for good: nothing brings a proof that ended back, or bends what it is about', async () => {
    const { record } = await marked('project');
    for (const change of [`subject = 'evil.example.org'`, `method = 'dns'`, `token = 'z'`])
      await expect(asSite(`update ownership_proofs set ${change} where project_id = $1`, [record.id])).rejects.toThrow(
        /kept as it was/,
      );
    await asSite(`update projects set token_name = 'Y' where id = $1`, [record.id]);
    await expect(
      asSite(`update ownership_proofs set state = 'valid', ended_at = null, end_reason = null where project_id = $1`, [
        record.id,
      ]),
    ).rejects.toThrow(/kept as it was/);
    await expect(asSite('delete from ownership_proofs where project_id = $1', [record.id])).rejects.toThrow(
      /permission denied/,
    );
  });

  it('also while somebody looks for the proof: the change wins', async () => {
    const { host, api, record } = await published();
    const proof = await api.ownership.start({ ...record, method: 'file' });
    world.files.set(host, (_req, res) => {
      void asSite(`update projects set token_symbol = 'OTHER' where id = $1`, [record.id]).then(() =>
        res.end(proof.content),
      );
    });
    await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({
      code: 'PROOF_NOT_FOUND',
      data: { why: 'changed' },
    });
    expect(await verifiedOf(record)).toEqual([]);
  });
});

describe('who is told', () => {
  const noticesOf = async (person: Person, detail: string) =>
    (await app.as(person).notifications.list({})).items.filter((one) => one.detail === detail);

  it('followers and the creator, once, however it ended', async () => {
    const { record, creator } = await proven();
    const fan = await app.member({ verified: true });
    await app.as(fan).saved.set({ ...record, saved: true });
    await app.as(fan).saved.setNotice({ ...record, on: true, locale: 'en' });
    await asSite(`update projects set contract_address = 'another' where id = $1`, [record.id]);
    expect((await runJob()).notified).toBeGreaterThan(0);
    await runJob();
    expect(await noticesOf(fan, 'unverified')).toHaveLength(1);
    expect(await noticesOf(creator, 'proof_ended')).toMatchObject([{ path: `/creator/project/${record.id}` }]);
    const mail = (await app.deliverMails()).find(({ to }) => to === fan.email);
    expect(mail?.text).toContain('does not wear the mark of a verified creator any more');
    const history = await back.audit.list({ resourceType: 'project', resourceId: record.id });
    expect(history.rows.map(({ action }) => action)).toContain('proof.ended');
  });

  it('nobody while another proof holds', async () => {
    const { record, api, host } = await proven();
    const second = await api.ownership.start({ ...record, method: 'dns' });
    world.dns.records.set(`_florka.${host}`, [[second.content ?? '']]);
    await api.ownership.check({ id: second.id });
    const fan = await app.member();
    await app.as(fan).saved.set({ ...record, saved: true });
    await api.ownership.giveUp({ id: second.id });
    await runJob();
    expect(await noticesOf(fan, 'unverified')).toEqual([]);
    expect(await verifiedOf(record)).toHaveLength(1);
  });
});

describe('the back office', () => {
  it('withdraws a proof with a reason; the mark is gone at once', async () => {
    const { record, proof, creator } = await proven();
    // Who just signed in.
    const fresh = app.as(await app.member({ role: 'admin' })).admin;
    await expect(fresh.ownership.withdraw({ id: proof.id, reason: '' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const reason = 'La web ha sido vendida.';
    expect(await fresh.ownership.withdraw({ id: proof.id, reason })).toMatchObject({
      state: 'ended',
      endReason: 'withdrawn',
    });
    expect(await verifiedOf(record)).toEqual([]);
    await expect(fresh.ownership.withdraw({ id: proof.id, reason })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const entry = (await back.audit.list({ resourceType: 'project', resourceId: record.id })).rows.find(
      ({ action }) => action === 'proof.withdrawn',
    );
    expect(entry).toMatchObject({ reason });
    await runJob();
    expect((await app.as(creator).notifications.list({})).items.map(({ detail }) => detail)).toContain('proof_ended');
    expect((await app.as(creator).ownership.mine(record)).proofs[0]).toMatchObject({ endReason: 'withdrawn' });
  });
});

it('lists say what a token page says: home, launches, ranking', async () => {
  const wanted = [{ by: 'file', what: expect.any(String), at: expect.any(String) }];
  const project = await marked('project');
  const next = await marked('next');
  const candidate = await marked('candidate');
  const found = (items: readonly { id: string; verified: unknown }[], { record }: { record: TokenRecord }) =>
    items.find(({ id }) => id === record.id)?.verified;
  expect(found((await visitor.projects.list({ limit: 100 })).items, project)).toEqual(wanted);
  expect(found((await visitor.nextProjects.list({ limit: 100 })).items, next)).toEqual(wanted);
  expect(found((await visitor.voting.ranking({ limit: 100 })).items, candidate)).toEqual(wanted);
});

describe('the checks of the job', () => {
  it('look again every day, and end a proof after four failures in a row', async () => {
    const { record, host, proof } = await proven();
    const file = world.files.get(host) ?? '';
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    world.files.delete(host);
    app.pass(DAY);
    for (let failures = 1; failures <= 3; failures++) {
      await runJob();
      const [row] = await app.sql('select failures, state from ownership_proofs where id = $1', [proof.id]);
      expect(row).toEqual({ failures, state: 'valid' });
      app.pass(DAY / 4);
    }
    // One that is there again begins anew.
    world.files.set(host, file);
    await runJob();
    expect((await app.sql('select failures from ownership_proofs where id = $1', [proof.id]))[0]).toEqual({
      failures: 0,
    });
    world.files.delete(host);
    app.pass(DAY);
    for (let n = 0; n < 4; n++) {
      await runJob();
      app.pass(DAY / 4);
    }
    expect(await verifiedOf(record)).toEqual([]);
    expect((await app.sql('select end_reason from ownership_proofs where id = $1', [proof.id]))[0]).toEqual({
      end_reason: 'lapsed',
    });
  });

  it('end what nobody renewed; a renewal begins the time anew', async () => {
    const { record, api, proof, creator } = await proven({ kind: 'next' });
    const reminders = () =>
      app.sql(`select 1 from notifications where user_id = $1 and detail = 'proof_ends'`, [creator.id]);
    app.pass(100 * DAY);
    const renewed = await api.ownership.check({ id: proof.id });
    expect(renewed.provenAt).not.toBe(app.now.toISOString());
    expect(renewed.expiresAt).toBe(new Date(app.now.getTime() + 180 * DAY).toISOString());
    app.pass(165 * DAY);
    await runJob();
    expect(await reminders()).toHaveLength(0);
    app.pass(2 * DAY);
    await runJob();
    await runJob();
    expect(await reminders()).toHaveLength(1);
    app.pass(12 * DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('end the proof of a wallet that is not the owner any more', async () => {
    const { api, wallet, record, requestId } = await created();
    const { nonce, message } = await api.ownership.startWallet({ ...record, address: wallet.address });
    await api.ownership.proveWallet({ nonce, signature: await wallet.sign(message) });
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    // What was read back never changes, so only the owner of the database can say now that it is somebody else's.
    const { address } = evmWallet();
    await app.sql(`alter table token_creations disable trigger user;
      update token_creations set snapshot = jsonb_set(snapshot, '{owner}', '"${address}"'),
        snapshot_hash = token_snapshot_hash(jsonb_set(snapshot, '{owner}', '"${address}"')) where submission_id = '${requestId}';
      alter table token_creations enable trigger user`);
    const proof = async () =>
      (
        await app.sql('select state, failures, end_reason from ownership_proofs where candidate_id = $1', [record.id])
      )[0];
    app.pass(DAY);
    for (let failures = 1; failures <= 3; failures++) {
      await runJob();
      expect(await proof()).toEqual({ state: 'valid', failures, end_reason: null });
      app.pass(DAY / 4);
    }
    await runJob();
    expect(await proof()).toMatchObject({ state: 'ended', end_reason: 'lapsed' });
    expect(await verifiedOf(record)).toEqual([]);
    await runJob();
    expect((await api.notifications.list({})).items.map(({ detail }) => detail)).toContain('proof_ended');
  });
});
