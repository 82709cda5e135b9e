import type { ContractRouterClient } from '@orpc/contract';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { apiContext } from '#app/context.ts';
import type { contract } from '#contract/index.ts';

/**
 * The documents of the web app, rendered on the server.
 *
 * @param api the API as a visitor sees it: a document never depends on who asks.
 */
export function createRenderer(build: ServerBuild, api: () => ContractRouterClient<typeof contract>, mode: string) {
  const handle = createRequestHandler(build, mode);
  return (request: Request): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(apiContext, api());
    return handle(request, context);
  };
}
export type Renderer = ReturnType<typeof createRenderer>;
