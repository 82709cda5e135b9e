import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServices } from '#server/http/context.ts';

/**
 * POST /unsubscribe?token=… from the page's plain form, or from a mail program (RFC 8058): works without a session and without
 * scripts. The body is ignored.
 */
export async function answerUnsubscribe(
  services: Pick<HttpServices, 'contextOf' | 'unsubscribe'>,
  req: IncomingMessage,
  res: ServerResponse,
  query: string,
): Promise<void> {
  req.resume();
  const token = new URLSearchParams(query).get('token') ?? '';
  const { ipHash, requestId } = services.contextOf(new Headers());
  const known = await services.unsubscribe({ id: null, role: 'visitor', ipHash: ipHash(), requestId }, token);
  res.writeHead(303, { location: `/unsubscribe?${known ? 'done' : 'unknown'}=1`, 'cache-control': 'no-store' }).end();
}
