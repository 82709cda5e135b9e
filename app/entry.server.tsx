import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { documentContext, scriptMarkContext } from './context.ts';
import { ScriptMark } from './lib/page/script-mark.ts';

/** Timeout for data that a page loads late. Milliseconds. */
export const streamTimeout = 5_000;

/** Larger than any document, so that the stream never applies backpressure. Bytes. */
const NEVER_FULL = 64 * 1024 * 1024;

/**
 * Renders a document. Every inline script that React, the router and our own layout write carries the nonce of this render; the server
 * hashes only those and removes the nonce before it sends the page (server/http/pages/page-cache.ts). That needs the whole document,
 * so nothing is streamed: late parts are rendered in place, without scripts that would move them.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> | Response {
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const mark = loadContext.get(scriptMarkContext);
  const receive = loadContext.get(documentContext);
  return new Promise((resolve, reject) => {
    let answered = status;
    const late = setTimeout(() => abort(), streamTimeout + 1_000);
    const parts: Buffer[] = [];
    const document = new Writable({
      highWaterMark: NEVER_FULL,
      write(part: Buffer, _, written) {
        parts.push(part);
        written();
      },
      final(written) {
        headers.set('content-type', 'text/html');
        const bytes = Buffer.concat(parts);
        receive?.(bytes);
        resolve(new Response(receive ? null : bytes, { headers, status: answered }));
        written();
      },
    });
    let shown = false;
    const { pipe, abort } = renderToPipeableStream(
      <ScriptMark value={mark}>
        <ServerRouter context={routerContext} url={request.url} nonce={mark} />
      </ScriptMark>,
      {
        nonce: mark,
        progressiveChunkSize: NEVER_FULL,
        onShellReady() {
          shown = true;
        },
        onAllReady() {
          clearTimeout(late);
          if (shown) pipe(document);
        },
        onShellError(error: unknown) {
          clearTimeout(late);
          reject(error);
        },
        onError(error: unknown) {
          answered = 500;
          // Errors before the shell reject above, and are logged there.
          if (shown) console.error(error);
        },
      },
    );
  });
}
