import { z } from 'zod';
import { nodeHttp } from './node-http.ts';
import { ChainError } from './port.ts';

/** Timeout of one request. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response. Bytes; a block of 3,000 transactions has about 250 KB. */
const MAX_ANSWER = 2 * 1024 * 1024;
/** Delays before retries. Milliseconds. */
const BACKOFF_MS = [100, 400];

/** Categories of a node's refusal; different node software words them differently. */
export type RefusalKind = 'known' | 'nonce_too_low' | 'underpriced' | 'no_funds' | 'reverted' | 'no_method' | 'other';

const MESSAGES: readonly [RefusalKind, RegExp][] = [
  ['known', /already ?known|already imported|known transaction|already exists|already in (the )?(mem)?pool/i],
  ['nonce_too_low', /nonce( is)? too low|old ?nonce|nonce has already been used/i],
  ['no_funds', /insufficient ?funds|exceeds account balance|insufficient balance/i],
  ['underpriced', /underpriced|fee ?too ?low|price (is )?too low|(less|lower) than (the )?block base fee|price below/i],
  ['reverted', /revert/i],
];
/** Our own wording: the node's messages can contain its address, or a key in it. */
const MEANING: Record<RefusalKind, string> = {
  known: 'has the transaction already',
  nonce_too_low: 'reports that the nonce is used already',
  no_funds: "reports that the deployer's balance does not cover the fees",
  underpriced: 'reports that the fee is too low',
  reverted: 'reports that the call would be reverted',
  no_method: 'does not offer the method',
  other: 'refuses',
};

/** The node returned a protocol error. */
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
  const kind = MESSAGES.find(([, pattern]) => pattern.test(message))?.[0] ?? (code === 3 ? 'reverted' : 'other');
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
/** Status codes of a server in front of the node, whatever the body contains; also all from 500 on. */
const NODE_UNREACHED_STATUSES = new Set([401, 403, 404, 408, 429]);

/** Calls one method. Throws {@link NodeRefusal}, or `unreachable` for everything that does not match the schema. */
export type RpcCall = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>) => Promise<T>;

/** The node itself did not respond. */
class NoAnswer extends ChainError {
  /** True when an immediate retry makes sense. */
  readonly again: boolean;
  constructor(message: string, again: boolean) {
    super('unreachable', message);
    this.name = 'NoAnswer';
    this.again = again;
  }
}

/**
 * One EVM node over JSON-RPC. No error contains its address or its messages.
 *
 * @returns `read` retries when there was no response, `send` never does.
 * @throws RangeError for an invalid address.
 */
export function evmRpc(address: string, timeoutMs = TIMEOUT_MS): { read: RpcCall; send: RpcCall } {
  const post = nodeHttp(address, { timeoutMs, maxBytes: MAX_ANSWER });
  let serial = 0;

  const send: RpcCall = async (method, params, shape) => {
    const id = ++serial;
    const got = await post({ jsonrpc: '2.0', id, method, params });
    if ('silence' in got)
      throw new NoAnswer(`The node does not respond to ${method} (${got.silence})`, got.silence === 'no connection');
    const { status } = got;
    if (NODE_UNREACHED_STATUSES.has(status) || status >= 500)
      throw new NoAnswer(`The node responds to ${method} with status ${status}`, status === 429 || status >= 500);
    const answer = answerShape.safeParse(got.json).data;
    if (answer?.error && (answer.id === id || answer.id === null))
      throw refusal(method, answer.error.code, answer.error.message);
    if (status !== 200) throw new NoAnswer(`The node responds to ${method} with status ${status}`, false);
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

/** A response that does not allow any conclusion. */
export const invalidAnswer = (what: string): ChainError =>
  new ChainError('unreachable', `The node's response is invalid (${what})`);
