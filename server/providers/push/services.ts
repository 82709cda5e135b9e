import type { PushTransport } from './port.ts';

/** Longest time for one message. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Chrome, Edge and most others; Firefox; Safari; Edge of earlier. */
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

/** The push services of the browsers. @param accepts which addresses count as such; another list only for tests. */
export const pushServices = (accepts: (endpoint: string) => boolean = isOfService): PushTransport => ({
  accepts,
  async post(endpoint, headers, body) {
    // What was stored once must still be one of theirs.
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
    return { status: response.status, retryAfter: Number.isFinite(wait) && wait >= 0 ? wait : null };
  },
});
