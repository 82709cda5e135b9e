import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { documentContext, fragmentsContext, scriptNonceContext } from './context.ts';
import { DocumentFragments, FragmentCache } from './lib/page/fragment-cache.tsx';
import { ScriptNonce } from './lib/page/script-nonce.ts';
import { FragmentContext } from './ui/fragment.ts';

/** Timeout for data that a page loads late. Milliseconds. */
export const streamTimeout = 5_000;

/** Larger than any document, so that the stream never applies backpressure. Bytes. */
const NEVER_FULL = 64 * 1024 * 1024;

const fragmentCache = new FragmentCache();

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
  const nonce = loadContext.get(scriptNonceContext);
  const receive = loadContext.get(documentContext);
  const fragments = loadContext.get(fragmentsContext) ? new DocumentFragments(fragmentCache, nonce) : null;
  const router = <ServerRouter context={withItsRoutes(routerContext)} url={request.url} nonce={nonce} />;
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
        const rendered = Buffer.concat(parts).toString('latin1');
        const html = fragments?.fill(rendered) ?? rendered;
        receive?.(html);
        resolve(new Response(receive ? null : Buffer.from(html, 'latin1'), { headers, status: answered }));
        written();
      },
    });
    let shown = false;
    const { pipe, abort } = renderToPipeableStream(
      <ScriptNonce value={nonce}>
        {fragments ? <FragmentContext value={fragments}>{router}</FragmentContext> : router}
      </ScriptNonce>,
      {
        nonce,
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

/**
 * The router converts all routes of its manifest for each document, but renders only those of the page. The others can still be found by
 * their ids, which it needs for the links in the document.
 */
function withItsRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes: typeof manifest.routes = Object.create(manifest.routes);
  for (const { route } of staticHandlerContext.matches) routes[route.id] = manifest.routes[route.id];
  return { ...context, manifest: { ...manifest, routes } };
}
