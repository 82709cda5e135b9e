import { AsyncLocalStorage } from 'node:async_hooks';
import { type Span, SpanKind } from '@opentelemetry/api';
import type pg from 'pg';
import { endFailed } from './end-failed.ts';
import type { Traces } from './traces.ts';

type Query = (...args: unknown[]) => unknown;
type Done = (error: unknown, ...rest: unknown[]) => void;

const BEGIN = /^\s*(begin|start transaction)\b/i;
const END = /^\s*(commit|rollback)\s*;?\s*$/i;

/** Verb and first table of a statement, never its text, which may contain values. */
export function summaryOf(text: string): string {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, ' ').trim();
  const verb = /^[a-z]+/i.exec(bare)?.[0].toLowerCase() ?? 'query';
  const table = /\b(?:from|into|update|join)\s+"?([a-z_][a-z0-9_]*)"?(?:\."?([a-z_][a-z0-9_]*)"?)?/i.exec(bare);
  const name = table?.[2] ?? table?.[1];
  return name ? `${verb} ${name.toLowerCase()}` : verb;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const text = (query as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : '';
}

/**
 * Creates spans of the statements of requests and jobs: one per statement, below one for its transaction. Statements
 * outside of a request or job, such as the polling of the queue, create none.
 */
export function traceQueries(pool: pg.Pool, traces: Traces): void {
  /** Spans of open transactions, by connection. */
  const open = new WeakMap<object, Span>();
  const close = (client: object) => {
    open.get(client)?.end();
    open.delete(client);
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const traced: Query = (...args) => {
      const parent = open.get(client) ?? traces.active();
      if (!parent) return query(...args);
      const text = textOf(args[0]);
      if (BEGIN.test(text)) {
        const transaction = traces.start('transaction', SpanKind.CLIENT, { 'db.system.name': 'postgresql' }, parent);
        open.set(client, transaction);
        return watch(query, args, traces, transaction, text);
      }
      const done = END.test(text) ? () => close(client) : undefined;
      return watch(query, args, traces, parent, text, done);
    };
    client.query = traced as typeof client.query;
  });
  // A released or removed connection has no open transaction of ours.
  pool.on('release', (_error, client) => close(client));
  pool.on('remove', (client) => close(client));
  // The pool runs the callback of a waiting caller in the context of the one that releases a connection: bind it to the
  // caller's.
  const connect = pool.connect.bind(pool) as Query;
  pool.connect = ((done?: Done) =>
    done ? connect(AsyncLocalStorage.bind(done)) : connect()) as unknown as typeof pool.connect;
}

/** Runs the query and ends the span with its result, whether by callback or promise. */
function watch(query: Query, args: unknown[], traces: Traces, parent: Span, text: string, after?: () => void): unknown {
  const summary = summaryOf(text);
  const span = traces.start(
    summary,
    SpanKind.CLIENT,
    { 'db.system.name': 'postgresql', 'db.query.summary': summary },
    parent,
  );
  const end = (error: unknown) => {
    if (error) endFailed(span, error);
    else span.end();
    after?.();
  };
  const last = args.at(-1);
  if (typeof last === 'function') {
    const done: Done = (error, ...rest) => {
      end(error);
      (last as Done)(error, ...rest);
    };
    return query(...args.slice(0, -1), done);
  }
  const answer = query(...args);
  if (answer instanceof Promise)
    answer.then(
      () => end(null),
      (error: unknown) => end(error ?? new Error()),
    );
  // The end of a row stream is not observable here.
  else end(null);
  return answer;
}
