// PostgreSQL's COPY over our own driver: the fastest way in and out, exact for every type, and nothing to install.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The driver's methods for statements with a protocol of their own; its types omit them. */
interface Wire {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** The part of a COPY that both directions share: it ends with the server's message. */
class Copy {
  /** The driver replaces it by its own, which ends the statement's timer: without a call the process waits for it. */
  callback: (error?: Error) => void = () => {};
  /** Number of copied rows. */
  readonly done: Promise<number>;
  readonly #text: string;
  #rows = 0;
  #error: Error | undefined;
  #settle: (error?: Error) => void = () => {};

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve(this.#rows));
    });
    this.done.catch(() => {});
  }

  get failed() {
    return this.#error !== undefined;
  }
  fail(error: Error) {
    this.#error ??= error;
  }

  // The driver's side.
  submit(wire: Wire) {
    wire.query(this.#text);
    return null;
  }
  handleError(error: Error) {
    this.fail(error);
    this.callback(this.#error);
    this.#settle(this.#error);
  }
  handleCommandComplete({ text }: { text?: string }) {
    this.#rows = Number(/^COPY (\d+)$/.exec(text ?? '')?.[1] ?? 0);
  }
  handleReadyForQuery(wire: Wire) {
    // A stream that ends emits no further 'drain', so nothing else would resume the connection.
    wire.stream.resume();
    this.callback(this.#error);
    this.#settle(this.#error);
  }
}

class CopyOut extends Copy {
  readonly #target: Writable;
  #waiting = false;
  constructor(text: string, target: Writable) {
    super(text);
    this.#target = target;
    target.on('error', (error) => this.fail(error));
  }
  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire) {
    // The driver reuses its buffer for the next message.
    if (this.failed || this.#target.write(Buffer.from(chunk))) return;
    // Data that the driver has read already still arrives.
    if (this.#waiting) return;
    // The file is slower than the database, so reading pauses.
    this.#waiting = true;
    wire.stream.pause();
    const goOn = () => {
      this.#waiting = false;
      this.#target.off('drain', goOn).off('error', goOn);
      wire.stream.resume();
    };
    this.#target.on('drain', goOn).on('error', goOn);
  }
}

class CopyIn extends Copy {
  readonly #source: Readable;
  constructor(text: string, source: Readable) {
    super(text);
    this.#source = source;
  }
  handleCopyInResponse(wire: Wire) {
    void this.#send(wire);
  }
  async #send(wire: Wire) {
    try {
      for await (const chunk of this.#source as AsyncIterable<Buffer>) {
        if (this.failed) return;
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain');
      }
      wire.endCopyFrom();
    } catch (error) {
      this.fail(error as Error);
      wire.sendCopyFail((error as Error).message);
    }
  }
}

const run = (client: pg.ClientBase, copy: Copy): Promise<number> => {
  client.query(copy as unknown as pg.Submittable);
  return copy.done;
};

/** `COPY … TO STDOUT` into a stream, which the caller ends; answers with the number of rows. */
export const copyOut = (client: pg.ClientBase, text: string, target: Writable) =>
  run(client, new CopyOut(text, target));
/** `COPY … FROM STDIN` from a stream. @throws the error of the database or the stream; nothing is stored then. */
export const copyIn = (client: pg.ClientBase, text: string, source: Readable) => run(client, new CopyIn(text, source));
