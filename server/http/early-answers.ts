import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is thrown away of a body whose sender has an answer already: bytes, and milliseconds. */
const MAX_DISCARDED = { bytes: 8 * 1024 * 1024, ms: 5_000 };
/** Between two looks at how much that was. Milliseconds. */
const POLL_MS = 100;

/**
 * Lets an answer reach a sender who is still writing the body: a connection that is closed under its hands takes the answer
 * along. So the answer is written at once and ended only when the rest of the body was thrown away, or enough of it.
 */
export function answerBeforeBodyEnds(req: IncomingMessage, res: ServerResponse): void {
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
    throwAway(req, () => end(...(done ? [done] : [])));
    return res;
  };
}

/** Nobody reads the body any more. @param then called once: it is all there, its sender left, or it was enough. */
function throwAway(req: IncomingMessage, then: () => void): void {
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
  // With a listener: without one the removal above stops the stream a moment later.
  req.on('data', () => {}).resume();
}
