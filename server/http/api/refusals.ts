import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import type { Context } from '#server/http/context.ts';

/** Refusals that say something about who asked: wrong input, no session, no right, too often. */
const WORTH_A_LINE = new Set([400, 401, 403, 429]);

/**
 * Writes down whom a procedure refused and why, beside the line of the request, which has the same id. Nothing of what was sent, and
 * no address: the member is told by id only.
 *
 * @param procedure its name, as `forum.create`.
 */
export async function noteRefusal(log: Logger, context: Context, procedure: string, error: unknown): Promise<void> {
  if (!(error instanceof ORPCError) || !WORTH_A_LINE.has(error.status)) return;
  // Known by now where a guard asked; a database that went away is not this line's business.
  const viewer = await context.viewer().catch(() => null);
  log.info({ id: context.requestId, u: viewer?.id ?? null, procedure, code: error.code }, 'refused');
}
