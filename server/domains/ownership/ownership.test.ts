import https from 'node:https';
import { describe, expect, it, vi } from 'vitest';
import { PROOF_FAILURES_MAX, PROOF_RETRY_HOURS } from '#contract/limits.ts';
import { sentenceInEnglish, sentenceInSpanish } from '#contract/text/notification-sentences.ts';
import {
  admin,
  app,
  asSite,
  back,
  created,
  domain,
  evmWallet,
  nextSerial,
  proven,
  published,
  runJob,
  verifiedOf,
  visitor,
  world,
} from '#tests/fixtures/ownership.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { createProofChecks } from './proof-checks.service.ts';
import { hostOf } from './proof-locations.policy.ts';

const DAY = 86_400_000;

describe('a proof by DNS', () => {
  it('is a TXT record below the domain of the website, also among others and in parts', async () => {
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
    expect(world.dns.queries).toContain(`_florka.${bare}`);
  });

  it('is refused as slow when the name server does not answer', async () => {
    const { host, api, record } = await published();
    const proof = await api.ownership.start({ ...record, method: 'dns' });
    world.dns.records.set(`_florka.${host}`, 'silent');
    await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({ data: { why: 'slow' } });
  }, 30_000);
});

it.each(['dns', 'file'] as const)(
  'a proof by %s is not checked while the network of the site is down: neither failures nor calls are counted',
  async (method) => {
    const { api, creator, proof } = await proven({ method });
    const stored = async () =>
      (
        await app.sql('select state, failures, checked_at, next_check_at from ownership_proofs where id = $1', [
          proof.id,
        ])
      )[0];
    const hits = async () =>
      (await app.sql<{ hits: number }>('select hits from rate_limits where key = $1', [`ownership:${creator.id}`]))[0]
        ?.hits;
    const before = await stored();
    const counted = await hits();
    world.down = true;
    try {
      await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({
        code: 'PROOF_NOT_FOUND',
        data: { why: 'unchecked' },
      });
      expect(await hits()).toBe(counted);
      app.pass(DAY);
      for (let n = 0; n < PROOF_FAILURES_MAX; n++) {
        await runJob();
        expect(await stored()).toEqual({
          ...before,
          next_check_at: new Date(app.now.getTime() + PROOF_RETRY_HOURS * 3_600_000),
        });
        app.pass(DAY / 4);
      }
    } finally {
      world.down = false;
    }
    await runJob();
    expect(await stored()).toMatchObject({ state: 'valid', failures: 0, checked_at: app.now });
  },
);

