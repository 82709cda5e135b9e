import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from './listen.ts';
import { securityHeaders } from './security-headers.ts';

/** Longest wait of a request that arrives while the process starts. Milliseconds. */
const START_TIMEOUT_MS = 15_000;
/** For this long the end goes on answering, so that most connections end with an answer instead of under a request. Milliseconds. */
const CLOSE_TIMEOUT_MS = 500;
/** Between two looks for connections that fell idle while the process ends. Milliseconds. */
const IDLE_POLL_MS = 100;

export interface OpenPort {
  port: number;
  /** Answers what waited, and everything from now on. */
  serve(listener: RequestListener): void;
  /** Lets requests under way end and takes no new connection; what is left after about `longest` milliseconds is cut. */
  drain(longest: number): Promise<void>;
}

/**
 * The port of this process, from before it can answer to after its last answer, so that behind a proxy one process after the
 * other can be replaced without a visitor noticing: what comes during the start waits for its end, and the last answers tell
 * the proxy to use their connections no more. Questions about health never wait.
 *
 * @param isClosing whether somebody asked the process to end.
 * @throws StartError when the port can't be had.
 */
export async function openPort(
  env: { HOST: string; PORT: number; PUBLIC_URL?: string },
  isClosing: () => boolean,
  timeoutMs = START_TIMEOUT_MS,
): Promise<OpenPort> {
  let ready: RequestListener | undefined;
  let begin = () => {};
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 30_000 },
    async (req, res) => {
      if (isClosing()) res.shouldKeepAlive = false;
      if (!ready) {
        const health = req.url === '/healthz' || req.url === '/readyz';
        if (!health) await Promise.race([started, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
        if (res.destroyed) return;
      }
      if (ready) return ready(req, res);
      res
        .writeHead(503, {
          ...securityHeaders(env.PUBLIC_URL?.startsWith('https:') ?? false),
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'retry-after': '2',
        })
        .end('Starting');
    },
  );
  const port = await listen(server, env);
  return {
    port,
    serve(listener) {
      ready = listener;
      begin();
    },
    async drain(longest) {
      if (longest > CLOSE_TIMEOUT_MS && (await connectionsOf(server)) > 0)
        await new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS));
      const closed = new Promise((resolve) => server.close(resolve));
      // Those that were answered before they could be told.
      const poll = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
      const cut = setTimeout(() => server.closeAllConnections(), longest);
      await closed;
      clearInterval(poll);
      clearTimeout(cut);
    },
  };
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
