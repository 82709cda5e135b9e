/**
 * Replies that refuse a mailbox or a message. Not 552: RFC 5321 4.5.3.1.10 reads it as 452 after RCPT, and a full mailbox gets emptied.
 * Not those about the dialogue, the login or the server (500 to 504, 521, 530, 535, 555): the operator can correct them.
 */
const PERMANENT_REPLIES: ReadonlySet<unknown> = new Set([550, 551, 553, 554, 556]);
/**
 * Enhanced status codes (RFC 3463, RFC 7505): no such mailbox or domain, a mailbox that takes no mail or none of this length, a message
 * in a form that is not taken. Not a sender that is not known (5.1.7, 5.1.8), a full mailbox (5.2.2), the server, its routes and the
 * dialogue (5.3 to 5.5), nor policy such as relaying, login, SPF and DKIM (5.7).
 */
const PERMANENT_STATUS = /^5\.(?:1\.(?:1|2|3|4|6|10)|2\.[13]|6\.\d+)$/;
/** Statuses that say no more than the reply. */
const UNSPECIFIC_STATUS = /^5\.[012]\.0$/;
/** Refusals of this site instead of the mailbox, by servers that send no status for them. */
const ABOUT_THE_SITE = /relay|authenti|sender|client|spam|block|listed/i;

/**
 * True when the server refused the recipient or the message itself, so that each further attempt would be refused as well. A refusal of
 * the sender, the login or the connection is none, whatever its number.
 */
export function isPermanentRefusal(error: unknown): boolean {
  const { command, responseCode, response } = error as {
    command?: unknown;
    responseCode?: unknown;
    response?: unknown;
  };
  if (command !== 'RCPT TO' && command !== 'DATA') return false;
  if (!PERMANENT_REPLIES.has(responseCode)) return false;
  const text = String(response);
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(text)?.[1] ?? '5.0.0';
  return UNSPECIFIC_STATUS.test(status) ? !ABOUT_THE_SITE.test(text) : PERMANENT_STATUS.test(status);
}
