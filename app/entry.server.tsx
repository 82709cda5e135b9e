import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { scriptMarkContext } from './context.ts';
import { ScriptMark } from './lib/page/script-mark.ts';

/** Longest wait for data that a page reads late. Milliseconds. */
export const streamTimeout = 5_000;

/** More than any document has: what is gathered in memory never has to wait. Bytes. */
const NEVER_FULL = 64 * 1024 * 1024;

/**
 * Renders a document. Every inline script that React, the router and our own layout write carries the mark of this render;
 * the server hashes only those and takes the mark out before anybody sees the page (server/http/pages/page-cache.ts). Which it can do
 * only with the whole document, so nothing is streamed: late parts stand in their place, without scripts that would move them.
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
        resolve(new Response(Buffer.concat(parts), { headers, status: answered }));
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
          // What fails before the shell rejects above, and is logged there.
          if (shown) console.error(error);
        },
      },
    );
  });
}
