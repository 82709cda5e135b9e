import { describe, expect, it } from 'vitest';
import { LINKED_WALLETS_MAX } from '#contract/limits.ts';
import type { Network } from '#contract/networks.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { type Browser, startTestApp } from '#tests/support/app/test-app.ts';
import { evmWallet, solanaWallet, type TestWallet } from '#tests/support/chains/wallets.ts';

const SITE = 'https://florka.test';
const app = await startTestApp({ publicUrl: SITE });
const people = peopleOf(app);
const refused = (why: string) => ({ code: 'WALLET_REFUSED', status: 403, data: { why } });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  );
const walletOf = (network: Network) => (network === 'solana' ? solanaWallet() : evmWallet());

/** A member with a confirmed mailbox, who proved the password a moment ago. */
async function ready() {
  const person = await people.newcomer({ verified: true });
  await person.api.account.prove({ password: PASSWORD });
  return person;
}
async function link(browser: Browser, wallet: TestWallet, network: Network = 'ethereum') {
  const api = browser.api.account.wallets;
  const { nonce, message } = await api.startLinking({ network, address: wallet.address });
  return api.link({ nonce, signature: await wallet.sign(message) });
}
/** A member, a linked wallet, and a browser without cookies. */
async function linked(network: Network = 'ethereum') {
  const person = await ready();
  const wallet = walletOf(network);
  const info = await link(person.browser, wallet, network);
  return { ...person, wallet, info, other: stranger() };
}
const stranger = () => app.browser({ address: people.address() });
async function signIn(browser: Browser, wallet: TestWallet, network: Network = 'ethereum') {
  const api = browser.api.account.wallets;
  const { nonce, message } = await api.startSignIn({ network, address: wallet.address });
  return api.signIn({ nonce, signature: await wallet.sign(message) });
}
const later = () => new Promise<false>((done) => setTimeout(() => done(false), 20));
const actionsOf = async (id: string) =>
  (await app.sql<{ action: string }>(`select action from audit_events where resource_id = $1 order by id`, [id])).map(
    ({ action }) => action,
  );

