// HTTP client for a chain's node: JSON, with a timeout and a maximum size of every response.

export interface NodeHttpOptions {
  /** Timeout of one request. Milliseconds. */
  timeoutMs: number;
  /** Maximum size of a response. Bytes. */
  maxBytes: number;
}

/** Reasons for a missing response. */
type Silence = 'timeout' | 'too long' | 'no connection';

/** The response: its JSON, or null when it is not JSON; or the reason why there is none. Never contains the node's address. */
export type NodeAnswer = { status: number; json: unknown } | { silence: Silence };

/**
 * Posts JSON to a node. Its address often contains a password, so no result or error includes it.
 *
 * @throws RangeError for an invalid address.
 */
export function nodeHttp(
  address: string,
  { timeoutMs, maxBytes }: NodeHttpOptions,
): (body: object) => Promise<NodeAnswer> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RangeError('The address of the node is not an http(s) address');
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  if (url.username || url.password) {
    const login = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(login).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  return async (body) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        // Only the configured host is contacted.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, json: jsonOf(await readText(response, maxBytes)) };
    } catch (error) {
      return { silence: silenceOf(error) };
    }
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw new RangeError('too long');
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The reason in one word; never the message of fetch, which quotes the address. */
function silenceOf(error: unknown): Silence {
  if (error instanceof RangeError) return 'too long';
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'no connection';
}
