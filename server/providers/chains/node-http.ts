// The way to a chain's node: JSON over HTTP, with an end to every wait and to every answer.

export interface NodeHttpOptions {
  /** Longest wait for one answer. Milliseconds. */
  timeoutMs: number;
  /** Longest answer that is read. Bytes. */
  most: number;
}

/** Why there was no answer at all. */
type Silence = 'timeout' | 'too long' | 'no connection';

/** What came back: the JSON in it, or null for everything else; or why nothing did. Never the node's address. */
export type NodeAnswer = { status: number; json: unknown } | { silence: Silence };

/**
 * Posts JSON to a node. Its address often holds a password, so nothing that is returned or thrown repeats it.
 *
 * @throws RangeError for an address that is none.
 */
export function nodeHttp(address: string, { timeoutMs, most }: NodeHttpOptions): (body: object) => Promise<NodeAnswer> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw new RangeError('The address of the node is no http address');
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
        // Elsewhere nobody was configured.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, json: jsonOf(await readText(response, most)) };
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

async function readText(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > most) throw new RangeError('too long');
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

/** A word for why; never the message of fetch, which quotes the address. */
function silenceOf(error: unknown): Silence {
  if (error instanceof RangeError) return 'too long';
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'no connection';
}