describe.each<Network>(['ethereum', 'bnb', 'polygon', 'solana'])('a wallet of %s', (network) => {
  it('is linked with a signed message that names site, chain, address and expiry; then it signs in', async () => {
    const { browser, api, id, email } = await ready();
    const wallet = walletOf(network);
    const challenge = await api.account.wallets.startLinking({ network, address: wallet.address });
    const chain = { ethereum: '1', bnb: '56', polygon: '137', solana: 'mainnet' }[network];
    expect(challenge.message.split('\n')).toEqual([
      `florka.test wants you to sign in with your ${network === 'solana' ? 'Solana' : 'Ethereum'} account:`,
      wallet.address,
      '',
      'I link this wallet to my account: from now on it signs me in.',
      '',
      `URI: ${SITE}`,
      'Version: 1',
      `Chain ID: ${chain}`,
      `Nonce: ${challenge.nonce}`,
      expect.stringMatching(/^Issued At: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expect.stringMatching(/^Expiration Time: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ]);
    const info = await api.account.wallets.link({
      nonce: challenge.nonce,
      signature: await wallet.sign(challenge.message),
    });
    expect(info).toEqual({
      id: expect.any(String),
      family: network === 'solana' ? 'solana' : 'evm',
      address: wallet.address,
      linkedAt: app.now.toISOString(),
      lastUsedAt: null,
    });
    expect(await api.account.wallets.list()).toEqual([info]);
    // The owner is notified by mail and in the list, and the audit log records it.
    expect((await people.mailsTo(email)).at(-1)?.text).toContain(wallet.address);
    expect((await api.notifications.list({})).items[0]).toMatchObject({ kind: 'security', detail: 'wallet_on' });
    expect(await actionsOf(id)).toContain('wallet.linked');

    const other = stranger();
    expect(await signIn(other, wallet, network)).toMatchObject({ id });
    expect(await other.api.auth.me()).toMatchObject({ id });
    expect((await browser.api.account.wallets.list())[0]?.lastUsedAt).toBe(app.now.toISOString());
    expect(
      await app.sql(`select after from audit_events where actor_id = $1 and action = 'member.signed_in'`, [id]),
    ).toContainEqual({ after: { how: 'wallet' } });
    const data = (await api.account.export()) as { wallets: { address: string }[] };
    expect(data.wallets.map(({ address }) => address)).toEqual([wallet.address]);
  });
});

describe('linking a wallet', () => {
  it('requires a step-up and a confirmed mailbox, and is limited to ten wallets', async () => {
    const { browser, id } = await ready();
    const api = browser.api.account.wallets;
    const challenge = { network: 'ethereum' as const, address: evmWallet().address };
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [id]);
    expect(await codeOf(api.startLinking(challenge))).toBe('STEP_UP_NEEDED');
    await browser.api.account.prove({ password: PASSWORD });
    await app.sql('update users set email_verified = false where id = $1', [id]);
    expect(await codeOf(api.startLinking(challenge))).toBe('FORBIDDEN');
    await app.sql('update users set email_verified = true where id = $1', [id]);
    const late = evmWallet();
    const open = await api.startLinking({ network: 'ethereum', address: late.address });
    for (let n = 0; n < LINKED_WALLETS_MAX; n++)
      await link(browser, n % 2 ? evmWallet() : solanaWallet(), n % 2 ? 'bnb' : 'solana');
    expect(await codeOf(api.startLinking(challenge))).toBe('TOO_MANY');
    expect(await codeOf(api.link({ nonce: open.nonce, signature: await late.sign(open.message) }))).toBe('TOO_MANY');
  });

  it('rotates the session token, so that a copy of the earlier one is invalid', async () => {
    const { browser, id } = await ready();
    const tokens = () => app.sql<{ token: string }>('select token from sessions where user_id = $1', [id]);
    const [before] = await tokens();
    const info = await link(browser, evmWallet());
    const [after] = await tokens();
    expect(after?.token).not.toBe(before?.token);
    await browser.api.account.wallets.unlink({ id: info.id });
    expect((await tokens())[0]?.token).not.toBe(after?.token);
    expect(await browser.api.auth.me()).toMatchObject({ id });
  });

  it('links a wallet to one account only, whatever the case of its address', async () => {
    const { browser, wallet } = await linked();
    const ben = await ready();
    const taken = (by: string) => ({ code: 'WALLET_TAKEN', status: 409, data: { by } });
    await expect(link(browser, wallet)).rejects.toMatchObject(taken('me'));
    await expect(link(ben.browser, wallet)).rejects.toMatchObject(taken('other'));
    // The same key on another chain, and the address in lower case.
    await expect(link(ben.browser, wallet, 'polygon')).rejects.toMatchObject(taken('other'));
    await expect(link(ben.browser, { ...wallet, address: wallet.address.toLowerCase() })).rejects.toMatchObject(
      taken('other'),
    );
    // A letter with the wrong case, like a mistyped address.
    const at = [...wallet.address].findIndex((letter, i) => i > 1 && /[a-f]/i.test(letter));
    const letter = wallet.address[at] ?? '';
    const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const mixed = wallet.address.slice(0, at) + flipped + wallet.address.slice(at + 1);
    await expect(link(ben.browser, { ...wallet, address: mixed })).rejects.toMatchObject(refused('address'));
    // The database refuses it too.
    await expect(
      app.services.pool.query(`insert into linked_wallets (user_id, family, address) values ($1, 'evm', $2)`, [
        ben.id,
        wallet.address.toLowerCase(),
      ]),
    ).rejects.toMatchObject({ code: '23505' });
    await expect(app.services.pool.query('update linked_wallets set user_id = $1', [ben.id])).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('succeeds for one of two accounts that link the same wallet at once', async () => {
    const wallet = evmWallet();
    const both = [await ready(), await ready()];
    const signed = await Promise.all(
      both.map(async ({ api }) => {
        const { nonce, message } = await api.account.wallets.startLinking({ network: 'bnb', address: wallet.address });
        return { nonce, signature: await wallet.sign(message) };
      }),
    );
    const answers = await Promise.all(
      both.map(({ api }, i) => codeOf(api.account.wallets.link(signed[i] ?? { nonce: '', signature: '' }))),
    );
    expect(answers.toSorted()).toEqual(['WALLET_TAKEN', 'ok']);
  });

  it('refuses a challenge of another member, of another session, or for signing in', async () => {
    const [ana, ben] = [await ready(), await ready()];
    const wallet = evmWallet();
    const challenge = await ana.api.account.wallets.startLinking({ network: 'ethereum', address: wallet.address });
    const signature = await wallet.sign(challenge.message);
    await expect(ben.api.account.wallets.link({ nonce: challenge.nonce, signature })).rejects.toMatchObject(
      refused('used'),
    );
    const second = await people.signIn(ana.email);
    await expect(second.api.account.wallets.link({ nonce: challenge.nonce, signature })).rejects.toMatchObject(
      refused('used'),
    );
    const guests = await ana.api.account.wallets.startSignIn({ network: 'ethereum', address: wallet.address });
    await expect(
      ana.api.account.wallets.link({ nonce: guests.nonce, signature: await wallet.sign(guests.message) }),
    ).rejects.toMatchObject(refused('used'));
    expect(await ana.api.account.wallets.link({ nonce: challenge.nonce, signature })).toMatchObject({ family: 'evm' });
    expect(await codeOf(ana.api.account.wallets.link({ nonce: challenge.nonce, signature }))).toBe('WALLET_REFUSED');
  });
});

describe('signing in with a wallet', () => {
  it.each<[string, Network, string | RegExp, string]>([
    ['another site', 'ethereum', /florka\.test/g, 'fl0rka.test'],
    ['another chain', 'ethereum', 'Chain ID: 1', 'Chain ID: 56'],
    ['another issue time', 'ethereum', 'Issued At: 20', 'Issued At: 19'],
    ['another expiry time', 'ethereum', 'Expiration Time: 20', 'Expiration Time: 21'],
    ['another purpose', 'ethereum', 'I sign in with this wallet.', 'I link this wallet to my account.'],
    ['another site', 'solana', /florka\.test/g, 'fl0rka.test'],
    ['another chain', 'solana', 'Chain ID: mainnet', 'Chain ID: devnet'],
  ])('is refused with a signature for %s (%s)', async (_what, network, from, to) => {
    const { wallet, other } = await linked(network);
    const api = other.api.account.wallets;
    const { nonce, message } = await api.startSignIn({ network, address: wallet.address });
    const forged = message.replace(from, to);
    expect(forged).not.toBe(message);
    await expect(api.signIn({ nonce, signature: await wallet.sign(forged) })).rejects.toMatchObject(
      refused('signature'),
    );
    // The message stays valid for the right wallet.
    expect(await codeOf(api.signIn({ nonce, signature: await wallet.sign(message) }))).toBe('ok');
  });

  it('is refused with the signature of another key or chain family, and with an invalid one', async () => {
    const { wallet, other } = await linked();
    const api = other.api.account.wallets;
    const { nonce, message } = await api.startSignIn({ network: 'ethereum', address: wallet.address });
    for (const signature of [
      await evmWallet().sign(message),
      await solanaWallet().sign(message),
      '0x',
      `0x${'0'.repeat(130)}`,
      `0x${'f'.repeat(130)}`,
    ])
      await expect(api.signIn({ nonce, signature })).rejects.toMatchObject(refused('signature'));
    for (const network of ['solana', 'ethereum'] as const)
      await expect(
        api.startSignIn({ network, address: network === 'solana' ? wallet.address : solanaWallet().address }),
      ).rejects.toMatchObject(refused('address'));
  });

  it('accepts a challenge once, before its expiry, in the browser that requested it, none for linking', async () => {
    const { wallet, other, browser } = await linked();
    const api = other.api.account.wallets;
    const challenge = { network: 'ethereum' as const, address: wallet.address };
    const one = await api.startSignIn(challenge);
    const signature = await wallet.sign(one.message);
    await expect(stranger().api.account.wallets.signIn({ nonce: one.nonce, signature })).rejects.toMatchObject(
      refused('used'),
    );
    await api.signIn({ nonce: one.nonce, signature });
    await expect(api.signIn({ nonce: one.nonce, signature })).rejects.toMatchObject(refused('used'));

    const old = await api.startSignIn(challenge);
    // By the database's clock, which can't be set.
    await app.sql('update wallet_challenges set expires_at = now() where nonce = $1', [old.nonce]);
    await expect(api.signIn({ nonce: old.nonce, signature: await wallet.sign(old.message) })).rejects.toMatchObject(
      refused('expired'),
    );

    const linking = await browser.api.account.wallets.startLinking(challenge);
    await expect(
      browser.api.account.wallets.signIn({ nonce: linking.nonce, signature: await wallet.sign(linking.message) }),
    ).rejects.toMatchObject(refused('used'));
  });

  it('opens one session when one challenge is used in concurrent requests', async () => {
    const { wallet, other, id } = await linked();
    const { nonce, message } = await other.api.account.wallets.startSignIn({
      network: 'ethereum',
      address: wallet.address,
    });
    const signature = await wallet.sign(message);
    const [{ before } = { before: 0 }] = await app.sql<{ before: number }>(
      'select count(*)::int as before from sessions where user_id = $1',
      [id],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => codeOf(other.api.account.wallets.signIn({ nonce, signature }))),
    );
    expect(answers.toSorted()).toEqual([...Array(5).fill('WALLET_REFUSED'), 'ok']);
    expect(await app.sql('select count(*)::int as n from sessions where user_id = $1', [id])).toEqual([
      { n: before + 1 },
    ]);
  });

  it('is refused for a wallet that is not linked, was removed, or belongs to a banned member', async () => {
    const { api, wallet, info, other, id } = await linked();
    expect(await codeOf(signIn(other, evmWallet()))).toBe('WALLET_UNKNOWN');
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [id]);
    expect(await codeOf(signIn(other, wallet))).toBe('WALLET_UNKNOWN');
    expect(await actionsOf(id)).toContain('member.sign_in_refused');
    await app.sql('update users set banned_until = null where id = $1', [id]);
    await signIn(other, wallet);
    await api.account.wallets.unlink({ id: info.id });
    expect(await codeOf(signIn(stranger(), wallet))).toBe('WALLET_UNKNOWN');
    expect(await other.api.auth.me()).toBeNull();
  });

  it('does not count as a step-up', async () => {
    const { wallet, other, info } = await linked();
    await signIn(other, wallet);
    const { wallets } = other.api.account;
    const challenge = { network: 'ethereum' as const, address: evmWallet().address };
    expect(await codeOf(wallets.startLinking(challenge))).toBe('STEP_UP_NEEDED');
    expect(await codeOf(wallets.unlink({ id: info.id }))).toBe('STEP_UP_NEEDED');
    await other.api.account.prove({ password: PASSWORD });
    expect(await codeOf(wallets.startLinking(challenge))).toBe('ok');
  });

  it('still requires the second factor', async () => {
    const { browser, wallet, other, id } = await linked();
    const { code } = await people.withSecondFactor(browser);
    expect(await codeOf(signIn(other, wallet))).toBe('SECOND_FACTOR_NEEDED');
    expect(await other.api.auth.me()).toBeNull();
    expect(await other.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id });
  });

  it('has a rate limit', async () => {
    const browser = stranger();
    const challenge = { network: 'solana' as const, address: solanaWallet().address };
    for (let n = 0; n < 60; n++) await browser.api.account.wallets.startSignIn(challenge);
    expect(await codeOf(browser.api.account.wallets.startSignIn(challenge))).toBe('RATE_LIMITED');
  });
});

