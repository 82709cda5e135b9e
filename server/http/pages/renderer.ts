import { randomBytes } from 'node:crypto';
import type { ContractRouterClient } from '@orpc/contract';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import {
  apiContext,
  assetsContext,
  demoContext,
  documentContext,
  fragmentsContext,
  originContext,
  readAtContext,
  refusalContext,
  scriptNonceContext,
} from '#app/context.ts';
import type { contract } from '#contract/index.ts';
import { type ReadCache, withReadCache } from './read-cache.ts';

/** A document as rendered by React: its own inline scripts have the nonce, which `finishPage` removes. */
export interface Rendered {
  response: Response;
  nonce: string;
  /** The document, one character per byte; absent where the response has a body of its own, such as a redirect. */
  html?: string | undefined;
}

/** The web app as built by React Router; in development a function that returns the newest build. */
export type AppBuild = ServerBuild | (() => Promise<ServerBuild>);

interface About {
  demo: boolean;
  assets?: string | undefined;
  readCache?: () => ReadCache | null;
}

/**
 * Creates the server-side rendering of the web app.
 *
 * @param api the API as an anonymous visitor: public documents never depend on the reader. For pages of the back office
 *   it is called with the request.
 * @param about.demo true if every page shows that this is a demo.
 * @param about.assets origin of images, if it is not the site itself.
 * @param about.readCache the cache of public reads; null while changes are not received.
 */
export function createRenderer(
  build: AppBuild,
  api: (request: Request | null) => ContractRouterClient<typeof contract>,
  mode: string,
  origin: string,
  { demo, assets, readCache = () => null }: About,
) {
  const handle = createRequestHandler(build, mode);
  /** @param refused seconds until a refused request may be repeated: the page shows that, and reads no data. */
  return async (request: Request, refused?: number): Promise<Rendered> => {
    const context = new RouterContextProvider();
    // New for each render, so that earlier user input cannot contain it.
    const nonce = randomBytes(18).toString('base64url');
    context.set(scriptNonceContext, nonce);
    let document: string | undefined;
    context.set(documentContext, (html) => {
      document = html;
    });
    context.set(originContext, origin);
    context.set(demoContext, demo);
    if (assets) context.set(assetsContext, assets);
    if (refused) context.set(refusalContext, refused);
    const isAdmin = isAdminPath(new URL(request.url).pathname);
    context.set(fragmentsContext, mode === 'production' && !isAdmin);
    const reads = isAdmin ? null : readCache();
    if (reads) context.set(readAtContext, reads.readAt);
    const caller = api(isAdmin ? request : null);
    context.set(apiContext, reads ? withReadCache(caller, reads) : caller);
    const response = await handle(request, context);
    return { response, nonce, html: document };
  };
}
/** Documents that are never cached and can depend on the reader. */
export const isAdminPath = (pathname: string): boolean => /^(\/en)?\/admin([/-]|\.data$|$)/.test(pathname);

export type Renderer = ReturnType<typeof createRenderer>;
