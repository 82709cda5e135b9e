import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { CreatedPasskey, SignedByPasskey } from '#contract/domains/passkeys.ts';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
/** User present and verified. */
const VERIFIED = 0b101;
const WITH_KEY = 0b0100_0000;

interface Options {
  /** The origin that the browser reports. */
  origin?: string;
  /** The site that the device's passkey is bound to. */
  rpId?: string;
  /** False when the user is present but not verified. */
  verified?: boolean;
  /** The signature counter; each use increments it. */
  counter?: number;
}

/** A device with one passkey (ES256), implemented independently of the server's library. */
export function authenticator({ origin = 'https://florka.test', rpId = 'florka.test' }: Options = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let uses = 0;
  const clientData = (type: string, challenge: unknown, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  function authData(over: Options, flags: number, more: Buffer = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(over.counter ?? ++uses);
    const seen = over.verified === false ? flags & ~0b100 : flags;
    return Buffer.concat([sha256(over.rpId ?? rpId), Buffer.from([seen]), counter, more]);
  }
  return {
    id: b64(id),
    /** Answers the options of `startAdding`. */
    create(options: Record<string, unknown>, over: Options = {}): CreatedPasskey {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = authData(
        over,
        VERIFIED | WITH_KEY,
        Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]),
      );
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(clientData('webauthn.create', options['challenge'], over.origin ?? origin)),
          attestationObject: b64(attestation),
          transports: ['internal'],
        },
      };
    },
    /** Answers the options of a sign-in, a second step or a step-up. */
    sign(options: Record<string, unknown>, over: Options = {}): SignedByPasskey {
      const data = authData(over, VERIFIED);
      const client = clientData('webauthn.get', options['challenge'], over.origin ?? origin);
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) },
      };
    },
  };
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** A P-256 key as COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
}