describe('removing a linked wallet', () => {
  it('requires its owner and a step-up, and notifies the owner', async () => {
    const { browser, info, email, id } = await linked();
    const ben = await ready();
    expect(await codeOf(ben.api.account.wallets.unlink({ id: info.id }))).toBe('NOT_FOUND');
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [id]);
    expect(await codeOf(browser.api.account.wallets.unlink({ id: info.id }))).toBe('STEP_UP_NEEDED');
    await browser.api.account.prove({ password: PASSWORD });
    await browser.api.account.wallets.unlink({ id: info.id, locale: 'en' });
    expect(await browser.api.account.wallets.list()).toEqual([]);
    expect((await people.mailsTo(email)).at(-1)?.text).toContain('cannot sign in to your account any more');
    expect(await actionsOf(id)).toContain('wallet.unlinked');
  });

  it('requires that a password or a passkey remains', async () => {
    const { browser, info, id } = await linked();
    await app.sql('update accounts set password = null where user_id = $1', [id]);
    expect(await codeOf(browser.api.account.wallets.unlink({ id: info.id }))).toBe('LAST_WAY_IN');
    expect(await browser.api.account.wallets.list()).toHaveLength(1);
    await app.sql(
      `insert into passkeys (user_id, credential_id, public_key, name) values ($1, $2, '\\x00', 'Laptop')`,
      [id, `key-of-${id}`],
    );
    await browser.api.account.wallets.unlink({ id: info.id });
  });

  it('happens when the account is deleted', async () => {
    const { api, wallet } = await linked('solana');
    await api.account.remove({ password: PASSWORD });
    expect(await app.sql('select 1 from linked_wallets where address = $1', [wallet.address])).toEqual([]);
    expect(await codeOf(signIn(stranger(), wallet, 'solana'))).toBe('WALLET_UNKNOWN');
  });
});

