import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** State of the connection behind the proxy. */
export type LinkState =
  /** All data passes. */
  | 'open'
  /** Connections are reset, and new ones are closed immediately. */
  | 'cut'
  /**
   * Connections stay open and no data passes, as behind a firewall that dropped them. Data sent meanwhile arrives
   * later.
   */
  | 'silent'
  /** Requests arrive, no response returns: it is unknown what took effect. */
  | 'answersLost';

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>;

/** A TCP proxy on loopback in front of a port or a Unix socket, whose link can be broken. */
export async function startProxy(target: net.NetConnectOpts, port = 0) {
  let link: LinkState = 'open';
  const pairs = new Set<{ near: net.Socket; far: net.Socket }>();

  const join = (pair: { near: net.Socket; far: net.Socket }) => {
    const { near, far } = pair;
    near.unpipe();
    far.unpipe();
    if (link === 'silent') {
      near.pause();
      far.pause();
      return;
    }
    near.pipe(far);
    if (link === 'answersLost') far.resume();
    else far.pipe(near);
  };
  const end = (pair: { near: net.Socket; far: net.Socket }) => {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far.destroy();
  };

  const server = net.createServer((near) => {
    if (link === 'cut') return void near.destroy();
    const pair = { near, far: net.connect(target) };
    pairs.add(pair);
    for (const socket of [pair.near, pair.far]) {
      socket.on('error', () => end(pair));
      socket.on('close', () => end(pair));
    }
    join(pair);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next: LinkState): void {
      const lost = link === 'answersLost';
      link = next;
      // These connections lack responses and cannot continue.
      if (next === 'cut' || lost) for (const pair of pairs) end(pair);
      for (const pair of pairs) join(pair);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const pair of pairs) end(pair);
      }),
  };
}
