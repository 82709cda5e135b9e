// Keys in a key service that runs as a separate process, on real local chains.
import { generateKeyPairSigner } from '@solana/kit';
import { type Hex, hexToBytes, keccak256, parseTransaction, recoverAddress, stringToHex } from 'viem';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { net } from '#tests/fixtures/solana-net.ts';
import { anvil, surfnet } from '#tests/support/chains/chains.ts';
import { drive, OWNER, order, planned, rig, round, tokensOf } from '#tests/support/chains/evm-rig.ts';
import { type KmsMode, startKms } from '#tests/support/chains/kms-service.ts';
import { drive as driveSolana, landedAt, NOTHING, open, someOrder } from '#tests/support/chains/solana-rig.ts';
import { ChainError } from '../port.ts';
import { readDerSignature } from './der.ts';
import { type KeyService, kmsKeys } from './kms.ts';
import type { SolanaKey } from './port.ts';

const kms = await startKms();
for (const [name, value] of Object.entries(kms.env)) vi.stubEnv(name, value);
const opened: KeyService[] = [];
const keys = (over: { endpoint?: string } = {}) => {
  const one = kmsKeys({ region: kms.region, endpoint: kms.url, timeouts: { connect: 300, answer: 300 }, ...over });
  opened.push(one);
  return one;
};
const HASH = keccak256(stringToHex('florka'));
beforeEach(() => kms.behave('ok'));
afterAll(async () => {
  for (const one of opened) one.close();
  await kms.stop();
  vi.unstubAllEnvs();
});

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => new Error('no failure'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ChainError);
  const { problem, message, cause } = error as ChainError;
  // The error contains only the kind of the failure.
  expect([message, cause]).not.toEqual(expect.arrayContaining([expect.stringMatching(/arn:|127\.0\.0\.1|secret/)]));
  return { problem, message };
};

/** Signs a message that is no transaction: the service does not know the difference. */
const solanaSignature = ({ signer }: SolanaKey) =>
  signer.signTransactions([{ messageBytes: new Uint8Array(40), signatures: {} } as never]);

