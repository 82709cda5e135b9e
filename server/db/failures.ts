/**
 * Codes of PostgreSQL that say nothing about what was asked: shutting down, starting, too many connections, disk or memory
 * full, limits of time (lock, statement, idle in transaction, transaction), read-only, an undone transaction that could not
 * be repeated, a failing disk.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '57014', '53000', '53100', '53200', '53300', '53400', '55P03'],
  ...['25P03', '25P04', '25006', '40001', '40P01', '58030'],
]);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Failures of our own layer, see transaction.ts. */
const LOST = new Set(['ConnectionLost', 'CommitUnknown']);
/** How often one failure wraps another; a circle must not hold us up. */
const MAX_DEPTH = 5;

export interface Failure {
  name?: string;
  code?: unknown;
  message?: string;
}

/** A failure and what it wraps, outermost first. */
export function* causesOf(error: unknown): Generator<Failure> {
  let at = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth++) {
    yield at as Failure;
    at = (at as { cause?: unknown }).cause;
  }
}

/** The five characters of PostgreSQL, of whatever wraps them; undefined when the database did not answer. */
export function databaseCode(error: unknown): string | undefined {
  for (const { code } of causesOf(error))
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.has(code)) return code;
  return undefined;
}

/** Whether the database is away, too busy or ending, so that the same may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  for (const { code, name, message } of causesOf(error)) {
    if (typeof code === 'string' && (UNAVAILABLE.has(code) || /^08[0-9A-Z]{3}$/.test(code) || NETWORK.has(code)))
      return true;
    if (name !== undefined && LOST.has(name)) return true;
    if (
      /timeout exceeded when trying to connect|Connection (terminated|ended|closed)|Query read timeout|not queryable/i.test(
        message ?? '',
      )
    )
      return true;
  }
  return false;
}
