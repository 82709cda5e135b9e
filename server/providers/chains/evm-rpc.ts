import { z } from 'zod';
import { ChainError } from './port.ts';

/** Longest wait for one answer. Milliseconds. */
const PATIENCE = 10_000;
/** Longest answer that is read. Bytes; a block of 3,000 transactions has about 250 KB. */
const ANSWER_MOST = 2 * 1024 * 1024;
/** Pauses before a question is asked again. Milliseconds. */
const PAUSES = [100, 400];

/** What a node means when it refuses; nodes of different makes say it in different words. */
export type RefusalKind = 'known' | 'nonce_too_low' | 'underpriced' | 'no_funds' | 'reverted' | 'no_method' | 'other';

const WORDS: readonly [RefusalKind, RegExp][] = [
  ['known', /already ?known|already imported|known transaction|already exists|already in (the )?(mem)?pool/i],
  ['nonce_too_low', /nonce( is)? too low|old ?nonce|nonce has already been used/i],
  ['no_funds', /insufficient ?funds|exceeds account balance|insufficient balance/i],
  ['underpriced', /underpriced|fee ?too ?low|price (is )?too low|(less|lower) than (the )?block base fee|price below/i],
  ['reverted', /revert/i],
];
/** In our words: the node's may hold its address, or a key that is part of it. */
const MEANING: Record<RefusalKind, string> = {
  known: 'knows the transaction already',
  nonce_too_low: 'says that the nonce is used already',
  no_funds: 'says that the deployer has too little for the fees',
  underpriced: 'says that the fee is too low',
  reverted: 'says that the call would be reverted',
  no_method: 'does not offer the method',
  other: 'refuses',
};

/** The node answered, in the words of the protocol, that it won't. */
export class NodeRefusal extends ChainError {
  readonly kind: RefusalKind;
  constructor(method: string, code: number, kind: RefusalKind) {
    super(kind === 'no_funds' ? 'low_balance' : 'unreachable', `The node ${MEANING[kind]} (${method}, ${code})`);
    this.name = 'NodeRefusal';
    this.kind = kind;
  }
}

function refusal(method: string, code: number, message: string): NodeRefusal {
  if (code === -32601) return new NodeRefusal(method, code, 'no_method');
  const kind = WORDS.find(([, words]) => words.test(message))?.[0] ?? (code === 3 ? 'reverted' : 'other');
  return new NodeRefusal(method, code, kind);
}

const answerShape = z.union([
  z.object({
    jsonrpc: z.literal('2.0'),
    id: z.number().nullable(),
    error: z.object({ code: z.int(), message: z.string().catch('') }),
  }),
  z.object({ jsonrpc: z.literal('2.0'), id: z.number(), result: z.unknown(), error: z.null().optional() }),
]);
/** Said by a server in front of the node, whatever stands in the answer; as is everything from 500 on. */
const OF_THE_WAY = new Set([401, 403, 404, 408, 429]);

/** Asks one method. Throws {@link NodeRefusal}, or `unreachable` for everything but an answer of that shape. */
export type Ask = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>) => Promise<T>;

/** Nobody answered the question itself. */
class NoAnswer extends ChainError {
  /** Worth asking again at once. */
  readonly again: boolean;
  constructor(message: string, again: boolean) {
    super('unreachable', message);
    this.name = 'NoAnswer';
    this.again = again;
  }
}

/**
 * One EVM node over JSON-RPC. Its address often holds a password, so no error repeats it, nor the node's own words.
 *
 * @returns `read` asks again when there was no answer, `send` never.
 * @throws RangeError for an address that is none.
 */
export function evmRpc(address: string, patience = PATIENCE): { read: Ask; send: Ask } {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw new RangeError('The address of the node is no http address');
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  if (url.username || url.password) {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(login).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  let serial = 0;

  const send: Ask = async (method, params, shape) => {
    const id = ++serial;
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
      status = response.status;
      text = await readText(response);
    } catch (error) {
      const reason = reasonOf(error);
      throw new NoAnswer(`The node does not answer ${method} (${reason})`, reason === 'no connection');
    }
    const answer = answerShape.safeParse(jsonOf(text)).data;
    if (OF_THE_WAY.has(status) || status >= 500)
      throw new NoAnswer(`The node answers ${method} with status ${status}`, status === 429 || status >= 500);
    if (answer?.error && (answer.id === id || answer.id === null))
      throw refusal(method, answer.error.code, answer.error.message);
    if (status !== 200) throw new NoAnswer(`The node answers ${method} with status ${status}`, false);
    if (!answer || answer.id !== id || !('result' in answer)) throw nonsense(method);
    const result = shape.safeParse(answer.result);
    if (!result.success) throw nonsense(method);
    return result.data;
  };

  const read: Ask = async (method, params, shape) => {
    for (const pause of PAUSES) {
      try {
        return await send(method, params, shape);
      } catch (error) {
        if (!(error instanceof NoAnswer && error.again)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return send(method, params, shape);
  };

  return { read, send };
}

/** An answer from which nothing can be concluded. */
export const nonsense = (what: string): ChainError =>
  new ChainError('unreachable', `The node's answer makes no sense (${what})`);

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ANSWER_MOST) throw new RangeError('too long');
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
function reasonOf(error: unknown): 'too long' | 'timeout' | 'no connection' {
  if (error instanceof RangeError) return 'too long';
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'no connection';
}
