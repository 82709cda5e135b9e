import { once } from 'node:events';
import net from 'node:net';

/** How a Node process is asked to collect its garbage: through its inspector, on a port of loopback. */
export interface Inspected {
  /** Environment of the process. */
  env: { NODE_OPTIONS: string };
  /** Collects all garbage of the process, so that its memory is what it holds and not what it has not collected yet. */
  collectGarbage(): Promise<void>;
}

/** Chooses a port for the inspector of a process that is started afterwards. */
export async function inspected(): Promise<Inspected> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
    async collectGarbage() {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string;
      }[];
      const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
      try {
        await new Promise((resolve, reject) => {
          socket.addEventListener('open', resolve);
          socket.addEventListener('error', reject);
        });
        const answered = new Promise((resolve) => socket.addEventListener('message', resolve));
        socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
        await answered;
      } finally {
        socket.close();
      }
    },
  };
}
