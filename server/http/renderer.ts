import type { ContractRouterClient } from '@orpc/contract';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { apiContext } from '#app/context.ts';
import type { contract } from '#contract/index.ts';

/** The web app as React Router built it; in development a function that hands over the newest. */
export type AppBuild = ServerBuild | (() => Promise<ServerBuild>);

/**
 * The documents of the web app, rendered on the server.
 *
 * @param api the API as a visitor sees it: a document never depends on who asks.
 */
export function createRenderer(build: AppBuild, api: () => ContractRouterClient<typeof contract>, mode: string) {
  const handle = createRequestHandler(build, mode);
  return (request: Request): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(apiContext, api());
    return handle(request, context);
  };
}
export type Renderer = ReturnType<typeof createRenderer>;
