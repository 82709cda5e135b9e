import { z } from 'zod';
import { nodeHttp } from './node-http.ts';
import { ChainError } from './port.ts';
import { type Failure, readFailure } from './solana-failures.ts';

/** Longest wait for one answer. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Longest answer that is read. Bytes; a list of 1,000 signatures has about 250 KB. */
const MAX_ANSWER = 1024 * 1024;

/** The node answered, in the words of the protocol, that it won't. Callers who know better look at the code. */
export class NodeRefusal extends ChainError {
  readonly code: number;
  /** What failed while the node tried the transaction out; null in other refusals. */
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

/** Asks one method; throws `unreachable` for everything but an answer of that shape. */
export type Call = <T>(method: string, params: readonly unknown[], shape: z.ZodType<T>) => Promise<T>;

/**
 * One Solana node over JSON-RPC. Its address often holds a password, so no error repeats it, nor the node's own words.
 *
 * @throws RangeError for an address that is none.
 */
export function solanaRpc(address: string, timeoutMs = TIMEOUT_MS): Call {
  const post = nodeHttp(address, { timeoutMs, most: MAX_ANSWER });
  let serial = 0;

  return async (method, params, shape) => {
    const id = ++serial;
    const got = await post({ jsonrpc: '2.0', id, method, params });
    if ('silence' in got)
      throw new ChainError('unreachable', `The Solana node does not answer ${method} (${got.silence})`);
    if (got.status !== 200)
      throw new ChainError('unreachable', `The Solana node answers ${method} with status ${got.status}`);
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

/** An answer from which nothing can be concluded. */
export const invalidAnswer = (what: string): ChainError =>
  new ChainError('unreachable', `The Solana node's answer makes no sense (${what})`);
