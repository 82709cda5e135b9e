import net from 'node:net';
import { getRequest } from './http-driver.ts';

/** Connections opened concurrently, below the accept queue of every system. */
const BATCH_SIZE = 100;
const LIMIT_MS = 10_000;

/** How streams are opened. */
interface Opening {
  /** Called for each stream that receives the awaited text. */
  onMessage?: () => void;
  /** Connections opened concurrently. */
  atOnce?: number;
  /** Cookie of stream n; without one they are visitors'. */
  cookie?: (n: number) => string;
}

/** Open event streams; reports when the last of them has received a text. */
export class StreamClients {
  readonly #sockets: net.Socket[] = [];
  #awaited = '';
  #missing = 0;
  #allReceived: () => void = () => {};
  #onMessage: (() => void) | undefined;
  lost = 0;

  async open(port: number, many: number, { onMessage, atOnce = BATCH_SIZE, cookie }: Opening = {}): Promise<void> {
    this.#onMessage = onMessage;
    for (let n = 0; n < many; n += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, many - n) }, (_, i) => this.#one(port, cookie?.(n + i))));
  }

  #one(port: number, cookie?: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1' });
      let tail = '';
      let opened = false;
      const headers = { accept: 'text/event-stream', ...(cookie ? { cookie } : {}) };
      socket.once('connect', () => socket.write(getRequest('/live', headers)));
      socket.once('error', reject);
      socket.once('close', () => {
        this.lost++;
      });
      socket.on('data', (chunk) => {
        tail += chunk.toString('latin1');
        if (!opened && tail.includes('event: sync')) {
          opened = true;
          resolve();
        }
        if (this.#awaited && tail.includes(this.#awaited)) {
          tail = '';
          this.#onMessage?.();
          if (--this.#missing === 0) this.#allReceived();
        }
        // Enough to find a text that came in two pieces.
        if (tail.length > 2_000) tail = tail.slice(-500);
      });
      this.#sockets.push(socket);
    });
  }

  /** Resolves with the moment when all streams have received `text`. */
  await(text: string): Promise<number> {
    this.#awaited = text;
    this.#missing = this.#sockets.length;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#missing} streams did not receive '${text}'`)), LIMIT_MS);
      this.#allReceived = () => {
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
