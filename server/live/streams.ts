import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LiveEvent } from '#contract/live.ts';
import { createSlots, sharesOf } from '#server/lib/concurrency/slots.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { detachFromHttp } from './detach.ts';
import type { LiveHub, SessionEnded } from './hub.ts';
import { MAX_STREAMS } from './stream-limit.ts';

/** Unsent bytes of one stream from which on its client is disconnected. */
const MAX_BACKLOG = 64 * 1024;
/** Interval of comments that keep proxies from closing an idle stream. Milliseconds. */
const KEEP_ALIVE_MS = 25_000;
/**
 * After an event, those of the next moment are sent together and each once: an event names what to read again, so a
 * repetition adds nothing. However many changes there are, they cost a stream seven writes a second. Milliseconds.
 */
const COALESCE_MS = 150;
/** At shutdown, time to send what is unsent before the connection is cut. Milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;
/** The ids of the members are not sent. */
const NOTIFIED = `data: ${JSON.stringify({ type: 'member.notified' } satisfies LiveEvent)}\n\n`;
/** Last event of a stream whose session ended: the browser's tabs then fetch the session again. */
const SESSION_ENDED = 'event: session\ndata: ended\n\n';

export interface LiveStreams {
  /**
   * Handles a request for /live; HEAD is answered at once. Responds with 503 when `max` streams are open, with 429
   * beyond `maxPerAddress` from one address, or a multiple of it from its networks. The stream begins once earlier responses of
   * its connection have ended; from then on the response is closed for the HTTP server.
   */
  open(req: IncomingMessage, res: ServerResponse, address: string): void;
  readonly size: number;
  /** Maximum number of open streams. */
  readonly max: number;
  /** Ends all streams; browsers reconnect automatically. */
  close(): void;
}

interface Options {
  hub: LiveHub;
  now: () => Date;
  /** Reads the member of a session cookie; null for an invalid one. */
  readSession: (cookie: string | undefined) => Promise<Viewer | null>;
  /** Maximum number of concurrent streams. */
  max?: number;
  /**
   * Maximum number of concurrent streams from one address, so that no single client takes all slots; loopback addresses
   * are not limited.
   */
  maxPerAddress?: number;
}

interface Reader {
  /** Releases the stream's slot. */
  leave: () => void;
  /** Of a member; to read the session again. */
  cookie: string | undefined;
  /** Null for visitors, and until the session has been read. */
  owner: Pick<Viewer, 'id' | 'sessionId'> | null;
  /** The members that were notified while the session was read. */
  notified: ReadonlySet<string>[];
}

/** Passes the first of several frames on at once, and those of the next moment together, each once. */
function coalesceFrames(send: (frames: string) => void): { add: (frame: string) => void; end: () => void } {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  function add(frame: string): void {
    if (timer) {
      pending.add(frame);
      return;
    }
    send(frame);
    timer = setTimeout(flush, COALESCE_MS).unref();
  }
  function flush(): void {
    timer = undefined;
    if (pending.size === 0) return;
    const frames = [...pending].join('');
    pending.clear();
    add(frames);
  }
  return { add, end: () => clearTimeout(timer) };
}

const isOf = ({ owner }: Reader, who: SessionEnded): boolean =>
  owner !== null && ('session' in who ? owner.sessionId === who.session : owner.id === who.member);

/** Sends it to the streams of these members; those whose session is still being read get it afterwards. */
function notifyMembers(streams: ReadonlyMap<Socket, Reader>, members: ReadonlySet<string>): void {
  for (const [socket, reader] of streams)
    if (reader.owner && members.has(reader.owner.id)) socket.write(NOTIFIED);
    else if (!reader.owner && reader.cookie) reader.notified.push(members);
}

/** Cuts connections that are not closed by then. */
function cutLater(sockets: readonly Socket[]): void {
  setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, CLOSE_TIMEOUT_MS).unref();
}

/**
 * Calls `use` once no earlier response uses the connection: at once, or when that response has ended. A client that has received a whole
 * file by its length can send its next request while the server still has to read the end of the file.
 */
function onceConnected(res: ServerResponse, use: (socket: Socket) => void): void {
  if (res.socket) use(res.socket);
  // Node assigns the connection in the middle of its own work on the earlier response.
  else res.once('socket', (socket: Socket) => process.nextTick(() => socket.destroyed || use(socket)));
}

/** Begins a response that ends with its connection, so that what follows is sent as it is, without chunks. */
function beginStream(res: ServerResponse, frames: string): void {
  res.useChunkedEncodingByDefault = false;
  res.shouldKeepAlive = false;
  res.writeHead(200, HEADERS);
  res.write(frames);
}

