import type { IncomingMessage, ServerResponse } from 'node:http';

/** Limits for discarding the rest of a body after the response: bytes, and milliseconds. */
const MAX_DISCARDED = { bytes: 8 * 1024 * 1024, ms: 5_000 };
/** Interval at which the discarded amount is checked. Milliseconds. */
const POLL_MS = 100;

/**
 * Delivers a response to a client that is still sending its body: closing the connection at once would lose the response. It is
 * therefore written immediately, and the connection is ended only when the rest of the body, up to the limits, was discarded.
 */
export function respondBeforeBodyEnds(req: IncomingMessage, res: ServerResponse): void {
  const announced = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!announced) return;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.end = (...args: unknown[]) => {
    if (req.complete || req.destroyed) return end(...args);
    res.end = end;
    const done = args.find((one) => typeof one === 'function');
    const [chunk, encoding] = args.filter((one) => typeof one !== 'function');
    if (chunk === undefined || chunk === null) res.flushHeaders();
    else res.write(chunk, (encoding ?? 'utf8') as BufferEncoding);
    discardBody(req, () => end(...(done ? [done] : [])));
    return res;
  };
}

/** Discards the rest of the body. @param then called once: at its end, when the client disconnected, or at the limit. */
function discardBody(req: IncomingMessage, then: () => void): void {
  const { socket } = req;
  const began = { bytes: socket.bytesRead, at: performance.now() };
  const settle = () => {
    clearInterval(watch);
    req.off('end', settle).off('close', settle);
    then();
  };
  const watch = setInterval(() => {
    if (socket.bytesRead - began.bytes <= MAX_DISCARDED.bytes && performance.now() - began.at <= MAX_DISCARDED.ms)
      return;
    settle();
    socket.destroySoon();
  }, POLL_MS).unref();
  req.removeAllListeners('data').removeAllListeners('readable');
  req.once('end', settle).once('close', settle);
  // With a listener, because without one the removal above would pause the stream.
  req.on('data', () => {}).resume();
}
