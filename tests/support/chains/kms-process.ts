// A key service as a separate process, with the part of AWS KMS's JSON API that signs: GetPublicKey and Sign. It
// creates its keys and never reveals them; callers have to sign their requests (Signature Version 4). `kms-service.ts`
// starts it; /control sets its behaviour, and returns the received requests.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, hexToBytes } from 'viem';
import { privateKeyToAccount, sign as signHash } from 'viem/accounts';
import type { KmsMode } from './kms-service.ts';

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const { KMS_ACCESS_KEY = '', KMS_SECRET_KEY = '', KMS_REGION = '' } = process.env;

interface Key {
  spec: string;
  type: 'RAW' | 'DIGEST';
  algorithm: string;
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer;
  sign(message: Buffer): Promise<Buffer>;
}

let mode: KmsMode = 'ok';
let calls: string[] = [];

const spkiOf = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' });

function secp256k1(): Key {
  const secret: Hex = `0x${randomBytes(32).toString('hex')}`;
  const point = Buffer.from(hexToBytes(privateKeyToAccount(secret).publicKey));
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const d = Buffer.from(hexToBytes(secret)).toString('base64url');
  const own = createPrivateKey({ key: { kty: 'EC', crv: 'secp256k1', x, y, d }, format: 'jwk' });
  return {
    ...{ spec: 'ECC_SECG_P256K1', type: 'DIGEST', algorithm: 'ECDSA_SHA_256', publicKey: spkiOf(own) },
    async sign(digest) {
      const { r, s } = await signHash({ hash: `0x${digest.toString('hex')}`, privateKey: secret });
      return derOf([BigInt(r), mode === 'high_s' ? N - BigInt(s) : BigInt(s)]);
    },
  };
}

function ed25519(): Key {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    ...{ spec: 'ECC_NIST_EDWARDS25519', type: 'RAW', algorithm: 'ED25519_SHA_512', publicKey: spkiOf(privateKey) },
    sign: async (message) => sign(null, message, privateKey),
  };
}

/** A sequence of two integers. */
function derOf(numbers: [bigint, bigint]): Buffer {
  const integers = numbers.map((value) => {
    const hex = value.toString(16);
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    const own = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(2, own.length), own]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

const keys: Record<string, Key> = { evm: secp256k1(), solana: ed25519() };
/** The keys with the same names in the modes 'other_key' and 'other_signs'. */
const others: Record<string, Key> = { evm: secp256k1(), solana: ed25519() };

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether a request is signed with the secret, as Amazon describes Signature Version 4. */
function isSigned(request: http.IncomingMessage, body: Buffer): boolean {
  const { authorization = '' } = request.headers;
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(authorization) ?? [];
  const [id, date = '', region = '', service = '', end = ''] = credential.split('/');
  if (id !== KMS_ACCESS_KEY || region !== KMS_REGION || service !== 'kms' || end !== 'aws4_request') return false;
  if (!['host', 'x-amz-date', 'x-amz-target'].every((name) => names.split(';').includes(name))) return false;
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [request.method, request.url, '', headers.join(''), names, sha256(body)].join('\n');
  const scope = [date, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, end].reduce<string | Buffer>(
    (so, part) => hmac(so, part),
    `AWS4${KMS_SECRET_KEY}`,
  );
  return hmac(key, text).toString('hex') === signature;
}

const FAILURES: Partial<Record<KmsMode, [number, string]>> = {
  denied: [400, 'AccessDeniedException'],
  disabled: [400, 'DisabledException'],
  throttled: [400, 'ThrottlingException'],
  broken: [500, 'KMSInternalException'],
};

async function answer(request: http.IncomingMessage, body: Buffer): Promise<[number, object] | null> {
  const fault = (status: number, type: string): [number, object] => [
    status,
    { __type: type, message: `${type} of arn:aws:kms:eu-central-1:111122223333:key/secret-name` },
  ];
  const operation = String(request.headers['x-amz-target']).replace(/^TrentService\./, '');
  calls.push(operation);
  if (!isSigned(request, body)) return fault(400, 'IncompleteSignatureException');
  if (mode === 'hang' || (mode === 'sign_hangs' && operation === 'Sign')) return null;
  const failure = FAILURES[mode];
  if (failure) return fault(...failure);
  const input = JSON.parse(body.toString('utf8'));
  const key = keys[input.KeyId];
  const other = others[input.KeyId];
  if (!key || !other) return fault(400, 'NotFoundException');
  if (operation === 'GetPublicKey') {
    const { publicKey, spec } = mode === 'other_key' ? other : key;
    return [
      200,
      { KeyId: input.KeyId, KeySpec: spec, KeyUsage: 'SIGN_VERIFY', PublicKey: publicKey.toString('base64') },
    ];
  }
  if (operation !== 'Sign') return fault(400, 'UnknownOperationException');
  const message = Buffer.from(input.Message, 'base64');
  if (input.SigningAlgorithm !== key.algorithm || input.MessageType !== key.type)
    return fault(400, 'ValidationException');
  if (key.type === 'DIGEST' && message.length !== 32) return fault(400, 'ValidationException');
  if (mode === 'no_signature') return [200, { KeyId: input.KeyId }];
  const signature = mode === 'garbage' ? randomBytes(70) : await (mode === 'other_signs' ? other : key).sign(message);
  return [
    200,
    { KeyId: input.KeyId, Signature: signature.toString('base64'), SigningAlgorithm: input.SigningAlgorithm },
  ];
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const body = Buffer.concat(chunks);
    if (request.url === '/control') {
      if (request.method === 'POST') [mode, calls] = [JSON.parse(body.toString('utf8')).mode, []];
      response.end(JSON.stringify({ calls }));
      return;
    }
    const [status, reply] = (await answer(request, body)) ?? [];
    if (status) response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(reply));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const publicKeys = Object.fromEntries(
    Object.entries(keys).map(([name, { publicKey }]) => [name, publicKey.toString('base64')]),
  );
  process.stdout.write(`${JSON.stringify({ port, publicKeys })}\n`);
});
// Its parent has ended.
process.stdin.on('end', () => process.exit()).resume();