describe('a staff member', () => {
  const makeModerator = (id: string) =>
    app.sql(`update user_roles set role = 'moderator', moderator_request_status = 'approved' where user_id = $1`, [id]);

  it('is refused with a wallet alone, by an error code of its own, and admitted with the second factor', async () => {
    const { browser, wallet, other, id } = await linked();
    await makeModerator(id);
    expect(await codeOf(signIn(other, wallet))).toBe('WALLET_STAFF');
    expect(await other.api.auth.me()).toBeNull();
    expect(
      await app.sql(`select after from audit_events where resource_id = $1 and action = 'member.sign_in_refused'`, [
        id,
      ]),
    ).toEqual([{ after: { how: 'wallet', why: 'staff' } }]);
    const { code } = await people.withSecondFactor(browser);
    expect(await codeOf(signIn(other, wallet))).toBe('SECOND_FACTOR_NEEDED');
    expect(await other.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id, role: 'moderator' });
  });

  it('loses the sessions opened by a wallet alone on becoming staff, and keeps the others', async () => {
    const { browser, wallet, other, id } = await linked();
    await signIn(other, wallet);
    await makeModerator(id);
    expect(await other.api.auth.me()).toBeNull();
    expect(await browser.api.auth.me()).toMatchObject({ role: 'moderator' });
  });

  it('gets no wallet session when promoted during a wallet sign-in', async () => {
    const { wallet, other, id } = await linked();
    const admin = await app.sqlClient();
    await admin.query('begin');
    await admin.query(`update user_roles set role = 'moderator' where user_id = $1`, [id]);
    const answer = codeOf(signIn(other, wallet));
    // The sign-in waits for the promotion; otherwise it would have ended before.
    const over = answer.then(() => true);
    while ((await app.waiting()) === 0 && !(await Promise.race([over, later()])));
    await admin.query('commit');
    await admin.end();
    expect(await answer).toBe('WALLET_STAFF');
    expect(await app.sql('select 1 from sessions where user_id = $1 and by_wallet', [id])).toEqual([]);
  });
});
