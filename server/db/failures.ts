/** The connection may have an open transaction, or its state is unknown. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/**
 * SQLSTATEs that are independent of the statement: shutting down, starting, too many connections, disk or memory full, timeouts
 * (lock, statement, idle in transaction, transaction), read-only, a transaction whose retries failed, a failing disk.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '57014', '53000', '53100', '53200', '53300', '53400', '55P03'],
  ...['25P03', '25P04', '25006', '40001', '40P01', '58030'],
]);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Errors of our own layer, see transaction.ts. */
const LOST = new Set(['ConnectionLost', 'CommitUnknown']);
/** Maximum depth of nested causes; protects against cycles. */
const MAX_DEPTH = 5;

export interface Failure {
  name?: string;
  code?: unknown;
  message?: string;
}

/** An error and its causes, outermost first. */
export function* causesOf(error: unknown): Generator<Failure> {
  let at = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth++) {
    yield at as Failure;
    at = (at as { cause?: unknown }).cause;
  }
}

/** The SQLSTATE of an error or its causes; undefined when it is not from the database. */
export function databaseCode(error: unknown): string | undefined {
  for (const { code } of causesOf(error))
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NETWORK.has(code)) return code;
  return undefined;
}

/** SQLSTATEs that concern the work itself: a limit of a statement, transaction or lock, and a conflict that repetitions did not solve. */
const OVER_LIMIT = new Set(['57014', '25P04', '55P03', '40001', '40P01']);

/**
 * True when the work took longer than a limit, or kept conflicting. The database may be overloaded, or this work too large for its limits:
 * then it fails again whenever it is repeated, while other work succeeds.
 */
export function isOverLimit(error: unknown): boolean {
  const code = databaseCode(error);
  return code !== undefined && OVER_LIMIT.has(code);
}

/** True when the database is unavailable, overloaded or shutting down, so that a retry may succeed. */
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
