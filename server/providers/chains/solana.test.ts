import { inspect } from 'node:util';
import { generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, test } from 'vitest';
import { quick } from '#tests/fixtures/solana-clock.ts';
import { net } from '#tests/fixtures/solana-net.ts';
import { surfnet } from '#tests/support/chains/chains.ts';
import type { Fault } from '#tests/support/chains/rpc-proxy.ts';
import {
  create,
  drive,
  keyOf,
  landedAt,
  MAX_SUPPLY,
  NOTHING,
  open,
  openBehindProxy,
  problemOf,
  SEED,
  someOrder,
} from '#tests/support/chains/solana-rig.ts';
import { clusterKind, SOLANA_MAINNET } from './solana.ts';
import { readMintSeed, readSolanaKey } from './solana-keys.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  describe('creation', () => {
    test('whole supply to the owner, no further mint, freeze or rename; verified by the adapter and on the chain', async () => {
      const order = await someOrder({
        name: 'Флорка 🌸',
        symbol: 'ЦВЕТ',
        metadataUrl: 'https://florka.example/ñ.json',
      });
      const { plan, attempts, facts } = await create(net, order);
      expect(attempts).toHaveLength(1);
      expect(facts).toEqual({
        name: 'Флорка 🌸',
        symbol: 'ЦВЕТ',
        decimals: 6,
        supply: '1000000000000000',
        ownerReceived: '1000000000000000',
        mintAuthority: null,
        freezeAuthority: null,
        metadataLocked: true,
        transaction: attempts[0]?.transaction,
        block: expect.stringMatching(/^\d+$/),
        // The local chain's clock is in thousands of seconds, and an implausible time is not reported.
        at: null,
      });
      const { value } = await net.rpc<{ value: { owner: string; data: { parsed: { info: object } } } }>(
        'getAccountInfo',
        plan.address,
        { encoding: 'jsonParsed' },
      );
      expect(value.owner).toBe(TOKEN_2022_PROGRAM_ADDRESS);
      expect(value.data.parsed.info).toMatchObject({
        decimals: 6,
        supply: '1000000000000000',
        mintAuthority: null,
        freezeAuthority: null,
        extensions: [
          { extension: 'metadataPointer', state: { authority: null, metadataAddress: plan.address } },
          {
            extension: 'tokenMetadata',
            state: {
              name: 'Флорка 🌸',
              symbol: 'ЦВЕТ',
              uri: order.metadataUrl,
              updateAuthority: null,
              additionalMetadata: [],
            },
          },
        ],
      });
      const holders = await net.rpc<{ value: { account: { data: { parsed: { info: object } } } }[] }>(
        'getTokenAccountsByOwner',
        order.owner,
        { mint: plan.address },
        { encoding: 'jsonParsed' },
      );
      expect(holders.value).toHaveLength(1);
      expect(holders.value[0]?.account.data.parsed.info).toMatchObject({ tokenAmount: { amount: '1000000000000000' } });
    });

    test('the longest name, symbol and address fit into one transaction; one more byte is refused, counted in bytes', async () => {
      const longest = await someOrder({
        name: '🚀'.repeat(8),
        symbol: 'Щ'.repeat(5),
        metadataUrl: `https://florka.example/${'x'.repeat(177)}`,
      });
      expect(Buffer.byteLength(longest.metadataUrl)).toBe(200);
      const { attempts, facts } = await create(net, longest);
      expect(facts).toMatchObject({ name: longest.name, symbol: longest.symbol });
      expect(attempts[0]?.signed.length).toBeGreaterThan(900);
      expect(attempts[0]?.signed.length).toBeLessThanOrEqual(1232);

      const chain = await open(net);
      const refusals = [
        [{ name: `${longest.name}x` }, 'name_invalid'],
        [{ name: '' }, 'name_invalid'],
        [{ name: 'half \ud83d' }, 'name_invalid'],
        [{ name: 'nul\0' }, 'name_invalid'],
        [{ symbol: `${longest.symbol}x` }, 'symbol_invalid'],
        [{ symbol: '' }, 'symbol_invalid'],
        [{ metadataUrl: `${longest.metadataUrl}x` }, 'metadata_invalid'],
        [{ metadataUrl: 'javascript:alert(1)' }, 'metadata_invalid'],
        [{ supply: 0n }, 'supply_invalid'],
        [{ supply: -1n }, 'supply_invalid'],
        [{ supply: MAX_SUPPLY + 1n }, 'supply_invalid'],
      ] as const;
      for (const [over, problem] of refusals) {
        expect(await problemOf(chain.prepare({ ...longest, ...over })), inspect(over)).toBe(problem);
        const plan = await chain.prepare(longest);
        expect(await problemOf(chain.sign(plan, { ...longest, ...over }, NOTHING)), inspect(over)).toBe(problem);
      }
    });

    test('the largest and the smallest supply are created', async () => {
      const { facts } = await create(net, await someOrder({ supply: MAX_SUPPLY }));
      expect(facts).toMatchObject({ supply: `${MAX_SUPPLY}000000`, ownerReceived: `${MAX_SUPPLY}000000` });
      expect((await create(net, await someOrder({ supply: 1n }))).facts.supply).toBe('1000000');
    });

    test('tokens of every length around 355 bytes, which the program pads, are created', async () => {
      const chain = await open(net);
      const sizes = new Set<number>();
      for (let more = 0; more < 8; more++) {
        const order = await someOrder({
          name: 'N',
          symbol: 'S',
          metadataUrl: `https://a.example/${'x'.repeat(14 + more)}`,
        });
        const plan = await chain.prepare(order);
        await drive(chain, plan, order);
        const { value } = await net.rpc<{ value: { space: number } }>('getAccountInfo', plan.address, {
          encoding: 'base64',
        });
        sizes.add(value.space);
      }
      // All eight were created, one of them padded by two bytes.
      expect(sizes.has(354) && sizes.has(356) && sizes.has(357) && !sizes.has(355), [...sizes].join()).toBe(true);
    });

    test('invalid owners are refused before anything is signed', async () => {
      const chain = await open(net);
      const done = await create(net, await someOrder());
      const nonceAccount = (await generateKeyPairSigner()).address;
      await net.rpc('surfnet_setAccount', nonceAccount, { lamports: 1_500_000, data: '00'.repeat(80) });
      const staked = (await generateKeyPairSigner()).address;
      await net.rpc('surfnet_setAccount', staked, {
        lamports: 5_000_000,
        owner: 'Stake11111111111111111111111111111111111111',
      });
      const owners = [
        ['', 'owner_invalid'],
        ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'owner_invalid'],
        ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVF0n', 'owner_invalid'],
        ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusV', 'owner_invalid'],
        ['11111111111111111111111111111111', 'owner_invalid'],
        ['1nc1nerator11111111111111111111111111111111', 'owner_invalid'],
        [done.plan.address, 'owner_is_token_account'],
        [done.plan['account'] ?? '', 'owner_is_token_account'],
        [TOKEN_2022_PROGRAM_ADDRESS, 'owner_is_program'],
        ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'owner_is_program'],
        [nonceAccount, 'owner_is_program'],
        [staked, 'owner_is_program'],
        [net.payer, 'owner_invalid'],
      ];
      for (const [owner = '', problem] of owners)
        expect(await problemOf(chain.prepare(await someOrder({ owner }))), owner).toBe(problem);
      // A wallet in use is valid.
      const used = (await generateKeyPairSigner()).address;
      net.fund(used, 1_000_000_000);
      await chain.prepare(await someOrder({ owner: used }));
    });

    test('lamports at the address of the mint before it exists: less and more than its rent', async () => {
      for (const lamports of [1, 900_000, 50_000_000]) {
        const order = await someOrder();
        const chain = await open(net);
        const plan = await chain.prepare(order);
        net.fund(plan.address, lamports);
        expect(await chain.observe(plan, [])).toEqual({ kind: 'open' });
        const { sight, attempts } = await drive(chain, plan, order);
        expect(attempts).toHaveLength(1);
        expect(await chain.read(plan, order, sight.transaction)).toMatchObject({ supply: '1000000000000000' });
      }
    });

    test('lamports that arrive between signing and sending: another attempt once the first has expired', async () => {
      const chain = await open(quick);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      quick.fund(plan.address, 1_000);
      expect(await problemOf(chain.send(attempt))).toBe('unreachable');
      expect(await chain.observe(plan, [attempt])).toMatchObject({ kind: 'pending', transaction: attempt.transaction });
      const { attempts } = await drive(chain, plan, order, [attempt]);
      expect(attempts).toHaveLength(2);
      expect(await landedAt(quick, plan.address)).toContain(attempts[1]?.transaction);
    });

    test('a creation is settled only with the required commitment', async () => {
      const chain = await open(quick, { commitment: 'finalized' });
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      await chain.send(attempt);
      const created = { kind: 'created', transaction: attempt.transaction };
      const isFinal = async () => {
        const { value } = await quick.rpc<{ value: { confirmationStatus: string }[] }>('getSignatureStatuses', [
          attempt.transaction,
        ]);
        return value[0]?.confirmationStatus === 'finalized';
      };
      expect(await (await open(quick)).observe(plan, [attempt])).toEqual({ ...created, settled: true });
      for (;;) {
        const before = await isFinal();
        const sight = await chain.observe(plan, [attempt]);
        if (!(await isFinal())) expect(sight).toEqual({ ...created, settled: false });
        if (!before) continue;
        expect(sight).toEqual({ ...created, settled: true });
        break;
      }
    });

    test('a creation is settled only if the account is settled too', async () => {
      const { proxy, chain } = await openBehindProxy(quick, { commitment: 'finalized' });
      const order = await someOrder();
      const { plan, attempts } = await create(quick, order);
      const untilFinal = () => chain.observe(plan, attempts);
      await expect.poll(untilFinal).toMatchObject({ kind: 'created', settled: true });
      proxy.fault('getAccountInfo', ({ params }) =>
        (params[1] as { commitment: string }).commitment === 'finalized'
          ? { kind: 'change', to: (found: object) => ({ ...found, value: null }) }
          : undefined,
      );
      expect(await chain.observe(plan, attempts)).toMatchObject({ kind: 'created', settled: false });
    });
  });

  test('no error and no object contains the key, the seed or the address of the node', async () => {
    const { proxy, chain } = await openBehindProxy(net, { timeoutMs: 1_500 });
    const secrets = ['s3cr3t-token', 'passw0rd', SEED, new URL(proxy.url).port, String(net.payerSecretKey)];
    const key = keyOf(net);
    const address = proxy.url.replace('http://', 'http://user:passw0rd@');
    const secretive = await open(net, { rpcUrl: `${address}/?api-key=s3cr3t-token`, timeoutMs: 1_500 });
    await secretive.probe();
    const order = await someOrder();
    const plan = await secretive.prepare(order);
    const attempt = await secretive.sign(plan, order, NOTHING);
    const errors: unknown[] = [];
    const gather = async (work: Promise<unknown>) => {
      await work.then(
        (value) => expect.unreachable(inspect(value)),
        (error) => errors.push(error),
      );
    };
    const target = `${proxy.url}/?api-key=s3cr3t-token`;
    const faults: Fault[] = [
      { kind: 'cut' },
      { kind: 'hold' },
      { kind: 'http', status: 502, body: target },
      { kind: 'http', status: 307, headers: { location: target } },
      { kind: 'error', code: -32002, message: target, data: { err: { [target]: target } } },
      { kind: 'error', code: 401, message: `invalid api key ${target}` },
      { kind: 'result', value: { [target]: target } },
    ];
    for (const fault of faults) {
      const undo = proxy.fault('*', fault);
      for (const work of [
        () => secretive.probe(),
        () => secretive.prepare(order),
        () => secretive.observe(plan, [attempt]),
        () => secretive.send(attempt),
        () => secretive.read(plan, order, null),
      ])
        await gather(work());
      undo();
    }
    proxy.drop();
    for (const failure of [`${target} failed`, { [target]: [target] }, { InstructionError: [3, target] }]) {
      proxy.fault('sendTransaction', { kind: 'error', code: -32002, message: target, data: { err: failure } }, 1);
      await gather(secretive.send(attempt));
    }
    await proxy.stop();
    await gather(secretive.observe(plan, []));
    await gather(open(net, { key: `${key.slice(0, -3)}]` }));
    await gather(open(net, { key: 'passw0rd' }));
    await gather(open(net, { key: key.replace('[', '[1,') }));
    await gather(open(net, { mintSeed: `${SEED}z` }));
    await gather(open(net, { rpcUrl: 's3cr3t-token' }));
    await gather(open(net, { rpcUrl: 'ftp://s3cr3t-token' }));
    expect(errors.length).toBeGreaterThan(40);
    for (const thing of [...errors, chain, secretive, plan, attempt]) {
      const text = [
        inspect(thing, { depth: 9, showHidden: true }),
        JSON.stringify(thing, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        String(thing),
        (thing as Error).stack,
      ].join('\n');
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });
});

