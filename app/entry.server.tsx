import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { scriptMarkContext } from './context.ts';
import { ScriptMark } from './lib/page/script-mark.ts';

/** Longest wait for data that a page streams. Milliseconds. */
export const streamTimeout = 5_000;

/**
 * Renders a document. Every inline script that React, the router and our own layout write carries the mark of this render;
 * the server hashes only those and takes the mark out before anybody sees the page (server/http/page-cache.ts).
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
    let shown = false;
    let answered = status;
    const late = setTimeout(() => abort(), streamTimeout + 1_000);
    const { pipe, abort } = renderToPipeableStream(
      <ScriptMark value={mark}>
        <ServerRouter context={routerContext} url={request.url} nonce={mark} />
      </ScriptMark>,
      {
        nonce: mark,
        onShellReady() {
          shown = true;
          const body = new PassThrough({
            final(callback) {
              clearTimeout(late);
              callback();
            },
          });
          headers.set('content-type', 'text/html');
          pipe(body);
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status: answered }));
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
