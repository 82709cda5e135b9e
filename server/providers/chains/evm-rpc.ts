import { z } from 'zod';
import { nodeHttp } from './node-http.ts';
import { ChainError } from './port.ts';

/** Longest wait for one answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Longest answer that is read. Bytes; a block of 3,000 transactions has about 250 KB. */
const MAX_ANSWER = 2 * 1024 * 1024;
/** Pauses before a question is asked again. Milliseconds. */
const BACKOFF_MS = [100, 400];

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
export type RpcCall = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>) => Promise<T>;

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
 * One EVM node over JSON-RPC. No error repeats its address, nor its own words.
 *
 * @returns `read` asks again when there was no answer, `send` never.
 * @throws RangeError for an address that is none.
 */
export function evmRpc(address: string, timeoutMs = TIMEOUT_MS): { read: RpcCall; send: RpcCall } {
  const post = nodeHttp(address, { timeoutMs, most: MAX_ANSWER });
  let serial = 0;

  const send: RpcCall = async (method, params, shape) => {
    const id = ++serial;
    const got = await post({ jsonrpc: '2.0', id, method, params });
    if ('silence' in got)
      throw new NoAnswer(`The node does not answer ${method} (${got.silence})`, got.silence === 'no connection');
    const { status } = got;
    if (OF_THE_WAY.has(status) || status >= 500)
      throw new NoAnswer(`The node answers ${method} with status ${status}`, status === 429 || status >= 500);
    const answer = answerShape.safeParse(got.json).data;
    if (answer?.error && (answer.id === id || answer.id === null))
      throw refusal(method, answer.error.code, answer.error.message);
    if (status !== 200) throw new NoAnswer(`The node answers ${method} with status ${status}`, false);
    if (!answer || answer.id !== id || !('result' in answer)) throw invalidAnswer(method);
    const result = shape.safeParse(answer.result);
    if (!result.success) throw invalidAnswer(method);
    return result.data;
  };

  const read: RpcCall = async (method, params, shape) => {
    for (const pause of BACKOFF_MS) {
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
export const invalidAnswer = (what: string): ChainError =>
  new ChainError('unreachable', `The node's answer makes no sense (${what})`);
