import { z } from 'zod';
import { nodeHttp } from './node-http.ts';
import { ChainError } from './port.ts';
import { type Failure, readFailure } from './solana-failures.ts';

/** Timeout of one request. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response. Bytes; a list of 1,000 signatures has about 250 KB. */
const MAX_ANSWER = 1024 * 1024;

/** A protocol error of the node. Callers can interpret the code and the failure. */
export class NodeRefusal extends ChainError {
  readonly code: number;
  /** The failure in the simulation of the transaction; null in other refusals. */
  readonly failure: Failure | null;
  constructor(method: string, code: number, failure: Failure | null) {
    super('unreachable', `The Solana node refuses ${method} (${code})`);
    this.name = 'NodeRefusal';
    this.code = code;
    this.failure = failure;
  }
}

const answerShape = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: z.number(), result: z.unknown(), error: z.undefined().optional() }),
  z.object({
    jsonrpc: z.literal('2.0'),
    id: z.number(),
    error: z.object({
      code: z.int(),
      message: z.string().catch(''),
      data: z.object({ err: z.unknown() }).nullish().catch(null),
    }),
  }),
]);

/** Calls one method; throws `unreachable` for everything that does not match the schema. */
export type Call = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>) => Promise<T>;

/**
 * One Solana node over JSON-RPC. Its address often contains a password, so errors contain neither it nor the node's
 * messages.
 *
 * @throws RangeError for an invalid address.
 */
export function solanaRpc(address: string, timeoutMs = TIMEOUT_MS): Call {
  const post = nodeHttp(address, { timeoutMs, maxBytes: MAX_ANSWER });
  let serial = 0;

  return async (method, params, shape) => {
    const id = ++serial;
    const got = await post({ jsonrpc: '2.0', id, method, params });
    if ('silence' in got)
      throw new ChainError('unreachable', `The Solana node does not respond to ${method} (${got.silence})`);
    if (got.status !== 200)
      throw new ChainError('unreachable', `The Solana node responds to ${method} with status ${got.status}`);
    const answer = answerShape.safeParse(got.json).data;
    if (answer?.id !== id) throw invalidAnswer(method);
    if (answer.error) {
      const { code, message, data } = answer.error;
      throw new NodeRefusal(method, code, readFailure(data?.err, message));
    }
    const result = shape.safeParse(answer.result);
    if (!result.success) throw invalidAnswer(method);
    return result.data;
  };
}

/** A response that does not allow any conclusion. */
export const invalidAnswer = (what: string): ChainError =>
  new ChainError('unreachable', `The Solana node's response is invalid (${what})`);
