/** Domains of services that ignore dots in the local part, each with its canonical domain. */
const DOTLESS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * Canonical form of the addresses of one mailbox, for limits and the vote review only: without a +suffix, and without
 * dots where the service is known to ignore them. Not for signing in or sending mail: at other services a plus or a dot
 * may denote another mailbox.
 *
 * @param email an address in any case; other text is returned in lower case.
 */
export function normalizeMailbox(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 1) return lower;
  const domain = DOTLESS.get(lower.slice(at + 1)) ?? lower.slice(at + 1);
  const local = lower.slice(0, at).split('+')[0] || lower.slice(0, at);
  return `${DOTLESS.has(domain) ? local.replaceAll('.', '') : local}@${domain}`;
}

/** Second-level labels below which country domains are registered. */
const COUNTRY_SECOND = new Set('ac co com edu gob gouv gov go id info mil ne net nom or org web'.split(' '));

/**
 * The registered domain at or above the given one: its owner receives mail for all names below it. A heuristic for the
 * vote review, not the public suffix list.
 */
export function ownerDomain(domain: string): string {
  const labels = domain.split('.');
  const country = labels.at(-1)?.length === 2 && COUNTRY_SECOND.has(labels.at(-2) ?? '');
  return labels.slice(country ? -3 : -2).join('.');
}
