import type { IncomingMessage } from 'node:http';
import { SIGN_IN_FAILED_PARAMETER, SIGN_IN_FAILURES, type SignInFailure } from '#contract/text/sign-in-address.ts';
import { readRequest } from '#server/http/read-request.ts';
import type { PlainForm } from './plain-forms.ts';

/** Limits of the form: bytes, and milliseconds. */
const LIMITS = { maxBytes: 8 * 1024, timeoutMs: 10_000 };
/** Headers about the form's body and its connection. */
const OF_FORM = new Set(['connection', 'content-length', 'content-type', 'expect', 'keep-alive', 'transfer-encoding']);

/**
 * POST /auth, or the same below /en: signs in by a plain form, sent before the scripts of its page have loaded, or without scripts. The API
 * signs in, with its limits and its check of the origin; its response becomes a redirect: to the page of the form if that was another one,
 * else home; after a refusal to /auth with the reason. A form with a `code` is the second step.
 *
 * @param api answers requests to /api.
 */
export function createSignInForm(
  api: (request: Request) => Response | Promise<Response>,
  publicUrl: string,
): PlainForm {
  const { origin } = new URL(publicUrl);
  return async (req, res, { pathname }) => {
    const body = await readRequest(req, LIMITS);
    if (typeof body === 'number') {
      res.writeHead(body, { 'cache-control': 'no-store', connection: 'close' }).end();
      return;
    }
    const fields = new URLSearchParams(body.toString('utf8'));
    const field = (name: string) => fields.get(name) ?? '';
    const isSecond = fields.has('code');
    const code = field('code').trim();
    const answer = await api(
      new Request(`${origin}/api/auth/${isSecond ? 'second-factor' : 'sign-in'}`, {
        method: 'POST',
        headers: headersOf(req),
        body: JSON.stringify(
          isSecond
            ? { code: /^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code }
            : { email: field('email').trim(), password: field('password') },
        ),
      }),
    );
    const refusal = answer.ok ? null : String(((await answer.json().catch(() => ({}))) as { code?: unknown }).code);
    if (refusal === 'FOREIGN_ORIGIN') {
      res.writeHead(403, { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' });
      res.end('Foreign origin');
      return;
    }
    const home = pathname.slice(0, -'/auth'.length) || '/';
    const location = refusal
      ? `${pathname}?${SIGN_IN_FAILED_PARAMETER}=${failureOf(refusal, isSecond)}`
      : (otherPage(req, origin, pathname) ?? home);
    res.writeHead(303, { location, 'cache-control': 'no-store', 'set-cookie': answer.headers.getSetCookie() }).end();
  };
}

function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(req.headers))
    if (typeof value === 'string' && !OF_FORM.has(name)) headers.set(name, value);
  return headers;
}

function failureOf(code: string, isSecond: boolean): SignInFailure {
  if (isSecond && code === 'UNAUTHORIZED') return 'SECOND_STEP_OVER';
  if (isSecond && code === 'BAD_REQUEST') return 'WRONG_CODE';
  return SIGN_IN_FAILURES.find((one) => one === code) ?? 'UNEXPECTED';
}

/** Path and query of the page of this site that had the form; null when that was the sign-in page itself, or is not known. */
function otherPage({ headers }: IncomingMessage, origin: string, pathname: string): string | null {
  if (!headers.referer || !URL.canParse(headers.referer)) return null;
  const page = new URL(headers.referer);
  // Two slashes would begin the address of another site.
  if (page.origin !== origin || page.pathname === pathname || /^\/[/\\]/.test(page.pathname)) return null;
  return page.pathname + page.search;
}
