import net from 'node:net';

export interface Answer {
  status: number;
  /** Names in lower case, values as sent, in the order of the wire. */
  headers: [string, string][];
  body: Buffer;
}

interface Head {
  status: number;
  text: string;
  /** Bytes up to the body. */
  size: number;
  /** Bytes of the body, or -1 when it comes in chunks. */
  length: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const ANSWER_LIMIT_MS = 30_000;

/**
 * One keep-alive HTTP/1.1 connection over a plain socket, one request at a time. It parses as little of a response as
 * possible, because it shares the machine with the server that it measures.
 */
export class Connection {
  readonly #socket: net.Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  #head: Head | undefined;
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  #broken: Error | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('timeout', () => socket.destroy(new Error('no answer within 30 s')));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, timeout: ANSWER_LIMIT_MS });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  /** @param request its head has one byte per character. */
  send(request: string | Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken);
      this.#waiting = { resolve, reject };
      if (typeof request === 'string') this.#socket.write(request, 'latin1');
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#broken ??= new Error('closed');
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#broken ??= error;
    this.#waiting?.reject(this.#broken);
    this.#waiting = undefined;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    this.#head ??= this.#readHead();
    const head = this.#head;
    if (!head) return;
    if (head.length >= 0) {
      if (this.#received >= head.size + head.length) this.#finish(head, this.#joined().subarray(head.size));
    } else {
      const body = unchunk(this.#joined().subarray(head.size));
      if (body) this.#finish(head, body);
    }
  }

  #readHead(): Head | undefined {
    const bytes = this.#joined();
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', 0, end);
    const status = Number(text.slice(9, 12));
    const length = status === 204 || status === 304 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    return { status, text, size: end + 4, length: length === undefined ? -1 : Number(length) };
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #finish(head: Head, body: Buffer): void {
    const waiting = this.#waiting;
    this.#chunks = [];
    this.#received = 0;
    this.#head = undefined;
    this.#waiting = undefined;
    waiting?.resolve({
      status: head.status,
      body,
      get headers() {
        return head.text
          .split('\r\n')
          .slice(1)
          .map((line): [string, string] => {
            const colon = line.indexOf(':');
            return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
          });
      },
    });
  }
}

/** The body behind chunked transfer coding, or undefined while its end is missing. */
function unchunk(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    if (!(next <= bytes.length)) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, next - 2));
    at = next;
  }
}

export const getRequest = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${lines(headers)}\r\n`;

export const postRequest = (path: string, body: string, headers: Record<string, string> = {}): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines(headers)}\r\n${body}`;

const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** One request on a connection of its own. */
export async function requestOnce(port: number, request: string): Promise<Answer> {
  const connection = await Connection.open(port);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}

/**
 * Keeps `connections` requests in flight until `next` has no more.
 * @returns responses with status 200 and how long they took together.
 * @throws when any response has another status.
 */
export async function drive(
  port: number,
  connections: number,
  next: () => string | undefined,
): Promise<{ answered: number; seconds: number }> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  let answered = 0;
  const began = performance.now();
  try {
    await Promise.all(
      open.map(async (connection) => {
        for (let request = next(); request !== undefined; request = next()) {
          const { status, body } = await connection.send(request);
          if (status !== 200) throw new Error(`status ${status}: ${body.toString('utf8', 0, 300)}`);
          answered++;
        }
      }),
    );
    return { answered, seconds: (performance.now() - began) / 1000 };
  } finally {
    for (const connection of open) connection.close();
  }
}
