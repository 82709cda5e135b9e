import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from './listen.ts';
import { securityHeaders } from './security-headers.ts';

/** Timeout of a request that arrives during startup. Milliseconds. */
const START_TIMEOUT_MS = 15_000;
/**
 * On shutdown, requests are still accepted for this long, so that most connections end after a response instead of during a
 * request. Milliseconds.
 */
const CLOSE_TIMEOUT_MS = 500;
/** Interval at which idle connections are closed during shutdown. Milliseconds. */
const IDLE_POLL_MS = 100;

export interface OpenPort {
  port: number;
  /** Handles the waiting requests, and all later ones. */
  serve(listener: RequestListener): void;
  /** Lets active requests finish and accepts no new connection; the remaining ones are closed after about `longest` milliseconds. */
  drain(longest: number): Promise<void>;
}

/**
 * The port of this process, open from before its startup is complete until after its last response, so that processes behind a
 * proxy can be replaced one by one without an interruption: requests during startup wait for its end, and the last responses
 * have `connection: close`, so that the proxy closes its connections. Health checks never wait.
 *
 * @param isClosing true once a shutdown was requested.
 * @throws StartError when the port is unavailable.
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
    (req, res) => {
      if (isClosing()) res.shouldKeepAlive = false;
      if (ready) ready(req, res);
      else void waitForStart(req, res);
    },
  );
  const waitForStart: (...request: Parameters<RequestListener>) => Promise<void> = async (req, res) => {
    const health = req.url === '/healthz' || req.url === '/readyz';
    if (!health) await Promise.race([started, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
    if (res.destroyed) return;
    if (ready) return ready(req, res);
    res
      .writeHead(503, {
        ...securityHeaders(env.PUBLIC_URL?.startsWith('https:') ?? false),
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '2',
      })
      .end('Starting');
  };
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
      // Connections whose last response came before it could carry 'connection: close'.
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
