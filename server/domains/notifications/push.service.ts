import { createECDH, ECDH } from 'node:crypto';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import type { PushTransport } from '#server/providers/push/port.ts';
import type { PushService } from './push.port.ts';

/** Seconds that a push service stores a message for an offline browser. */
const TTL_SECONDS = 24 * 3_600;

/** The key pair that identifies this site to push services (RFC 8292), derived from the server's secret: nothing has to be stored. */
export function pushKeys(secret: string): { publicKey: string; privateKey: string } {
  for (let attempt = 0; ; attempt++) {
    const pair = createECDH('prime256v1');
    const privateKey = deriveKey(secret, `web push ${attempt}`);
    try {
      pair.setPrivateKey(privateKey);
    } catch {
      // One number in 2^32 is not a valid key of the curve.
      continue;
    }
    // Not `pair.getPrivateKey()`: it omits leading zero bytes, and web-push refuses a key of fewer than 32 bytes.
    return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
  }
}

/** Bytes of an uncompressed point on P-256, and of the secret of a subscription (RFC 8291, section 2). */
const POINT_BYTES = 65;
const SECRET_BYTES = 16;

/** True if a message can be encrypted with the keys of a browser's subscription, both base64url. */
export function canEncryptFor({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== SECRET_BYTES) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** @param contact address of the operator for push services: `mailto:` or `https:`. */
export function createPushService(options: { secret: string; contact: string; transport: PushTransport }): PushService {
  const { transport } = options;
  const keys = pushKeys(options.secret);
  return {
    publicKey: keys.publicKey,
    accepts: transport.accepts,
    async send({ endpoint, p256dh, auth }, { text, topic }) {
      // Imported with the first message: most processes send none.
      const { default: webPush } = await import('web-push');
      const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject: options.contact, ...keys },
        TTL: TTL_SECONDS,
        topic,
        urgency: 'normal',
        contentEncoding: 'aes128gcm',
      });
      const answer = await transport
        .post(endpoint, request.headers as Record<string, string>, request.body)
        .catch(() => null);
      if (!answer) return { later: null };
      const { status, retryAfter } = answer;
      if (status >= 200 && status < 300) return 'sent';
      if (status === 404 || status === 410) return 'gone';
      if (status === 429 || status >= 500) return { later: retryAfter };
      return 'refused';
    },
  };
}
