import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pushServices } from '#server/providers/push/services.ts';

interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Keys of a browser's subscription. */
export function browserKeys() {
  const pair = createECDH('prime256v1');
  return { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
}

/**
 * A push service on loopback. It keeps what arrives as it came; `read` decrypts it as the browser would (RFC 8291, RFC 8188),
 * with code of its own, and checks who sent it (RFC 8292).
 *
 * @param service origin of the push service whose messages are redirected here; its own address by default.
 */
export async function startPushServer(service?: string) {
  const arrived: Arrived[] = [];
  /** Status of the next responses; 201 by default. */
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      arrived.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(parts) });
      const { status, headers } = answers.shift() ?? { status: 201 };
      res.writeHead(status, headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = service ?? url;
  return {
    url,
    arrived,
    answers,
    transport: pushServices((endpoint) => endpoint.startsWith(`${origin}/`)),
    /** Creates a browser that subscribes. */
    browser: (name: string) => {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const auth = randomBytes(16);
      return {
        subscription: {
          endpoint: `${origin}/${name}`,
          p256dh: pair.getPublicKey('base64url'),
          auth: auth.toString('base64url'),
        },
        /** Received texts. @throws when one was not encrypted for it, or not sent with the key of the site. */
        read: (siteKey: string): Record<string, unknown>[] =>
          arrived
            .filter(({ path }) => path === `/${name}`)
            .map((one) => {
              checkSender(one.headers.authorization ?? '', siteKey, origin);
              return JSON.parse(decrypt(one.body, pair, auth).toString('utf8')) as Record<string, unknown>;
            }),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32));
  const of = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${use}\0`), length));
  const sealed = body.subarray(21 + senderKey.length);
  const open = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12));
  open.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
  // One record, which ends with its mark.
  return plain.subarray(0, plain.lastIndexOf(2));
}

function checkSender(authorization: string, siteKey: string, origin: string): void {
  const { token = '', key = '' } = /^vapid t=(?<token>[^,]+), k=(?<key>.+)$/.exec(authorization)?.groups ?? {};
  const [head = '', claims = '', signature = ''] = token.split('.');
  const raw = Buffer.from(siteKey, 'base64url');
  const known = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: raw.subarray(1, 33).toString('base64url'),
      y: raw.subarray(33).toString('base64url'),
    },
  });
  const payload = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { aud: string };
  const ok = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: known, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!ok || key !== siteKey || payload.aud !== origin) throw new Error('not sent with the key of the site');
}
