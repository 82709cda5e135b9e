import { promises as dns, type LookupAddress } from 'node:dns';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';

/** Time limit of name resolution, connection and download together. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** Maximum length of a URL, in characters. */
const MAX_ADDRESS = 2_048;

export type FetchError = 'address' | 'private' | 'redirect' | 'unreachable' | 'slow' | 'large' | 'type';

/** Nothing was fetched, with the reason. */
export class NotFetched extends Error {
  override name = 'NotFetched';
  readonly why: FetchError;
  /** Status code of the response if it was not 200. */
  readonly status: number | null;

  constructor(why: FetchError, cause?: unknown, status: number | null = null) {
    super(`not fetched: ${why}`, { cause });
    this.why = why;
    this.status = status;
  }
}

/** Every IPv4 range that is not public unicast (IANA's special-purpose registry). */
const PRIVATE_V4 = ranges('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);
/**
 * Of IPv6 only global unicast can be public; mapped, translated, local and multicast addresses are thereby excluded.
 */
const GLOBAL_V6 = ranges('ipv6', [['2000::', 3]]);
/** Excluded from that: documentation, special purposes, and ranges that embed an IPv4 address (Teredo, 6to4). */
const SPECIAL_V6 = ranges('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

function ranges(family: 'ipv4' | 'ipv6', nets: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}

/** True for addresses of the public internet; false for invalid text. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !PRIVATE_V4.check(address, 'ipv4');
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

/** Parameters of the download. */
interface What {
  /** Value of the Accept header. */
  accept: string;
  /** Value of the User-Agent header. */
  agent: string;
  /** Maximum size of the response body, in bytes. */
  maxBytes: number;
}

export interface FetcherOptions {
  /** Resolves a host name to all of its addresses. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
  isPublic?: (address: string) => boolean;
  request?: typeof https.request;
  /** Port, 443 by default; another one for tests. */
  port?: number;
  timeoutMs?: number;
}

export type Fetcher = (url: string) => Promise<Buffer>;

/**
 * Fetches URLs from users without giving access to the internal network (SSRF): https on port 443 only, public
 * addresses only, the name resolved once and the connection made to that address, no redirects, no cookies, a maximum
 * size and a time limit of 5 seconds.
 *
 * @throws NotFetched (the promise rejects).
 */
export function createFetcher(what: What, means: FetcherOptions = {}): Fetcher {
  const { port = 443, timeoutMs = TIMEOUT_MS, isPublic = isPublicAddress, request = https.request } = means;
  const resolve = means.resolve ?? ((name) => dns.lookup(name, { all: true }));
  return async (text) => {
    const url = addressOf(text);
    const signal = AbortSignal.timeout(timeoutMs);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await inTime(signal, resolve(host));
    // One non-public address is enough to refuse: no legitimate host needs a mixture.
    if (!found.every(({ address }) => isPublic(address))) throw new NotFetched('private');
    const [target] = found;
    if (!target) throw new NotFetched('unreachable');
    return read(url, target, { ...what, port, signal, isPublic, request });
  };
}

/** @throws NotFetched for everything but an https URL without port and credentials. */
function addressOf(text: string): URL {
  const url = text.length <= MAX_ADDRESS ? URL.parse(text.trim()) : null;
  const plain = url?.protocol === 'https:' && url.hostname && !url.port && !url.username && !url.password;
  if (!plain) throw new NotFetched('address');
  return url;
}

/** Waits for a promise that cannot be cancelled until the signal aborts. @throws NotFetched */
async function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new NotFetched('slow')), { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof NotFetched ? error : new NotFetched('unreachable', error);
  }
}

function read(
  url: URL,
  target: LookupAddress,
  {
    port,
    signal,
    isPublic,
    request,
    accept,
    agent,
    maxBytes,
  }: Required<Pick<FetcherOptions, 'port' | 'isPublic' | 'request'>> & What & { signal: AbortSignal },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fetching = request({
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port,
      path: url.pathname + url.search,
      method: 'GET',
      // A new connection to the checked address: the name is not resolved again.
      agent: false,
      lookup: (_name, options, done) =>
        options.all ? done(null, [target]) : done(null, target.address, target.family),
      signal,
      headers: {
        host: url.host,
        accept,
        'accept-encoding': 'identity',
        'user-agent': agent,
      },
    });
    const stop = (why: FetchError, cause?: unknown, status?: number) => {
      reject(new NotFetched(why, cause, status));
      fetching.destroy();
    };
    fetching.on('error', (error) => stop(signal.aborted ? 'slow' : 'unreachable', error));
    fetching.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      // The peer must be the machine that was allowed, whatever the socket's path.
      if (!isPublic(response.socket.remoteAddress ?? '')) return stop('private');
      if (statusCode >= 300 && statusCode < 400) return stop('redirect');
      if (statusCode !== 200) return stop('unreachable', undefined, statusCode);
      if ((headers['content-encoding'] ?? 'identity') !== 'identity') return stop('type');
      if (Number(headers['content-length'] ?? 0) > maxBytes) return stop('large');
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) return stop('large');
        chunks.push(chunk);
      });
      // Closed before the end: timed out, or the server closed the connection.
      response.on('close', () => {
        if (!response.complete) stop(signal.aborted ? 'slow' : 'unreachable');
      });
      response.on('end', () => {
        if (response.complete) resolve(Buffer.concat(chunks));
      });
    });
    fetching.end();
  });
}
