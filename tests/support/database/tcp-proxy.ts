import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';

/** A proxy to the database that can be frozen or cut, as networks can. */
export interface DatabaseProxy {
  /** Settings for connections through the proxy. */
  config: pg.ClientConfig;
  /** No data passes in either direction, and nothing is closed. */
  freeze(): void;
  /** The next data with this text still reaches the database; the response on that connection waits until the thaw. */
  holdAnswerTo(text: string): void;
  /** The next answer with this text arrives with other bytes, as when a pooler loses its server in the middle of one. @param at their place, counted from the text. */
  corrupt(text: string, at: number, bytes: string): void;
  /** Delivers the held data. */
  thaw(): void;
  /** No data passes on the present connections from now on; new ones work. */
  forget(): void;
  /** Resets all connections; new ones are accepted. */
  cut(): void;
  /** Resets all connections, and new ones until the state is changed. */
  refuse(on: boolean): void;
  stop(): Promise<void>;
}

/** Starts one on a free port of loopback, in front of the database of `config`. */
export async function startDatabaseProxy(config: pg.ClientConfig): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new pg.Client(config);
  const pairs = new Set<[net.Socket, net.Socket]>();
  const lost = new Set<[net.Socket, net.Socket]>();
  let frozen = false;
  let refusing = false;
  let held: string | null = null;
  let corrupted: { text: string; at: number; bytes: string } | null = null;
  const server = net.createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    const far = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('data', (bytes: Buffer) => {
        if (from === near && held !== null && bytes.includes(held)) {
          held = null;
          far.pause();
        }
        if (from === far && corrupted !== null && bytes.includes(corrupted.text)) {
          bytes.write(corrupted.bytes, bytes.indexOf(corrupted.text) + corrupted.at, 'latin1');
          corrupted = null;
        }
        to.write(bytes);
      });
      from.on('error', end);
      from.on('close', () => {
        // A frozen network does not report a closed side either.
        if (!frozen && !lost.has(pair)) end();
      });
      if (frozen) from.pause();
    }
  });
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    config: {
      host: '127.0.0.1',
      port: (server.address() as net.AddressInfo).port,
      ...(user ? { user } : {}),
      ...(password ? { password } : {}),
      ...(database ? { database } : {}),
    },
    freeze() {
      frozen = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    holdAnswerTo(text) {
      held = text;
    },
    corrupt(text, at, bytes) {
      corrupted = { text, at, bytes };
    },
    thaw() {
      frozen = false;
      for (const pair of pairs)
        for (const socket of lost.has(pair) ? [] : pair)
          if (pair.some((one) => one.destroyed)) socket.destroy();
          else socket.resume();
    },
    forget() {
      for (const pair of pairs) {
        lost.add(pair);
        for (const socket of pair) socket.pause();
      }
    },
    cut,
    refuse(on) {
      refusing = on;
      if (on) cut();
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
