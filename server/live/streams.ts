import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveEvent } from '#contract/live.ts';
import { createSlots, sharesOf } from '#server/lib/concurrency/slots.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import type { LiveHub, SessionEnded } from './hub.ts';

/** Bytes that may wait in one stream before its reader counts as gone. */
const MAX_BACKLOG = 64 * 1024;
const KEEP_ALIVE = 25_000;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;
/** The last words of a stream whose session ended: the tabs ask again who is signed in. */
const SESSION_ENDED = 'event: session\ndata: ended\n\n';

export interface LiveStreams {
  /**
   * Takes over a request for /live; HEAD is answered at once. Answers 503 when `most` streams are open, 429 past
   * `maxPerAddress` from one address, or a few times as many from its networks.
   */
  open(req: IncomingMessage, res: ServerResponse, address: string): void;
  readonly size: number;
  /** Ends all streams; browsers reconnect by themselves. */
  close(): void;
}

interface Options {
  hub: LiveHub;
  now: () => Date;
  /** Who is behind a cookie. */
  readSession: (cookie: string | undefined) => Promise<Viewer | null>;
  /** Streams at once. */
  most?: number;
  /** Streams at once from one address, so that nobody alone takes all places; this machine itself has no such limit. */
  maxPerAddress?: number;
}

interface Reader {
  /** Gives its place back. */
  leave: () => void;
  cookie: string | undefined;
  /** Null for visitors, and until it is known who reads. */
  owner: Pick<Viewer, 'id' | 'sessionId'> | null;
}

/**
 * Server-sent events straight on the sockets: each event is turned into bytes once and written to all. A reader that does
 * not keep up is cut; it reads everything again when it returns. The stream of a signed-in browser ends at once when its
 * session is revoked, or its member disabled or removed.
 */
export function createLiveStreams({ hub, now, readSession, most = 3_000, maxPerAddress = 60 }: Options): LiveStreams {
  const streams = new Map<ServerResponse, Reader>();
  const places = createSlots(most);
  /** Ends that were received while streams were still finding out whose they are. */
  const receivedMeanwhile: SessionEnded[] = [];
  let findingOut = 0;

  function send(frame: string): void {
    const bytes = Buffer.from(frame);
    for (const res of streams.keys()) {
      if (res.writableLength > MAX_BACKLOG) res.destroy();
      else res.write(bytes);
    }
  }
  const sync = () =>
    `event: sync\ndata: ${JSON.stringify({ serverTime: now().toISOString(), changedAt: hub.changedAt })}\n\n`;

  const isOf = ({ owner }: Reader, who: SessionEnded) =>
    owner !== null && ('session' in who ? owner.sessionId === who.session : owner.id === who.member);
  const leave = (res: ServerResponse) => {
    const reader = streams.get(res);
    if (!reader) return;
    streams.delete(res);
    reader.leave();
  };
  const end = (res: ServerResponse) => {
    leave(res);
    res.end(SESSION_ENDED);
  };

  async function findOwner(res: ServerResponse, reader: Reader): Promise<void> {
    findingOut++;
    try {
      const viewer = await readSession(reader.cookie);
      if (!streams.has(res)) return;
      const lost = reader.owner !== null && viewer === null;
      reader.owner = viewer && { id: viewer.id, sessionId: viewer.sessionId };
      if (lost || receivedMeanwhile.some((who) => isOf(reader, who))) end(res);
      // Perhaps over before anybody knew whose stream it is: tabs that show a member hear so; it goes on as a visitor's.
      else if (viewer === null) res.write(SESSION_ENDED);
    } catch {
      // Nobody knows whose it is: it comes back and asks again.
      res.end();
    } finally {
      if (--findingOut === 0) receivedMeanwhile.length = 0;
    }
  }

  hub.onEvent((event) => {
    if (event.type !== 'member.notified') return send(`data: ${JSON.stringify(event)}\n\n`);
    const members = new Set(event.members);
    // Whose news it is stays here.
    const frame = `data: ${JSON.stringify({ type: event.type } satisfies LiveEvent)}\n\n`;
    for (const [res, { owner }] of streams) if (owner && members.has(owner.id)) res.write(frame);
  });
  hub.onEnded((who) => {
    if (findingOut > 0) receivedMeanwhile.push(who);
    for (const [res, reader] of streams) if (isOf(reader, who)) end(res);
  });
  hub.onResync(() => {
    send(sync());
    // An end may have been missed.
    for (const [res, reader] of streams) if (reader.owner) void findOwner(res, reader);
  });
  const beat = setInterval(() => send(': \n\n'), KEEP_ALIVE);
  beat.unref();

  return {
    get size() {
      return streams.size;
    },
    open(req, res, address) {
      if (req.method === 'HEAD') {
        res.writeHead(200, HEADERS).end();
        return;
      }
      const slot = places.take(sharesOf(address, maxPerAddress));
      if (typeof slot === 'string') {
        res
          .writeHead(slot === 'crowded' ? 429 : 503, {
            'retry-after': '10',
            'content-type': 'text/plain; charset=utf-8',
          })
          .end('Too many streams');
        return;
      }
      req.socket.setTimeout(0);
      req.socket.setNoDelay(true);
      res.writeHead(200, HEADERS);
      res.write(`retry: 2000\n${sync()}`);
      const reader: Reader = { leave: slot, cookie: req.headers.cookie, owner: null };
      streams.set(res, reader);
      res.once('close', () => leave(res));
      res.on('error', () => leave(res));
      if (reader.cookie) void findOwner(res, reader);
    },
    close() {
      clearInterval(beat);
      for (const res of [...streams.keys()]) {
        leave(res);
        res.end();
      }
    },
  };
}
