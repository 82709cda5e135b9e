/** Domains of one service whose mailboxes ignore dots. */
const DOTLESS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * One form for the addresses that reach one mailbox, for limits and for the review of votes only: what follows a plus is
 * left out everywhere, dots where the service is known to ignore them. Never for signing in or sending mail: elsewhere a plus or
 * a dot may make another mailbox.
 *
 * @param email an address in any case; what is none stays as it is, in lower case.
 */
export function normalizeMailbox(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 1) return lower;
  const domain = DOTLESS.get(lower.slice(at + 1)) ?? lower.slice(at + 1);
  const local = lower.slice(0, at).split('+')[0] || lower.slice(0, at);
  return `${DOTLESS.has(domain) ? local.replaceAll('.', '') : local}@${domain}`;
}

/** Second labels under which countries give out domains. */
const COUNTRY_SECOND = new Set('ac co com edu gob gouv gov go id info mil ne net nom or org web'.split(' '));

/**
 * The domain that somebody registered, of one at or below it: whoever owns it takes mail for all names below. A rule of thumb
 * for the review of votes, not the list of all public suffixes.
 */
export function ownerDomain(domain: string): string {
  const labels = domain.split('.');
  const country = labels.at(-1)?.length === 2 && COUNTRY_SECOND.has(labels.at(-2) ?? '');
  return labels.slice(country ? -3 : -2).join('.');
}
