import type { IncomingMessage } from 'node:http';

/** Headers of a request, read by name. */
export type ReadHeaders = Pick<Headers, 'get'>;

/**
 * The headers of Node's request as a reader. A web-standard object is built only when a caller needs one, because building it for
 * each request costs more than all that is read from it.
 */
export class NodeHeaders implements ReadHeaders {
  readonly #req: IncomingMessage;
  #all: Headers | undefined;

  constructor(req: IncomingMessage) {
    this.#req = req;
  }

  /** @param name in lower case. Repeated headers are joined as in Node's `headers`. */
  get(name: string): string | null {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  /** All headers, built at the first call. */
  all(): Headers {
    this.#all ??= headersOf(this.#req);
    return this.#all;
  }
}

/** The headers of Node's request as a web-standard object. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  return headers;
}
