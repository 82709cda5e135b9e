import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getBase58Decoder } from '@solana/kit';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { TokenNetwork } from '#contract/networks.ts';
import { CREATOR_TIMING } from '#server/domains/token-creation/step.policy.ts';
import { createTokenCreator } from '#server/domains/token-creation/token-creator.service.ts';
import type { CrashPoint } from '#server/lib/process/crash-point.ts';
import { evmChain } from '#server/providers/chains/evm.ts';
import { solanaChain } from '#server/providers/chains/solana.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { ANVIL_ACCOUNTS, ANVIL_KEYS, anvil, startAnvil, startSurfnet, surfnet } from '#tests/support/chains/chains.ts';
import { startRpcProxy } from '#tests/support/chains/rpc-proxy.ts';
import { type Signer, startSigner } from '#tests/support/chains/signer.ts';
import { keyFilesIn, WALLETS, workerSettings } from '#tests/support/chains/signer-settings.ts';
import { tokensOnChains } from '#tests/support/chains/tokens-on-chains.ts';
import { alignRequestWithOrder } from '#tests/support/payments/align-request.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';
import { payerConfirms } from '#tests/support/payments/payer-confirms.ts';
import { urlOf } from '#tests/support/processes/florka.ts';
import { bareEnv } from '#tests/support/processes/programs.ts';
import { openMemory } from './memory.ts';

vi.setConfig({ testTimeout: 90_000 });

const POINTS: CrashPoint[] = [
  'before_claim',
  'after_claim',
  'before_sign',
  'after_sign_saved',
  'after_send_before_mark',
  'before_complete',
  'after_complete',
];
const SEED = createHash('sha256').update('a seed of the tests').digest('hex');
const available = anvil.available && surfnet.available;
const note = anvil.note || surfnet.note;