describe('a secp256k1 key in a key service', () => {
  it('signs for its address, with the lower `s`, whichever the service returns', async () => {
    const key = keys().evm('evm', kms.addresses.evm);
    expect(key.address).toBe(kms.addresses.evm);
    for (const mode of ['ok', 'high_s'] as const) {
      await kms.behave(mode);
      for (const text of ['a', 'b', 'c', 'd']) {
        const hash = keccak256(stringToHex(text));
        const signature = await key.sign(hash);
        expect(BigInt(signature.s) <= 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n).toBe(true);
        expect(await recoverAddress({ hash, signature })).toBe(kms.addresses.evm);
      }
    }
    // The public key is fetched once, not with each signature.
    expect(await kms.calls()).toEqual(Array(4).fill('Sign'));
  });

  it('is verified before it signs, and refused if it has another address', async () => {
    const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const { problem, message } = await failureOf(keys().evm('evm', other).sign(HASH));
    expect(problem).toBe('wrong_key');
    expect(message).toContain(kms.addresses.evm);
    expect(await kms.calls()).toEqual(['GetPublicKey']);
    expect((await failureOf(keys().evm('solana', kms.addresses.evm).check())).problem).toBe('wrong_key');
    expect(() => keys().evm('evm', '0x1')).toThrow(RangeError);
  });

  it('is verified once a minute, and a signature of another key is refused in between', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const evm = keys().evm('evm', kms.addresses.evm);
    const solana = keys().solana('solana', kms.addresses.solana);
    await evm.check();
    await solana.check();
    clock.mockReturnValue(60_999);
    await kms.behave('ok');
    await evm.sign(HASH);
    expect(await kms.calls()).toEqual(['Sign']);
    await kms.behave('other_signs');
    expect((await failureOf(evm.sign(HASH))).problem).toBe('wrong_key');
    expect((await failureOf(solanaSignature(solana))).problem).toBe('wrong_key');
    expect(await kms.calls()).toEqual(['Sign', 'Sign']);
    await kms.behave('ok');
    await Promise.all([evm.check(), solana.check()]);
    clock.mockReturnValue(121_000);
    await kms.behave('other_key');
    expect((await failureOf(evm.sign(HASH))).problem).toBe('wrong_key');
    expect((await failureOf(solanaSignature(solana))).problem).toBe('wrong_key');
    expect(await kms.calls()).toEqual(['GetPublicKey', 'GetPublicKey']);
    clock.mockRestore();
  });

  it.each(['broken', 'throttled'] as const)('is requested twice if the service is %s', async (mode) => {
    await kms.behave(mode);
    await failureOf(keys().evm('evm', kms.addresses.evm).check());
    expect(await kms.calls()).toEqual(['GetPublicKey', 'GetPublicKey']);
  });

  it.each([
    ['denied', 'key_unavailable', 'refuses (AccessDeniedException)'],
    ['disabled', 'key_unavailable', 'refuses (DisabledException)'],
    ['throttled', 'key_unavailable', 'refuses (ThrottlingException)'],
    ['broken', 'key_unavailable', 'refuses (KMSInternalException)'],
    ['hang', 'key_unavailable', 'does not respond (TimeoutError)'],
    ['sign_hangs', 'key_unavailable', 'does not respond (TimeoutError)'],
    ['garbage', 'wrong_key', 'signed is not of the configured address'],
    ['no_signature', 'wrong_key', 'without a signature'],
    ['other_signs', 'wrong_key', 'signed is not of the configured address'],
    ['other_key', 'wrong_key', 'not the configured one'],
  ] satisfies [KmsMode, string, string][])(
    'yields no signature in mode %s, and signs afterwards',
    async (mode, problem, message) => {
      for (const key of [keys().evm('evm', kms.addresses.evm), keys().evm('evm', kms.addresses.evm)]) {
        await kms.behave(mode);
        const failure = await failureOf(key.sign(HASH));
        expect(failure).toMatchObject({ problem, message: expect.stringContaining(message) });
        await kms.behave('ok');
        expect(await recoverAddress({ hash: HASH, signature: await key.sign(HASH) })).toBe(kms.addresses.evm);
      }
    },
  );

  it('is unavailable without a listener, without permission, and with an unknown id', async () => {
    const silent = keys({ endpoint: 'http://127.0.0.1:9' }).evm('evm', kms.addresses.evm);
    expect(await failureOf(silent.check())).toMatchObject({ problem: 'key_unavailable' });
    expect((await failureOf(keys().evm('unknown', kms.addresses.evm).check())).message).toContain('NotFoundException');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    const stranger = keys().evm('evm', kms.addresses.evm);
    expect((await failureOf(stranger.check())).message).toContain('IncompleteSignatureException');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', kms.secret);
  });
});

