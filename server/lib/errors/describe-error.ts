/** The parts of an error that may be logged. */
export interface ErrorFacts {
  type: string;
  message: string;
  /** The stack frames, without the message. */
  stack: string;
  code?: string;
  status?: number;
  /** Of a database error: the names of the objects involved. */
  table?: string;
  column?: string;
  constraint?: string;
  /** Of a validation error: the invalid fields, each with its reason; at most 10. */
  issues?: string[];
  cause?: ErrorFacts;
}

/** Maximum number of nested causes. */
const DEPTH = 5;
/** SQLSTATE class 'data exception': its messages quote the value. */
const DATA_EXCEPTION = /^22/;
/** A JSON parser's message quotes its input. */
const UNREADABLE = /is not valid JSON$/;
const EMAIL = /[^\s<>"'(),;:=]+@[^\s<>"'(),;]+/g;

/**
 * Reduces an error to what may be logged. A query is logged without its parameters, and a database error without the
 * values in it (`detail`, `where`, and messages of data exceptions quote them), because they may contain texts, e-mail
 * addresses and secrets. JSON that could not be parsed is not quoted. E-mail addresses are replaced in every message.
 */
export function describeError(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { code, status, table, column, constraint, issues, cause } = error as Error & Record<string, unknown>;
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: messageOf(error).replace(EMAIL, '<e-mail>'),
    stack: (error.stack ?? '')
      .replace(error.message, '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof column === 'string' ? { column } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(Array.isArray(issues) ? { issues: issues.slice(0, 10).map(issueText) } : {}),
    ...(cause instanceof Error && depth < DEPTH ? { cause: describeError(cause, depth + 1) } : {}),
  };
}

function messageOf(error: Error): string {
  const { code, severity, query } = error as Error & { code?: unknown; severity?: unknown; query?: unknown };
  // Drizzle's errors: the message contains the query and its parameters.
  if (typeof query === 'string' && 'params' in error) return `Failed query: ${query}`;
  if (typeof severity === 'string' && DATA_EXCEPTION.test(String(code))) return error.message.split(/[:"]/)[0] ?? '';
  if (UNREADABLE.test(error.message)) return 'not valid JSON';
  return error.message;
}

function issueText(issue: { path?: readonly unknown[]; message?: unknown }): string {
  const path = (issue.path ?? []).map((part) =>
    String(typeof part === 'object' && part ? Reflect.get(part, 'key') : part),
  );
  return `${path.join('.')}: ${issue.message}`;
}

/** The same as text for a terminal, causes included. */
export function errorText(error: unknown): string {
  const lines: string[] = [];
  for (let facts: ErrorFacts | undefined = describeError(error); facts; facts = facts.cause) {
    const { type, message, stack, cause, ...more } = facts;
    lines.push(`${lines.length > 0 ? 'Caused by ' : ''}${type}: ${message}`);
    if (Object.keys(more).length > 0) lines.push(`    ${JSON.stringify(more)}`);
    if (stack) lines.push(stack);
  }
  return lines.join('\n');
}
