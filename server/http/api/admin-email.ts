import { ORPCError, type ProcedureClientInterceptorOptions } from '@orpc/server';
import type { Context } from '#server/http/context.ts';

/** Fields in which clients may send an admin's e-mail with any call of the back office. */
const NAMES = ['adminEmail', 'p_admin_email'];
/** Message of the error when it is not the e-mail of the session. */
const NOT_AUTHENTICATED = 'Usuario administrador no autenticado';

type Options = ProcedureClientInterceptorOptions<Context, never, never>;
interface Call<T> extends Pick<Options, 'context' | 'input' | 'path'> {
  next: (options?: never) => Promise<T>;
}

/**
 * Removes an admin's e-mail from the input of a call of the back office before the input is read (AMB-01). It grants nothing:
 * only the session identifies the caller. An e-mail of somebody else refuses the call.
 */
export async function acceptAdminEmail<T>(call: Call<T>): Promise<T> {
  if (call.path[0] !== 'admin') return call.next();
  return call.next({ ...call, input: await withoutAdminEmail(call.context, call.input) } as never);
}

/** The input of a call of the back office without the e-mail. @throws UNAUTHORIZED when it is not the calling admin's. */
export async function withoutAdminEmail(context: Pick<Context, 'viewer'>, input: unknown): Promise<unknown> {
  if (typeof input !== 'object' || input === null || !NAMES.some((name) => Object.hasOwn(input, name))) return input;
  const viewer = await context.viewer();
  const fields = Object.entries(input);
  const foreign = fields.some(
    ([name, email]) =>
      NAMES.includes(name) &&
      // Converting an object to text can throw.
      (typeof email !== 'string' || email.trim().toLowerCase() !== viewer?.email.toLowerCase()),
  );
  // A caller who is not an admin is refused by the guard, as without it.
  if (foreign && viewer?.isAdmin) throw new ORPCError('UNAUTHORIZED', { status: 401, message: NOT_AUTHENTICATED });
  return Object.fromEntries(fields.filter(([name]) => !NAMES.includes(name)));
}