describe.skipIf(!available)(`the signer, as a process on real local chains${note}`, async () => {
  if (!available) return;
  let clock = () => 0;
  const fake = fakeProvider(() => clock());
  const app = await startTestApp({ payments: { ...fake.provider, simulation: true } });
  // Processes use the machine's clock.
  app.setNow(new Date().toISOString());
  clock = () => app.now.getTime();
  const admins = await app.members(2, { role: 'admin' });
  const [api, other] = admins.map((admin) => app.as(admin).admin.tokenRequests) as [Api, Api];
  type Api = ReturnType<typeof app.as>['admin']['tokenRequests'];

  const evm = await startAnvil();
  const sol = startSurfnet({ mode: 'transaction' });
  const { tokensOf, nameOn } = tokensOnChains(evm, sol);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-signer-'));
  const started: Signer[] = [];
  // A process that outlives its test would do the work of the next.
  afterEach(async () => {
    for (const one of started) await one.kill();
    await app.sql("update token_creations set next_try_at = null where state <> 'completed'");
  });
  afterAll(async () => {
    await evm.stop();
    sol.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const GENESIS = await sol.rpc<string>('getGenesisHash');
  const [EVM_KEY, EVM_ADDRESS] = [ANVIL_KEYS[0], ANVIL_ACCOUNTS[0]];
  const SOLANA_KEY = JSON.stringify([...sol.payerSecretKey]);
  sol.fund(sol.payer, 10_000_000_000);
  const file = keyFilesIn(folder);
  const KEYS = {
    evm: await file('evm.key', EVM_KEY),
    solana: await file('solana.key', SOLANA_KEY),
    seed: await file('mint.seed', SEED),
  };
  const WORKERS = workerSettings(evm, sol, GENESIS, KEYS);
  function signer(networks: (keyof typeof WORKERS)[], more: Record<string, string> = {}): Signer {
    const workers = Object.assign({}, ...networks.map((network) => WORKERS[network])) as Record<string, string>;
    const one = startSigner({
      DATABASE_URL: urlOf(app.signerConfig),
      SIGNER_STATE_DIR: path.join(folder, 'state'),
      ...workers,
      ...more,
    });
    started.push(one);
    return one;
  }

  let serial = 0;
  /** A paid request whose token was ordered, as if a signer were running. */
  async function paid(network: TokenNetwork) {
    await app.worker(network, { daily_cap: 1_000 });
    const guest = app.as(null, { address: `10.5.${++serial}.1` });
    const { id, secret } = await guest.tokenRequests.create({ data: COMPLETE });
    const { orderId } = await guest.tokenRequests.pay({ id, secret, plan: 'entry', locale: 'es' });
    const invoice = fake.invoiceOf(orderId);
    const depositId = fake.newDepositId();
    const see = async (status: 'finished' | 'refunded') => {
      fake.move(invoice, depositId, status, { actuallyPaid: 100 });
      app.pass(11_000);
      await guest.tokenRequests.check({ id, secret });
    };
    await see('finished');
    await app.sql('update sessions set proved_at = now()');
    const input = {
      requestId: id,
      tokenName: `Ajolote ${serial}`,
      tokenSymbol: 'AJO',
      confirmation: 'AJO',
      network,
      totalSupply: '1000000',
      ownerWallet: WALLETS[network] ?? '',
    };
    await alignRequestWithOrder(app, input);
    await payerConfirms(app, api, input);
    return { id, input, see, creation: async () => (await api.read({ id })).creation };
  }
  type Paid = Awaited<ReturnType<typeof paid>>;
  async function ordered(network: TokenNetwork): Promise<Paid> {
    const one = await paid(network);
    await api.createToken(one.input);
    // Orders have the test's clock, which is ahead of the machine's.
    await due(one.id);
    return one;
  }
  const due = (id: string) =>
    app.sql('update token_creations set next_try_at = now(), begun_at = now() where submission_id = $1', [id]);

  /** Polls until all creations are in the given state. */
  async function until(all: Paid[], state: string, seconds = 40): Promise<void> {
    const end = Date.now() + seconds * 1_000;
    for (;;) {
      const now = await Promise.all(all.map((one) => one.creation()));
      if (now.every((one) => one?.state === state)) return;
      if (Date.now() > end)
        throw new Error(
          `not ${state}: ${JSON.stringify(now.map((one) => [one?.state, one?.stage, one?.problem, one?.detail]))}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Every request has one token with the ordered name, and the chain has no other. */
  async function expectOneEach(network: 'ethereum' | 'solana', all: Paid[], before: string[]): Promise<void> {
    const tokens = await tokensOf(network);
    const made = await Promise.all(all.map((one) => one.creation()));
    const lower = (address: string) => (network === 'solana' ? address : address.toLowerCase());
    expect(tokens).toEqual([...before, ...made.map((one) => lower(one?.address ?? ''))].toSorted());
    for (const [i, one] of made.entries()) {
      expect(await nameOn(network, one?.address ?? '')).toBe(all[i]?.input.tokenName);
      expect(one?.attempts.filter(({ outcome }) => outcome === 'landed')).toHaveLength(1);
      expect(one?.addressUrl).toContain('https://explorer.test/address/');
    }
  }

  it.each(['ethereum', 'solana'] as const)(
    'creates one token per request although it is killed at each point: %s',
    async (network) => {
      const before = await tokensOf(network);
      const all: Paid[] = [];
      for (const point of POINTS) {
        all.push(await ordered(network));
        const killed = signer([network], { CRASH_AT: point });
        expect(await killed.ended, `${point}: ${killed.output()}`).toBe('SIGKILL');
      }
      const last = signer([network]);
      await until(all, 'completed');
      await expectOneEach(network, all, before);
      expect(await last.stop()).toBe('0');
    },
  );

  it('with two admins and a second signer creates one token per request, also after it is killed', async () => {
    const before = [await tokensOf('ethereum'), await tokensOf('solana')] as const;
    const [evmOnes, solanaOnes]: Paid[][] = [[], []];
    const first = signer(['ethereum', 'solana']);
    await first.says('"msg":"at work"');
    const second = signer(['ethereum', 'solana']);
    await second.says('Signer is ready');
    for (const network of ['ethereum', 'solana', 'ethereum', 'solana'] as const) {
      const one = await paid(network);
      (network === 'solana' ? solanaOnes : evmOnes)?.push(one);
      const clicks = await Promise.allSettled([api, other, api, other].map((who) => who.createToken(one.input)));
      await due(one.id);
      expect(clicks.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
      // Killed at an arbitrary point of its work.
      if (network === 'solana' && solanaOnes?.length === 1) await first.kill();
    }
    await until([...(evmOnes ?? []), ...(solanaOnes ?? [])], 'completed');
    await expectOneEach('ethereum', evmOnes ?? [], before[0]);
    await expectOneEach('solana', solanaOnes ?? [], before[1]);
    await second.stop();
  });

  it('signs no request that is refunded, was changed, or is above the daily cap', async () => {
    const before = await tokensOf('ethereum');
    const [good, refunded, swapped, beyond] = [
      await ordered('ethereum'),
      await ordered('ethereum'),
      await ordered('ethereum'),
      await ordered('ethereum'),
    ];
    await refunded.see('refunded');
    const swap = () =>
      app.sql(
        `update token_creations set snapshot = snapshot || '{"owner":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}'
         where submission_id = $1`,
        [swapped.id],
      );
    await expect(swap()).rejects.toThrow('a token is made from what its payer confirmed');
    // The signer does not rely on the database's triggers either.
    await app.sql('alter table token_creations disable trigger token_creation_confirmed');
    await swap();
    await app.sql('alter table token_creations enable trigger token_creation_confirmed');
    const [{ n } = { n: 0 }] = await app.sql<{ n: number }>(
      `select count(*)::int as n from creation_attempts a join token_creations c on c.id = a.creation_id
       where a.number = 1 and c.network = 'ethereum'`,
    );
    const one = signer(['ethereum'], { SIGNER_ETHEREUM_DAILY_CAP: String(n + 1) });
    await until([good], 'completed');
    await until([refunded, swapped], 'held');
    await vi.waitFor(async () => expect((await beyond.creation())?.problem).toBe('cap_reached'), 30_000);
    expect((await refunded.creation())?.problem).toBe('unpaid');
    expect((await swapped.creation())?.problem).toBe('snapshot_changed');
    await one.stop();
    // The cap that it reported keeps the site from accepting more orders.
    const again = signer(['ethereum'], { SIGNER_ETHEREUM_DAILY_CAP: String(n + 1) });
    await again.says('"msg":"at work"');
    await app.sql('update token_creations set next_try_at = null where submission_id = $1', [beyond.id]);
    expect((await api.chains()).find(({ network }) => network === 'ethereum')).toMatchObject({ why: 'cap_reached' });
    await again.stop();
    await expectOneEach('ethereum', [good], before);
  });

  it('completes a transaction that the node accepted and dropped, and one that expired', async () => {
    const before = [await tokensOf('ethereum'), await tokensOf('solana')] as const;
    const proxies = [await startRpcProxy(evm.url), await startRpcProxy(sol.url)] as const;
    const [onEvm, onSolana] = [await ordered('ethereum'), await ordered('solana')];
    const site = 'https://explorer.test';
    const explorer = { address: `${site}/address/{address}`, transaction: `${site}/{transaction}` };
    const chains = [
      evmChain({
        network: 'ethereum',
        chainId: 31337,
        rpcUrl: proxies[0].url,
        key: EVM_KEY,
        confirmations: 1,
        explorer,
      }),
      await solanaChain({
        rpcUrl: proxies[1].url,
        key: SOLANA_KEY,
        mintSeed: SEED,
        genesis: GENESIS,
        commitment: 'confirmed',
        explorer,
      }),
    ];
    const timing = {
      ...CREATOR_TIMING,
      poll: 20,
      resend: { expiring: 50, unlimited: 50 },
      pause: { first: 20, last: 50 },
    };
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const creators = chains.map((chain) =>
      createTokenCreator({
        db: app.signerDb(),
        chain,
        dailyCap: 1_000,
        provider: null,
        adminKeys: [],
        memory: openMemory(path.join(folder, 'state-here')),
        now: () => new Date(),
        log,
        timing,
      }),
    );
    // Both nodes accept the transaction and drop it.
    proxies[0].fault('eth_sendRawTransaction', { kind: 'keep' }, 2);
    proxies[1].fault('sendTransaction', { kind: 'keep' });
    const iteration = async () => {
      await Promise.all(creators.map((creator) => creator.work()));
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    while (proxies[1].count('sendTransaction') < 3) await iteration();
    expect((await onSolana.creation())?.attempts).toHaveLength(1);
    // Solana's chain advances beyond the validity of the transaction.
    proxies[1].drop();
    proxies[1].clear();
    proxies[1].fault('getEpochInfo', {
      kind: 'change',
      to: (epoch: { blockHeight: number }) => ({ ...epoch, blockHeight: epoch.blockHeight + 1_000 }),
    });
    proxies[1].fault('getLatestBlockhash', {
      kind: 'change',
      to: ({ context, value }: { context: object; value: { lastValidBlockHeight: number } }) => ({
        context,
        value: { ...value, lastValidBlockHeight: value.lastValidBlockHeight + 1_000 },
      }),
    });
    proxies[1].fault('isBlockhashValid', { kind: 'change', to: (answer: object) => ({ ...answer, value: false }) });
    for (let i = 0; i < 300; i++) {
      await iteration();
      const states = [(await onEvm.creation())?.state, (await onSolana.creation())?.state];
      if (states.every((state) => state === 'completed')) break;
    }
    expect((await onSolana.creation())?.attempts.map(({ outcome }) => outcome)).toEqual(['lost', 'landed']);
    expect((await onEvm.creation())?.attempts).toHaveLength(1);
    await expectOneEach('ethereum', [onEvm], before[0]);
    await expectOneEach('solana', [onSolana], before[1]);
    expect(proxies[0].count('eth_sendRawTransaction')).toBeGreaterThan(2);
    for (const proxy of proxies) await proxy.stop();
  });

  it('refuses key files that others may read and invalid keys, and prints no key', async () => {
    const open = await file('open.key', EVM_KEY, 0o644);
    const refused = signer(['ethereum'], { SIGNER_ETHEREUM_KEY_FILE: open });
    expect(await refused.ended).toBe('1');
    expect(refused.output()).toContain('others than its owner may read');
    const wrong = signer(['ethereum'], { SIGNER_ETHEREUM_KEY_FILE: await file('wrong.key', `${EVM_KEY}00`) });
    expect(await wrong.ended).toBe('1');
    expect(wrong.output()).toContain('Wrong configuration of ethereum');
    expect(refused.output() + wrong.output()).not.toContain(EVM_KEY.slice(2));
  });

  it('leaves no key in logs, database, backup and environments', async () => {
    const working = signer(['ethereum', 'solana']);
    await working.says('"msg":"at work"');
    const secretKey = Buffer.from(sol.payerSecretKey);
    const secrets = [
      EVM_KEY.slice(2),
      SEED,
      SOLANA_KEY.slice(1, 60),
      secretKey.toString('hex'),
      secretKey.subarray(0, 32).toString('hex'),
      secretKey.toString('base64'),
      getBase58Decoder().decode(secretKey),
    ];
    const raw = [Buffer.from(EVM_KEY.slice(2), 'hex'), Buffer.from(SEED, 'hex'), secretKey.subarray(0, 32)];
    const clean = (where: string, content: Buffer | string) => {
      const text = (typeof content === 'string' ? content : content.toString('latin1')).toLowerCase();
      for (const [i, secret] of secrets.entries())
        if (text.includes(secret.toLowerCase())) throw new Error(`secret ${i} in ${where}`);
      if (typeof content !== 'string')
        for (const [i, secret] of raw.entries())
          if (content.includes(secret)) throw new Error(`secret ${i} in ${where}, as bytes`);
    };
    // The search itself finds keys.
    expect(() => clean('a key file', `key: ${EVM_KEY}`)).toThrow();
    expect(() => clean('bytes', Buffer.concat([Buffer.from('x'), secretKey]))).toThrow();

    const logs = started.map((one) => one.output()).join('\n');
    expect(logs).toContain('"msg":"signed"');
    clean('logs', logs);
    clean('the log of the site', JSON.stringify(app.logged));
    const tables = await app.sql<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r'
       and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))`,
    );
    expect(tables.map(({ name }) => name)).toContain('creation_attempts');
    for (const { name } of tables)
      for (const { row } of await app.sql<{ row: string }>(`select t::text as row from ${name} t`)) clean(name, row);
    clean('our environment', await readFile('/proc/self/environ'));
    clean('its environment', await readFile(`/proc/${working.pid}/environ`));
    await working.stop();

    const to = path.join(folder, 'backups');
    await new Promise<void>((resolve, reject) => {
      const env = { ...bareEnv(), DATA_DIR: path.join(folder, 'site'), DATABASE_URL: urlOf(app.config) };
      execFile(
        process.execPath,
        ['scripts/florka.ts', 'backup', '--to', to],
        { env: env as never },
        (error, out, err) => (error ? reject(new Error(out + err)) : resolve()),
      );
    });
    const stored = (await readdir(to, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(stored.length).toBeGreaterThan(20);
    for (const { parentPath, name } of stored) {
      const content = await readFile(path.join(parentPath, name));
      clean(name, name.endsWith('.gz') ? gunzipSync(content) : content);
    }
  });

  it('created the tokens of completed orders and no others, with exactly the recorded nonces of Ethereum', async () => {
    const attempts = await app.sql<{ nonce: string }>('select nonce from creation_nonces order by nonce');
    const used = Number(await evm.rpc<string>('eth_getTransactionCount', EVM_ADDRESS, 'latest'));
    expect(attempts.map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: used }, (_, i) => i));
    const made = await app.sql("select lower(address) as address from token_creations where state = 'completed'");
    const found = [...(await tokensOf('ethereum')), ...(await tokensOf('solana'))].map((one) => one.toLowerCase());
    expect(found.toSorted()).toEqual(made.map(({ address }) => address).toSorted());
  });
});
