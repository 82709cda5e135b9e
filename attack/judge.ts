import type { Findings } from './findings.ts';
import type { Answer, Kind } from './people.ts';

/** Internals of the program that no response may contain. */
const INTERNALS =
  /node_modules|\bat [\w.<>]+ \(|\.ts:\d+|select .{1,80} from |duplicate key|violates|ECONNREFUSED|\/tmp\//;

/** Kinds of people with access to those mailboxes and texts; `foreign` sends the cookie of an owner. */
const MAY_KNOW: readonly Kind[] = ['admin', 'foreign', 'support', 'finance'];

/** Checks one response for violations that do not depend on the caller. */
export function checkResponse(
  findings: Findings,
  who: Kind,
  what: string,
  answer: Answer,
  secrets: readonly string[],
): void {
  const { status, headers, text } = answer;
  if (status >= 500 && status !== 503)
    findings.add('server error', `${what} as ${who}: ${status} ${text.slice(0, 120)}`);
  if (status === 503 && !headers.has('retry-after'))
    findings.add('other', `${what}: 503 that does not say for how long`);
  if (headers.get('x-content-type-options') !== 'nosniff')
    findings.add('other', `${what}: no security headers on ${status}`);
  if (headers.has('access-control-allow-origin')) findings.add('unauthorized access', `${what}: open to other sites`);
  if (status >= 400 && INTERNALS.test(text))
    findings.add('other', `${what}: an answer with the inside: ${text.slice(0, 160)}`);
  if (!MAY_KNOW.includes(who))
    for (const secret of secrets)
      if (text.includes(secret))
        findings.add('unauthorized access', `${what} as ${who}: says ${secret.split('-')[0]}…`);
}
