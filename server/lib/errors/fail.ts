import { ORPCError } from '@orpc/server';
import type { z } from 'zod';
import { type ErrorCode, errors } from '#contract/errors.ts';

type DataOf<C extends ErrorCode> = (typeof errors)[C] extends { data: infer S extends z.ZodType }
  ? [data: z.input<S>]
  : [];

/** An error of the contract as a value. */
export function failure<C extends ErrorCode>(code: C, ...[data]: DataOf<C>): ORPCError<C, unknown> {
  const { status, message } = errors[code] as { status: number; message?: string };
  return new ORPCError(code, { status, data, ...(message ? { message } : {}) });
}

/** Throws an error of the contract; inside a transaction, that rolls it back. */
export function fail<C extends ErrorCode>(code: C, ...data: DataOf<C>): never {
  throw failure(code, ...data);
}

/** For the `catch` of a read: null for NOT_FOUND. A read that failed says nothing about whether its row exists. @throws other errors */
export function notFoundAsNull(error: unknown): null {
  if (error instanceof ORPCError && error.code === 'NOT_FOUND') return null;
  throw error;
}