describe.skipIf(!anvil.available)(`tokens on an EVM chain with a key in a key service${anvil.note}`, () => {
  it('are created and found; an unavailable service signs nothing, and causes no second token', async () => {
    const { node, proxy, start } = await rig();
    await node.setBalance(kms.addresses.evm, 10n ** 18n);
    const chain = start({ key: keys().evm('evm', kms.addresses.evm) });
    expect(await chain.probe()).toMatchObject({ deployer: kms.addresses.evm, balance: '1' });
    const token = order();
    const journal = await planned(chain, token);
    for (const mode of ['denied', 'sign_hangs', 'other_signs'] as const) {
      await kms.behave(mode);
      await failureOf(chain.sign(journal.plan, token, { nonceFrom: 0n }));
      expect(proxy.count('eth_sendRawTransaction')).toBe(0);
      expect(await chain.observe(journal.plan, [])).toEqual({ kind: 'open' });
    }
    await kms.behave('high_s');
    await drive(chain, token, journal);
    expect(journal.attempts).toHaveLength(1);
    expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);
  });

  it('are replaced with the same nonce and a higher fee', async () => {
    const { node, start } = await rig({ mining: 'by hand' });
    await node.setBalance(kms.addresses.evm, 10n ** 18n);
    const chain = start({ key: keys().evm('evm', kms.addresses.evm) });
    const token = order();
    const journal = await planned(chain, token);
    await round(chain, token, journal);
    const [first] = journal.attempts;
    if (!first) throw new Error('no attempt');
    const second = await chain.sign(journal.plan, token, { nonceFrom: 1n, replaces: first });
    const feeOf = ({ signed }: { signed: Uint8Array }) => {
      const { maxFeePerGas, nonce } = parseTransaction(`0x${Buffer.from(signed).toString('hex')}`);
      return { fee: maxFeePerGas ?? 0n, nonce };
    };
    expect(feeOf(second).nonce).toBe(feeOf(first).nonce);
    expect(feeOf(second).fee).toBeGreaterThan(feeOf(first).fee);
  });

  it.each(['denied', 'hang', 'other_key'] as const)('report a failure with the next heartbeat: %s', async (mode) => {
    const { start } = await rig();
    const chain = start({ key: keys().evm('evm', kms.addresses.evm) });
    await kms.behave(mode);
    expect((await failureOf(chain.probe())).problem).toBe(mode === 'other_key' ? 'wrong_key' : 'key_unavailable');
  });
});

describe.skipIf(!surfnet.available)(`tokens on Solana with a key in a key service${surfnet.note}`, () => {
  it('are created and read back; an unavailable service signs nothing, and causes no second token', async () => {
    net.fund(kms.addresses.solana, 1_000_000_000);
    const chain = await open(net, { key: keys().solana('solana', kms.addresses.solana) });
    expect(await chain.probe()).toMatchObject({ deployer: kms.addresses.solana, balance: '1' });
    const token = await someOrder();
    const plan = await chain.prepare(token);
    for (const mode of ['denied', 'sign_hangs', 'other_signs', 'garbage'] as const) {
      await kms.behave(mode);
      await failureOf(chain.sign(plan, token, NOTHING));
      expect(await chain.observe(plan, [])).toEqual({ kind: 'open' });
    }
    await kms.behave('ok');
    const { attempts, sight } = await driveSolana(chain, plan, token);
    expect(attempts).toHaveLength(1);
    expect(await chain.read(plan, token, sight.transaction)).toMatchObject({
      mintAuthority: null,
      metadataLocked: true,
    });
    expect(await landedAt(net, plan.address)).toEqual([attempts[0]?.transaction]);
  });

  it('are not created with a key of another address', async () => {
    const { address } = await generateKeyPairSigner();
    const chain = await open(net, { key: keys().solana('solana', address) });
    const { problem, message } = await failureOf(chain.probe());
    expect(problem).toBe('wrong_key');
    expect(message).toContain(kms.addresses.solana);
    expect((await failureOf(keys().solana('evm', kms.addresses.solana).check())).problem).toBe('wrong_key');
    expect(() => keys().solana('solana', '0x1')).toThrow(RangeError);
  });
});

describe('a signature in DER form', () => {
  const read = (hex: string) => readDerSignature(hexToBytes(`0x${hex}` as Hex));
  it('is decoded', () => {
    expect(read('3006020101020102')).toEqual({ r: 1n, s: 2n });
    expect(read('30080202008002020081')).toEqual({ r: 128n, s: 129n });
  });
  it.each([
    ['nothing', ''],
    ['no sequence', '3106020101020102'],
    ['bytes behind it', '300602010102010200'],
    ['a length that is too large', '3007020101020102'],
    ['a negative number', '3006020181020102'],
    ['a number that is longer than it needs to be', '300702020001020102'],
    ['no second number', '3003020101'],
    ['a number that ends early', '3006020101020302'],
    ['another kind of number', '3006030101020102'],
  ])('is refused: %s', (_what, hex) => {
    expect(hex === '' ? readDerSignature(new Uint8Array()) : read(hex)).toBeNull();
  });
});
