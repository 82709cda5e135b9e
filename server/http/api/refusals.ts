import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import type { Context } from '#server/http/context.ts';

/** Status codes of refusals that are logged because they concern the caller: invalid input, no session, no right, rate limit. */
const LOGGED_STATUSES = new Set([400, 401, 403, 429]);

/**
 * Logs a procedure's refusal with its reason and the member, next to the request's line, which has the same id. Contains
 * neither request data nor an address; the member is identified by id only.
 *
 * @param procedure its name, as `forum.create`.
 */
export async function logRefusal(log: Logger, context: Context, procedure: string, error: unknown): Promise<void> {
  if (!(error instanceof ORPCError) || !LOGGED_STATUSES.has(error.status)) return;
  // Read already when a guard needed it; a database failure is not reported by this line.
  const viewer = await context.viewer().catch(() => null);
  log.info({ id: context.requestId, u: viewer?.id ?? null, procedure, code: error.code }, 'refused');
}
