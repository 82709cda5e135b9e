import type { ErrorCode } from '#contract/errors.ts';
import type { Catalogue } from '../messages/es.ts';

/** An error response of the API. */
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

/** The contract's code of an error, or the kind of any other error. */
export function codeOf(error: unknown): ErrorCode | 'BAD_REQUEST' | 'OFFLINE' | 'UNEXPECTED' {
  const { code, status } = error as { code?: string; status?: number };
  if (status === 503) return 'BUSY';
  if (code === 'INTERNAL_SERVER_ERROR') return 'UNEXPECTED';
  if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code as ErrorCode;
  return error instanceof TypeError ? 'OFFLINE' : 'UNEXPECTED';
}

/** Message for an error, in the page's language. */
export function failureText(error: unknown, text: Catalogue): string {
  // Messages for errors of the back office are loaded with its screens only.
  const messages: Partial<Record<ErrorCode | 'BAD_REQUEST' | 'OFFLINE' | 'UNEXPECTED', string>> = text.failure;
  const seconds = secondsToWait(error);
  if (seconds !== undefined) return text.retryIn(seconds);
  return messages[codeOf(error)] ?? text.failure.UNEXPECTED;
}

/** Message for a change that failed, where no notice reports it; after a lost response, that the change may have been made. */
export function changeFailureText(error: unknown, text: Catalogue): string {
  const { title, text: explanation } = text.toast.unanswered;
  return codeOf(error) === 'OFFLINE' ? `${title}. ${explanation}` : failureText(error, text);
}

/** Seconds until a refused call may be repeated; undefined for every other error. */
function secondsToWait(error: unknown): number | undefined {
  const { retryAfter } = (error as { data?: { retryAfter?: unknown } }).data ?? {};
  return codeOf(error) === 'RATE_LIMITED' && typeof retryAfter === 'number' ? retryAfter : undefined;
}

/** Names of the input fields that the server refused. */
export function wrongFields(error: unknown): string[] {
  const { data } = error as { data?: { issues?: { path: (string | number)[] }[] } };
  return (data?.issues ?? []).map((issue) => String(issue.path[0] ?? ''));
}
