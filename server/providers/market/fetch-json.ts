import { readBody } from '#server/lib/network/read-body.ts';
import { MarketError } from './port.ts';

/** Timeout of one request including its body. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response. Bytes; 30 pools have about 60 KB. */
const MAX_ANSWER = 1024 * 1024;

export interface FetchOptions {
  /** Base URL. Redirects are refused, so no other host is contacted. */
  baseUrl: string;
  timeoutMs?: number;
}

/**
 * Reads JSON from a provider of market data; null for unknown tokens (404).
 *
 * @param path variable parts must be encoded.
 * @throws MarketError
 */
export async function fetchJson({ baseUrl, timeoutMs = TIMEOUT_MS }: FetchOptions, path: string): Promise<unknown> {
  const host = new URL(baseUrl).host;
  let response: Response;
  let text: string;
  try {
    response = await fetch(baseUrl.replace(/\/+$/, '') + path, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    text = await readBody(response, MAX_ANSWER);
  } catch (cause) {
    throw new MarketError('away', `${host} does not answer`, { cause });
  }
  const { status } = response;
  const json = parse(text);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  // A body that is not JSON, whatever its status, comes from a server in front.
  if (status === 404 && json !== undefined) return null;
  const refused = (status === 400 || status === 404 || status === 414 || status === 422) && json !== undefined;
  throw new MarketError(
    refused ? 'refused' : 'away',
    `${host} answered ${status}${json === undefined ? ', no JSON' : ''}`,
    {
      retryAfter: retryAfterOf(response.headers.get('retry-after')),
    },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses Retry-After (seconds or a date) into milliseconds from now; null for anything else. */
function retryAfterOf(header: string | null): number | null {
  if (header === null) return null;
  const wait = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

export type Json = Record<string, unknown>;

/** The value as an object; an empty one for anything else. */
export const objectOf = (value: unknown): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {};

/** Amounts are numbers or strings; null for other values, negative ones, and 1e30 or more. */
export function amountOf(value: unknown): number | null {
  const amount = typeof value === 'string' && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim()) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 && amount < 1e30 ? amount : null;
}

/** Like amountOf, for values that cannot be zero: providers use zero for unknown. */
export const positiveOf = (value: unknown): number | null => amountOf(value) || null;