function refuse(res: ServerResponse, status: 429 | 503, text: string): void {
  res.writeHead(status, { 'retry-after': '10', 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

/**
 * Server-sent events written directly to the sockets: each event is serialized once. A client that does not read fast
 * enough is disconnected; it reads everything again after reconnecting. The stream of a signed-in browser ends as soon
 * as its session is revoked, or its member is disabled or removed.
 */
export function createLiveStreams({
  hub,
  now,
  readSession,
  max = MAX_STREAMS,
  maxPerAddress = 60,
}: Options): LiveStreams {
  const streams = new Map<Socket, Reader>();
  const slots = createSlots(max);
  /** Ended sessions that were received while the sessions of some streams were still being read. */
  const receivedMeanwhile: SessionEnded[] = [];
  let findingOut = 0;

  function send(frame: string): void {
    const bytes = Buffer.from(frame);
    for (const socket of streams.keys()) {
      if (socket.writableLength > MAX_BACKLOG) socket.destroy();
      else socket.write(bytes);
    }
  }
  const changes = coalesceFrames(send);
  const sync = () =>
    `event: sync\ndata: ${JSON.stringify({ serverTime: now().toISOString(), changedAt: hub.changedAt })}\n\n`;

  const leave = (socket: Socket) => {
    const reader = streams.get(socket);
    if (!reader) return;
    streams.delete(socket);
    reader.leave();
  };
  const end = (socket: Socket, last = '') => {
    leave(socket);
    if (last) socket.write(last);
    socket.destroySoon();
  };
  /** The same functions for all streams: closures of each would take memory of their own. */
  const listeners = {
    close(this: Socket) {
      leave(this);
    },
    end(this: Socket) {
      this.destroy();
    },
    // The connection closes after an error.
    error() {},
  };

  async function findOwner(socket: Socket, reader: Reader): Promise<void> {
    findingOut++;
    try {
      const viewer = await readSession(reader.cookie);
      if (!streams.has(socket)) return;
      const lost = reader.owner !== null && viewer === null;
      reader.owner = viewer && { id: viewer.id, sessionId: viewer.sessionId };
      if (!viewer) reader.cookie = undefined;
      if (lost || receivedMeanwhile.some((who) => isOf(reader, who))) end(socket, SESSION_ENDED);
      // The session may have ended before it was read: tabs that show a member are notified; the stream continues as a
      // visitor's.
      else if (viewer === null) socket.write(SESSION_ENDED);
      else if (reader.notified.some((members) => members.has(viewer.id))) socket.write(NOTIFIED);
      reader.notified = [];
    } catch {
      // The session could not be read: the browser reconnects and it is read again.
      end(socket);
    } finally {
      if (--findingOut === 0) receivedMeanwhile.length = 0;
    }
  }

  hub.onEvent((event) => {
    // The hub batches votes already.
    if (event.type === 'votes.changed') return send(`data: ${JSON.stringify(event)}\n\n`);
    if (event.type !== 'member.notified') return changes.add(`data: ${JSON.stringify(event)}\n\n`);
    notifyMembers(streams, new Set(event.members));
  });
  hub.onEnded((who) => {
    if (findingOut > 0) receivedMeanwhile.push(who);
    for (const [socket, reader] of streams) if (isOf(reader, who)) end(socket, SESSION_ENDED);
  });
  hub.onResync(() => {
    send(sync());
    // The end of a session may have been missed.
    for (const [socket, reader] of streams) if (reader.owner) void findOwner(socket, reader);
  });
  const beat = setInterval(() => send(': \n\n'), KEEP_ALIVE_MS);
  beat.unref();

  return {
    get size() {
      return streams.size;
    },
    max,
    open(req, res, address) {
      if (req.method === 'HEAD') {
        res.writeHead(200, HEADERS).end();
        return;
      }
      onceConnected(res, (socket) => {
        const slot = slots.acquire(sharesOf(address, maxPerAddress));
        if (typeof slot === 'string') return refuse(res, slot === 'shareFull' ? 429 : 503, 'Too many streams');
        socket.setTimeout(0);
        socket.setNoDelay(true);
        beginStream(res, `retry: 2000\n${sync()}`);
        const reader: Reader = { leave: slot, cookie: req.headers.cookie, owner: null, notified: [] };
        streams.set(socket, reader);
        detachFromHttp(socket, req, res, listeners);
        if (reader.cookie) void findOwner(socket, reader);
      });
    },
    close() {
      clearInterval(beat);
      changes.end();
      const closing = [...streams.keys()];
      for (const socket of closing) end(socket);
      cutLater(closing);
    },
  };
}
