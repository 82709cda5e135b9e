import type { PushTransport } from './port.ts';

/** Timeout of one message. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Maximum accepted retry delay: for that long a push service stores a message. Seconds. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Chrome, Edge and most others; Firefox; Safari; older versions of Edge. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^([a-z0-9-]+\.)*push\.services\.mozilla\.com$/,
  /^([a-z0-9-]+\.)*push\.apple\.com$/,
  /^([a-z0-9-]+\.)*notify\.windows\.com$/,
];

function isOfService(endpoint: string): boolean {
  try {
    const { protocol, hostname, port, username, password } = new URL(endpoint);
    return protocol === 'https:' && !port && !username && !password && SERVICES.some((one) => one.test(hostname));
  } catch {
    return false;
  }
}

/** The push services of browsers. @param accepts check of a URL; another one only for tests. */
export const pushServices = (accepts: (endpoint: string) => boolean = isOfService): PushTransport => ({
  accepts,
  async post(endpoint, headers, body) {
    // A stored URL must still belong to a known service.
    if (!accepts(endpoint)) return { status: 404, retryAfter: null };
    const { 'Content-Length': _length, ...sent } = headers;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: sent,
      body: body ? new Uint8Array(body) : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { status: response.status, retryAfter: wait >= 0 ? Math.min(wait, MAX_RETRY_AFTER_SECONDS) : null };
  },
});
