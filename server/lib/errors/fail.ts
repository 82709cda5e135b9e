import { ORPCError } from '@orpc/server';
import type { z } from 'zod';
import { type ErrorCode, errors } from '#contract/errors.ts';

type DataOf<C extends ErrorCode> = (typeof errors)[C] extends { data: infer S extends z.ZodType }
  ? [data: z.input<S>]
  : [];

/** A failure that the contract knows, as a value. */
export function failure<C extends ErrorCode>(code: C, ...[data]: DataOf<C>): ORPCError<C, unknown> {
  const { status, message } = errors[code] as { status: number; message?: string };
  return new ORPCError(code, { status, data, ...(message ? { message } : {}) });
}

/** Stop here with a failure that the contract knows. The caller's transaction rolls back. */
export function fail<C extends ErrorCode>(code: C, ...data: DataOf<C>): never {
  throw failure(code, ...data);
}