test('mainnet has real money; test clusters are the known ones, and those on this machine', () => {
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  const unknown = '4EqiXhSgeDTPNxK7b8vwvjTknTTtcT6c5KXvFATNDRzV';
  const far = 'https://node.example/127.0.0.1';
  expect(clusterKind(SOLANA_MAINNET, far)).toBe('production');
  expect(clusterKind(SOLANA_MAINNET, 'http://127.0.0.1:8899')).toBe('production');
  expect(clusterKind(devnet, far)).toBe('test');
  for (const local of ['http://127.0.0.1:8899', 'http://localhost:8899', 'http://[::1]:8899/x'])
    expect(clusterKind(unknown, local)).toBe('test');
  for (const remote of [far, 'http://10.0.0.1:8899', 'https://127.0.0.1.example', 'https://localhost.example'])
    expect(clusterKind(unknown, remote)).toBeNull();
});

test('keys and seeds are read in the formats of the usual tools only', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const pair = generateKeyPairSync('ed25519');
  const bytes = [
    ...pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
    ...pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  ];
  const address = getBase58Decoder().decode(Uint8Array.from(bytes.slice(32)));
  expect((await readSolanaKey(`\n${JSON.stringify(bytes)}\n`)).address).toBe(address);
  expect((await readSolanaKey(` ${getBase58Decoder().decode(Uint8Array.from(bytes))}\n`)).address).toBe(address);
  const wrong = [
    '',
    '[]',
    '[1,2',
    JSON.stringify(bytes.slice(0, 32)),
    JSON.stringify([...bytes.slice(0, 63), 300]),
    '0OIl',
  ];
  // A public key that belongs to another secret key.
  wrong.push(JSON.stringify([...bytes.slice(0, 32), ...bytes.slice(0, 32)]));
  for (const text of wrong) await expect(readSolanaKey(text), text).rejects.toThrow(RangeError);

  expect(readMintSeed(` ${SEED}\n`)).toEqual(Uint8Array.from(Buffer.from(SEED, 'hex')));
  for (const text of ['', SEED.slice(2), `${SEED}0`, `0x${SEED}`, 'correct horse battery staple '.repeat(4)])
    expect(() => readMintSeed(text), text).toThrow(RangeError);
});
