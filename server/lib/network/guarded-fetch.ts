import { promises as dns, type LookupAddress } from 'node:dns';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';

/** Longest time for name, connection and the whole file together. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** Characters of an address. */
const MAX_ADDRESS = 2_048;

export type FetchError = 'address' | 'private' | 'redirect' | 'unreachable' | 'slow' | 'large' | 'type';

/** Nothing was fetched, and why. */
export class NotFetched extends Error {
  override name = 'NotFetched';
  readonly why: FetchError;
  /** What the other side answered instead of 200. */
  readonly status: number | null;

  constructor(why: FetchError, cause?: unknown, status: number | null = null) {
    super(`not fetched: ${why}`, { cause });
    this.why = why;
    this.status = status;
  }
}

/** Every IPv4 range that is no machine of the public internet (IANA's special-purpose registry). */
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
/** Of IPv6 only global unicast is public at all; so mapped, translated, local and multicast addresses never pass. */
const GLOBAL_V6 = ranges('ipv6', [['2000::', 3]]);
/** And of that not what is documentation, special, or carries an IPv4 address within (Teredo, 6to4). */
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

/** Whether an IP address belongs to the public internet. What can't be read does not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !PRIVATE_V4.check(address, 'ipv4');
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

/** What is fetched. */
interface What {
  /** Of media types. */
  accept: string;
  /** Who asks, for the other side's log. */
  agent: string;
  /** More than these bytes are refused. */
  maxBytes: number;
}

export interface FetcherOptions {
  /** Every address of a name. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
  isPublic?: (address: string) => boolean;
  request?: typeof https.request;
  /** Another port than that of https, for tests. */
  port?: number;
  timeoutMs?: number;
}

export type Fetcher = (url: string) => Promise<Buffer>;

/**
 * Fetches what people name without becoming their way into our network: https on its own port, public addresses only, the name
 * resolved once and the connection made to that very address, no redirects, no cookies, so many bytes at most in 5 seconds.
 *
 * @throws NotFetched (of the promise).
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
    // One that is not public spoils them all: nobody needs such a name.
    if (!found.every(({ address }) => isPublic(address))) throw new NotFetched('private');
    const [target] = found;
    if (!target) throw new NotFetched('unreachable');
    return read(url, target, { ...what, port, signal, isPublic, request });
  };
}

/** @throws NotFetched for everything but a plain https address. */
function addressOf(text: string): URL {
  const url = text.length <= MAX_ADDRESS ? URL.parse(text.trim()) : null;
  const plain = url?.protocol === 'https:' && url.hostname && !url.port && !url.username && !url.password;
  if (!plain) throw new NotFetched('address');
  return url;
}

/** A promise that can't be called off, but need not be waited for. */
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
      // A connection of its own, to the address that was looked at: the name is not resolved again.
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
      // Whatever the way was: what answers must be the machine that was allowed.
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
      // Before its end: called off, or the other side went away.
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
