import type { ErrorCode } from '#contract/errors.ts';
import type { Catalogue } from '../messages/es.ts';

/** What the API refused or could not do. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: unknown;

  constructor(code: string, status: number, data: unknown, message?: string) {
    super(message ?? code);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** The contract's code of a failure, or what else it is. */
export function codeOf(error: unknown): ErrorCode | 'BAD_REQUEST' | 'OFFLINE' | 'UNEXPECTED' {
  const { code, status } = error as { code?: string; status?: number };
  if (status === 503) return 'BUSY';
  if (code === 'INTERNAL_SERVER_ERROR') return 'UNEXPECTED';
  if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code as ErrorCode;
  return error instanceof TypeError ? 'OFFLINE' : 'UNEXPECTED';
}

/** Words for a failure, in the reader's language. */
export function failureText(error: unknown, text: Catalogue): string {
  // The refusals of the back office have words there only.
  const messages: Partial<Record<ErrorCode | 'BAD_REQUEST' | 'OFFLINE' | 'UNEXPECTED', string>> = text.failure;
  const seconds = secondsToWait(error);
  if (seconds !== undefined) return text.retryIn(seconds);
  return messages[codeOf(error)] ?? text.failure.UNEXPECTED;
}

/** Seconds until a refused try may be made again; undefined for every other failure. */
function secondsToWait(error: unknown): number | undefined {
  const { retryAfter } = (error as { data?: { retryAfter?: unknown } }).data ?? {};
  return codeOf(error) === 'RATE_LIMITED' && typeof retryAfter === 'number' ? retryAfter : undefined;
}

/** Names of the input fields that the server did not accept. */
export function wrongFields(error: unknown): string[] {
  const { data } = error as { data?: { issues?: { path: (string | number)[] }[] } };
  return (data?.issues ?? []).map((issue) => String(issue.path[0] ?? ''));
}
