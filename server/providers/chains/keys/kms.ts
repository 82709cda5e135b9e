// Keys in AWS KMS, or in a service with the same API: they never leave it (docs/adr/0074-keys-in-a-key-service.md).
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { getBase58Decoder, type SignatureBytes, address as solanaAddress } from '@solana/kit';
import { type Address, bytesToHex, getAddress, type Hex, hexToBytes, recoverAddress, type Signature } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { ChainError } from '../port.ts';
import { readDerSignature } from './der.ts';
import type { EvmKey, SolanaKey } from './port.ts';

/** Validity of a verified public key. Milliseconds. */
const CHECKED_FOR_MS = 60_000;
/** Order of secp256k1: of `s` and this minus `s`, chains accept the lower one. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export interface KmsOptions {
  region: string;
  /** Undefined for Amazon's own endpoint. */
  endpoint?: string | undefined;
  /** Timeouts for a connection and for a response; each call is attempted twice. Milliseconds. */
  timeouts?: { connect: number; answer: number } | undefined;
}

/** Keys of one service, by their ids there and the addresses that the operator expects. */
export interface KeyService {
  /** @throws RangeError for an invalid address. */
  evm(keyId: string, address: string): EvmKey;
  /** @throws RangeError for an invalid address. */
  solana(keyId: string, address: string): SolanaKey;
  close(): void;
}

/**
 * Creates a client without sending a request. Credentials are found like by Amazon's own tools: variables AWS_…, a
 * profile, or a role of the machine.
 */
export function kmsKeys({ region, endpoint, timeouts = { connect: 3_000, answer: 10_000 } }: KmsOptions): KeyService {
  const client = new KMSClient({
    region,
    maxAttempts: 2,
    ...(endpoint ? { endpoint } : {}),
    requestHandler: {
      connectionTimeout: timeouts.connect,
      requestTimeout: timeouts.answer,
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.answer,
    },
  });
  return {
    evm: (keyId, address) =>
      evmKey(
        client,
        keyId,
        readAddress(() => getAddress(address)),
      ),
    solana: (keyId, address) =>
      solanaKey(
        client,
        keyId,
        readAddress(() => solanaAddress(address.trim())),
      ),
    close: () => client.destroy(),
  };
}

function readAddress<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new RangeError('The address of the key in the key service is not an address of this network');
  }
}

function evmKey(client: KMSClient, keyId: string, address: Address): EvmKey {
  const check = checked(client, keyId, address, ({ crv, x, y }) => {
    if (crv !== 'secp256k1' || !x || !y) return null;
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    return publicKeyToAddress(bytesToHex(point));
  });
  return {
    address,
    check: async () => void (await check.now()),
    async sign(hash) {
      await check.now();
      const bytes = await signed(client, check.forget, {
        KeyId: keyId,
        Message: hexToBytes(hash),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const parts = readDerSignature(bytes);
      const signature = parts && (await recoverable(hash, parts, address));
      return signature ?? wrong(check.forget, 'What the key service signed is not of the configured address');
    },
  };
}

/** The signature with the lower `s`, with the recovery bit that gives the address; null if neither bit does. */
async function recoverable(hash: Hex, { r, s }: { r: bigint; s: bigint }, address: Address): Promise<Signature | null> {
  if (r <= 0n || r >= N || s <= 0n || s >= N) return null;
  const numbers = { r: inHex(r), s: inHex(s > N / 2n ? N - s : s) };
  for (const yParity of [0, 1]) {
    const signature = { ...numbers, yParity, v: BigInt(27 + yParity) };
    const found = await recoverAddress({ hash, signature }).catch(() => null);
    if (found === address) return signature;
  }
  return null;
}

const inHex = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

function solanaKey(client: KMSClient, keyId: string, address: ReturnType<typeof solanaAddress>): SolanaKey {
  const check = checked(client, keyId, address, ({ crv, x }) =>
    crv === 'Ed25519' && x ? getBase58Decoder().decode(Buffer.from(x, 'base64url')) : null,
  );
  const sign = async (message: Uint8Array): Promise<SignatureBytes> => {
    const key = await check.now();
    const bytes = await signed(client, check.forget, {
      KeyId: keyId,
      Message: message,
      MessageType: 'RAW',
      SigningAlgorithm: 'ED25519_SHA_512',
    });
    if (bytes.length !== 64 || !verify(null, message, key, bytes))
      wrong(check.forget, 'What the key service signed is not of the configured address');
    return bytes as SignatureBytes;
  };
  return {
    check: async () => void (await check.now()),
    signer: {
      address,
      signTransactions: (transactions) =>
        Promise.all(
          transactions.map(async ({ messageBytes }) => ({ [address]: await sign(Uint8Array.from(messageBytes)) })),
        ),
    },
  };
}

/**
 * Fetches the public key, at most once a minute while it matches.
 *
 * @param addressOf the address of a public key; null for a key of another kind.
 */
function checked(client: KMSClient, keyId: string, expected: string, addressOf: (key: JsonWebKey) => string | null) {
  let last: { key: ReturnType<typeof createPublicKey>; at: number } | null = null;
  const forget = () => {
    last = null;
  };
  return {
    forget,
    async now() {
      if (last && performance.now() - last.at < CHECKED_FOR_MS) return last.key;
      forget();
      const { PublicKey } = await withKmsErrors(client.send(new GetPublicKeyCommand({ KeyId: keyId })));
      const key = PublicKey && readPublicKey(PublicKey);
      const found = key ? addressOf(key.export({ format: 'jwk' })) : null;
      if (!key || found === null)
        return wrong(forget, 'The key in the key service is not of the kind that the network needs');
      // The address is public; during the setup the operator learns it from this message.
      if (found !== expected)
        return wrong(forget, `The key in the key service has the address ${found}, not the configured one`);
      last = { key, at: performance.now() };
      return key;
    },
  };
}

function readPublicKey(der: Uint8Array): ReturnType<typeof createPublicKey> | null {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** The bytes of a signature. On failure the verified key is dropped, so that the next heartbeat reports the cause. */
async function signed(
  client: KMSClient,
  forget: () => void,
  input: ConstructorParameters<typeof SignCommand>[0],
): Promise<Uint8Array> {
  try {
    const { Signature: bytes } = await withKmsErrors(client.send(new SignCommand(input)));
    if (bytes) return bytes;
  } catch (error) {
    forget();
    throw error;
  }
  return wrong(forget, 'The key service answered without a signature');
}

function wrong(forget: () => void, message: string): never {
  forget();
  throw new ChainError('wrong_key', message);
}

/**
 * Converts errors of the key service into ChainError 'key_unavailable'. Only the name of the error is included:
 * messages contain accounts, roles and addresses.
 */
async function withKmsErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    const known = /^[A-Za-z.]{1,60}$/.test(name ?? '') ? name : 'unknown';
    const refused = $metadata?.httpStatusCode !== undefined;
    throw new ChainError('key_unavailable', `The key service ${refused ? 'refuses' : 'does not respond'} (${known})`);
  }
}
