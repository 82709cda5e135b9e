import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query';
import { data, type LoaderFunctionArgs } from 'react-router';
import { apiContext, readAtContext, refusalContext } from '#app/context.ts';
import { makeQueryClient } from './query-client.ts';
import { apiQueries, type rpc } from './rpc.ts';

export interface PageData {
  state: DehydratedState | undefined;
  /** The server could not read the page's main data. */
  failed?: boolean;
  /** The page's record does not exist. */
  missing?: boolean;
}

/**
 * Loads on the server what a page shows first. A failure does not break the page: it is rendered with the available data, with
 * status 503 so that it is not cached, and the browser repeats the query.
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
    // A redirect to the record's canonical address.
    if (error instanceof Response) throw error;
    if ((error as { code?: string }).code === 'NOT_FOUND')
      return data({ state: undefined, missing: true }, { status: 404 });
    // Errors of the API are in its log already.
    if (!(error instanceof Error && 'code' in error)) console.error(error);
    setReadTimes(queries, context.get(readAtContext));
    return data({ state: dehydrate(queries), failed: true }, { status: 503 });
  } finally {
    queries.clear();
  }
}

/**
 * Sets the read time of data that was cached with an earlier page: the browser refetches data older than a change, and would not
 * refetch data that claims to be newer.
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

/** For navigation within the app: data comes from the query cache, or the page shows its loading state. */
export const nothingToLoad = (): PageData => ({ state: undefined });
