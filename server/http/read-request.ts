import type { IncomingMessage } from 'node:http';

/** Limits of a body. */
export interface BodyLimits {
  maxBytes: number;
  /** Timeout for receiving it. Milliseconds. */
  timeoutMs: number;
}

/**
 * Reads the body of a request outside of the framework.
 *
 * @returns its bytes, or the status of the refusal: 413 when it is too large, 408 when it is late or incomplete. The unread
 * rest then stays in the connection, so the response has to close it.
 */
export function readRequest(req: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer | 408 | 413> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: Buffer | 408 | 413) => {
      clearTimeout(timer);
      req.off('data', collect).off('end', finish).off('close', abort);
      resolve(outcome);
    };
    const collect = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle(413);
      else chunks.push(chunk);
    };
    const finish = () => settle(Buffer.concat(chunks, size));
    const abort = () => settle(408);
    const timer = setTimeout(() => settle(408), timeoutMs);
    req.on('data', collect).on('end', finish).on('close', abort);
  });
}
