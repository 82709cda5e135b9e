import type { IncomingMessage, ServerResponse } from 'node:http';
import { UNSUBSCRIBE_FORM_PARAMETER } from '#contract/text/unsubscribe-address.ts';
import type { HttpServices } from '#server/http/context.ts';

/**
 * POST /unsubscribe?token=…, or the same below /en, from the page's plain form or from a mail program (RFC 8058): works without a
 * session and without scripts. The body is ignored. Only the form is redirected to the page with the result: mail programs must not be
 * redirected (section 3.1).
 */
export async function answerUnsubscribe(
  services: Pick<HttpServices, 'contextOf' | 'unsubscribe'>,
  req: IncomingMessage,
  res: ServerResponse,
  { pathname, query }: { pathname: string; query: string },
): Promise<void> {
  req.resume();
  const parameters = new URLSearchParams(query);
  const { ipHash, requestId } = services.contextOf(new Headers());
  const known = await services.unsubscribe(
    { id: null, role: 'visitor', ipHash: ipHash(), requestId },
    parameters.get('token') ?? '',
  );
  if (parameters.has(UNSUBSCRIBE_FORM_PARAMETER))
    res.writeHead(303, { location: `${pathname}?${known ? 'done' : 'unknown'}=1`, 'cache-control': 'no-store' }).end();
  else
    res
      .writeHead(known ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .end(known ? 'Unsubscribed\n' : 'Not a valid unsubscribe link\n');
}
