import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query';
import { data, type LoaderFunctionArgs } from 'react-router';
import { apiContext, readAtContext, refusalContext } from '#app/context.ts';
import { makeQueryClient } from './query-client.ts';
import { apiQueries, type rpc } from './rpc.ts';

export interface PageData {
  state: DehydratedState | undefined;
  /** The server could not read what the page is about. */
  failed?: boolean;
  /** What the page is about does not exist. */
  missing?: boolean;
}

/**
 * Reads on the server what a page shows first. A failure does not break the page: it is rendered with what is there, as
 * status 503 so that no cache keeps it, and the browser asks again.
 *
 * @throws 429 for a page that is refused, with nothing read.
 * @param read uses fetchQuery, never prefetchQuery, which would hide failures.
 */
export async function prefetch(
  { context }: Pick<LoaderFunctionArgs, 'context'>,
  read: (queries: QueryClient, api: typeof rpc) => Promise<unknown>,
): Promise<PageData | ReturnType<typeof data<PageData>>> {
  const wait = context.get(refusalContext);
  if (wait !== null) throw data(null, { status: 429, headers: { 'retry-after': String(wait) } });
  const queries = makeQueryClient();
  try {
    await read(queries, apiQueries(context.get(apiContext)));
    setReadTimes(queries, context.get(readAtContext));
    return { state: dehydrate(queries) };
  } catch (error) {
    // A redirection to the address that the record has.
    if (error instanceof Response) throw error;
    if ((error as { code?: string }).code === 'NOT_FOUND')
      return data({ state: undefined, missing: true }, { status: 404 });
    // What the API could not do is in its log.
    if (!(error instanceof Error && 'code' in error)) console.error(error);
    setReadTimes(queries, context.get(readAtContext));
    return data({ state: dehydrate(queries), failed: true }, { status: 503 });
  } finally {
    queries.clear();
  }
}

/**
 * Says of answers that were read for an earlier page when that was: the browser reads again what is older than a change that
 * it hears of, and would keep one that claims to be newer.
 */
export function setReadTimes(queries: QueryClient, readAt: (answer: object) => number | undefined): void {
  for (const query of queries.getQueryCache().getAll()) {
    const { data } = query.state;
    const answers = isInfinite(data) ? data.pages : [data];
    const known = answers.flatMap((answer) =>
      typeof answer === 'object' && answer !== null ? (readAt(answer) ?? []) : [],
    );
    if (known.length > 0) query.setState({ dataUpdatedAt: Math.min(...known, query.state.dataUpdatedAt) });
  }
}

const isInfinite = (data: unknown): data is { pages: unknown[]; pageParams: unknown[] } =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data && Array.isArray(data.pages);

/** For changes of page inside the app: the cache answers, or the page shows what is on its way. */
export const nothingToLoad = (): PageData => ({ state: undefined });