describe('a proof by a file', () => {
  it('is a line of a file on the website itself', async () => {
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

  it('is fetched from public addresses only: private ones are refused before a connection', async () => {
    const request = vi.spyOn(https, 'request');
    const checks = createProofChecks();
    expect(await checks.look('file', '127.0.0.1', 'x')).toBe('private');
    expect(await checks.look('file', 'localhost', 'x')).toBe('private');
    expect(await checks.look('file', '169.254.169.254', 'x')).toBe('private');
    expect(request).not.toHaveBeenCalled();
    request.mockRestore();
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
  it.each(['ethereum', 'solana'] as const)('of %s is a signature by the owner of the token', async (network) => {
    const { api, wallet, record } = await created(network);
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'yes', walletNetwork: network });
    const challenge = await api.ownership.startWallet({ ...record, address: wallet.address });
    expect(challenge.message).toContain('florka.test wants you to sign in with your');
    expect(challenge.message).toContain(wallet.address);
    const signature = await wallet.sign(challenge.message);
    expect(await api.ownership.proveWallet({ nonce: challenge.nonce, signature })).toMatchObject({
      method: 'wallet',
      state: 'valid',
      subject: wallet.address,
      place: null,
    });
    expect(await verifiedOf(record)).toEqual([{ by: 'wallet', what: wallet.address, at: app.now.toISOString() }]);
    // Each signature works once.
    await expect(api.ownership.proveWallet({ nonce: challenge.nonce, signature })).rejects.toMatchObject({
      code: 'WALLET_REFUSED',
      data: { why: 'used' },
    });
  });

  it('is refused with another wallet, message or session, and after its expiry', async () => {
    const { creator, api, wallet, record } = await created();
    const other = evmWallet();
    await expect(api.ownership.startWallet({ ...record, address: other.address })).rejects.toMatchObject({
      code: 'PROOF_IMPOSSIBLE',
      data: { why: 'address' },
    });
    await expect(api.ownership.startWallet({ ...record, address: '0x12' })).rejects.toMatchObject({
      code: 'PROOF_IMPOSSIBLE',
    });
    const challenge = await api.ownership.startWallet({ ...record, address: wallet.address });
    const refused = (why: string) => ({ code: 'WALLET_REFUSED', data: { why } });
    const prove = async (message: string, by = wallet, from = api) =>
      from.ownership.proveWallet({ nonce: challenge.nonce, signature: await by.sign(message) });
    await expect(prove(challenge.message, other)).rejects.toMatchObject(refused('signature'));
    // As signed for another site, chain, time or nonce: our copy of the message counts.
    for (const [from, to] of [
      ['florka.test', 'fl0rka.test'],
      ['Chain ID: 1', 'Chain ID: 56'],
      ['Issued At: 20', 'Issued At: 19'],
      [challenge.nonce, challenge.nonce.replace(/./, 'f').replace(/.$/, '0')],
      ['I answer', 'I answered'],
    ] as const) {
      expect(challenge.message).toContain(from);
      await expect(prove(challenge.message.replaceAll(from, to))).rejects.toMatchObject(refused('signature'));
    }
    // Another member, and the same member in another browser.
    const thief = app.as(await app.member());
    await expect(prove(challenge.message, wallet, thief)).rejects.toMatchObject(refused('used'));
    const [session] = await app.sql<{ token: string }>(
      `insert into sessions (user_id, token, expires_at, updated_at) values ($1, $2, now() + interval '1 day', $3) returning token`,
      [creator.id, `second-session-of-${creator.username}`, app.now],
    );
    expect(session).toBeDefined();
    await app.sql(`update wallet_challenges set browser_hash = '\\x00' where nonce = $1`, [challenge.nonce]);
    await expect(prove(challenge.message)).rejects.toMatchObject(refused('used'));
    const again = await api.ownership.startWallet({ ...record, address: wallet.address });
    const signature = await wallet.sign(again.message);
    // By the database's clock, which can't be set.
    await app.sql('update wallet_challenges set expires_at = now() where nonce = $1', [again.nonce]);
    await expect(api.ownership.proveWallet({ nonce: again.nonce, signature })).rejects.toMatchObject(
      refused('expired'),
    );
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('is impossible if the owner of the contract is unknown', async () => {
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

describe('the right to prove the ownership of a token', () => {
  it('is that of an applicant with a confirmed mailbox, or of the buyer of the token, and of no other member', async () => {
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
    const bought = await created();
    expect(await bought.api.ownership.mine(bought.record)).toMatchObject({ may: 'yes' });
    for (const other of [stranger, api])
      expect(await other.ownership.mine(bought.record)).toMatchObject({ may: 'no', proofs: [] });
  });

  it('is answered alike to all members with an unconfirmed mailbox', async () => {
    const { record, api } = await published({ verified: false });
    const stranger = app.as(await app.member({ verified: false }));
    expect(await stranger.ownership.mine(record)).toEqual(await api.ownership.mine(record));
  });

  it('is not disclosed to others while the token is not public', async () => {
    const { record, api } = await published();
    const stranger = app.as(await app.member({ verified: true }));
    await app.sql(`update projects set status = 'pending' where id = $1`, [record.id]);
    await expect(stranger.ownership.mine(record)).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'token' } });
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'yes' });
  });

  it('does not follow from a rejected request', async () => {
    const { record, api } = await published();
    await app.sql(`update project_submissions set status = 'rejected' where project_id = $1`, [record.id]);
    expect(await api.ownership.mine(record)).toMatchObject({ may: 'no' });
  });

  it('is also that of admins, and for a NEXT project that of the creator of its winning candidate', async () => {
    const { api, record } = await created();
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, closed_at, winner_candidate_id)
       values ($1, 'closed', now() - interval '2 days', now() - interval '1 day', now() - interval '1 day', $2) returning id`,
      [9_000 + nextSerial(), record.id],
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

describe('notifications about proofs', () => {
  const noticesOf = async (person: Person, detail: string) =>
    (await app.as(person).notifications.list({})).items.filter((one) => one.detail === detail);

  it.each([
    ['was changed', 1],
    ['expired', 1],
    ['was given up', 0],
  ])('are sent once to followers when a proof %s, and %d times to the creator', async (how, toCreator) => {
    const { record, creator, api, proof } = await proven();
    const fan = await app.member({ verified: true });
    await app.as(fan).saved.set({ ...record, saved: true });
    await app.as(fan).saved.setNotice({ ...record, on: true, locale: 'en' });
    if (how === 'was changed')
      await asSite(`update projects set contract_address = 'another' where id = $1`, [record.id]);
    else if (how === 'was given up') await api.ownership.giveUp({ id: proof.id });
    else await app.sql('update ownership_proofs set expires_at = $2 where id = $1', [proof.id, app.now]);
    // The first run ends an expired one.
    for (let run = 0; run < 3; run++) await runJob();
    expect(await noticesOf(fan, 'unverified')).toHaveLength(1);
    const notices = Array.from({ length: toCreator }, () => ({ path: `/creator/project/${record.id}` }));
    expect(await noticesOf(creator, 'proof_ended')).toMatchObject(notices);
    const mail = (await app.deliverMails()).find(({ to }) => to === fan.email);
    expect(mail?.text).toContain('does not wear the mark of a verified creator any more');
    const history = await back.audit.list({ resourceType: 'project', resourceId: record.id });
    expect(history.rows.map(({ action }) => action)).toContain('proof.ended');
  });

  it('are sent to the creator if staff began the proof, which is theirs once they check it', async () => {
    const { record, api, host, creator } = await published();
    const begun = await back.ownership.start({ ...record, method: 'file' });
    world.files.set(host, begun.content ?? '');
    await back.ownership.check({ id: begun.id });
    const shown = { showPage: true, showVotes: false, showFollows: false, showCreated: true };
    for (const one of [admin, creator]) await app.as(one).profiles.setSettings(shown);
    const createdBy = async ({ username }: Person) =>
      (await visitor.profiles.page({ name: username })).created.map(({ id }) => id);
    expect([await createdBy(admin), await createdBy(creator)]).toEqual([[], []]);
    app.pass(170 * 86_400_000);
    for (let run = 0; run < 2; run++) await runJob();
    expect(await noticesOf(creator, 'proof_ends')).toMatchObject([{ path: `/creator/project/${record.id}` }]);
    await api.ownership.check({ id: begun.id });
    expect([await createdBy(admin), await createdBy(creator)]).toEqual([[], [record.id]]);
    await asSite(`update projects set token_symbol = 'OTRO' where id = $1`, [record.id]);
    for (let run = 0; run < 2; run++) await runJob();
    expect(await noticesOf(creator, 'proof_ended')).toHaveLength(1);
    for (const detail of ['proof_ends', 'proof_ended']) expect(await noticesOf(admin, detail)).toEqual([]);
  });

  it('are sent to whoever began the proof while no creator has an account', async () => {
    const { record, host, creator } = await published();
    const begun = await back.ownership.start({ ...record, method: 'file' });
    world.files.set(host, begun.content ?? '');
    await back.ownership.check({ id: begun.id });
    await app.sql('update users set email_verified = false where id = $1', [creator.id]);
    await asSite(`update projects set token_symbol = 'OTRO' where id = $1`, [record.id]);
    await runJob();
    expect(await noticesOf(admin, 'proof_ended')).toMatchObject([{ path: `/creator/project/${record.id}` }]);
  });

  it('are not sent to followers while another proof is valid', async () => {
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

  it('are sent once to followers if one change ends several proofs, and report no lost mark too early', async () => {
    const { record, api, host, creator, proof } = await proven();
    const second = await api.ownership.start({ ...record, method: 'dns' });
    world.dns.records.set(`_florka.${host}`, [[second.content ?? '']]);
    await api.ownership.check({ id: second.id });
    await app.sql('update ownership_proofs set expires_at = $2 where id = $1', [proof.id, app.now]);
    await runJob();
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    const [notice] = await noticesOf(creator, 'proof_ended');
    if (!notice) throw new Error('no notice');
    // The mark is still there.
    for (const sentence of [sentenceInSpanish(notice), sentenceInEnglish(notice)])
      expect(sentence).not.toMatch(/ya no lleva|does not wear/);
    const mail = (await app.deliverMails()).find(({ to }) => to === creator.email);
    expect(mail?.subject).toMatch(/^Una prueba de que .+ es tuyo ha terminado$/);

    const again = await api.ownership.start({ ...record, method: 'file' });
    world.files.set(host, `${again.content}`);
    await api.ownership.check({ id: again.id });
    const fan = await app.member({ verified: true });
    await app.as(fan).saved.set({ ...record, saved: true });
    await app.as(fan).saved.setNotice({ ...record, on: true, locale: 'en' });
    await asSite(`update projects set contract_address = 'other' where id = $1`, [record.id]);
    await runJob();
    await runJob();
    expect(await noticesOf(creator, 'proof_ended')).toHaveLength(3);
    expect(await noticesOf(fan, 'unverified')).toHaveLength(1);
    expect((await app.deliverMails()).filter(({ to }) => to === fan.email)).toHaveLength(1);
  });
});
