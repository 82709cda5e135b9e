import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveHub } from './hub.ts';

/** Bytes that may wait in one stream before its reader counts as gone. */
const MAX_BACKLOG = 64 * 1024;
const KEEP_ALIVE = 25_000;

export interface LiveStreams {
  /** Takes over a GET /live request. Answers 503 when `most` streams are open. */
  open(req: IncomingMessage, res: ServerResponse): void;
  readonly size: number;
  /** Ends all streams; browsers reconnect by themselves. */
  close(): void;
}

/**
 * Server-sent events straight on the sockets: each event is turned into bytes once and written to all. A reader that does
 * not keep up is cut; it reads everything again when it returns.
 */
export function createLiveStreams(hub: LiveHub, now: () => Date, most = 3_000): LiveStreams {
  const streams = new Set<ServerResponse>();

  function send(frame: string): void {
    const bytes = Buffer.from(frame);
    for (const res of streams) {
      if (res.writableLength > MAX_BACKLOG) res.destroy();
      else res.write(bytes);
    }
  }
  const sync = () =>
    `event: sync\ndata: ${JSON.stringify({ serverTime: now().toISOString(), changedAt: hub.changedAt })}\n\n`;

  hub.onEvent((event) => send(`data: ${JSON.stringify(event)}\n\n`));
  hub.onResync(() => send(sync()));
  const beat = setInterval(() => send(': \n\n'), KEEP_ALIVE);
  beat.unref();

  return {
    get size() {
      return streams.size;
    },
    open(req, res) {
      if (streams.size >= most) {
        res
          .writeHead(503, { 'retry-after': '10', 'content-type': 'text/plain; charset=utf-8' })
          .end('Too many streams');
        return;
      }
      req.socket.setTimeout(0);
      req.socket.setNoDelay(true);
      res.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      });
      res.write(`retry: 2000\n${sync()}`);
      streams.add(res);
      res.once('close', () => streams.delete(res));
      res.on('error', () => streams.delete(res));
    },
    close() {
      clearInterval(beat);
      for (const res of streams) res.end();
      streams.clear();
    },
  };
}
