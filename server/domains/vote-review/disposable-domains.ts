import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

const DISPOSABLE = disposableEmailBlocklistSet();

/** Whether mail of a domain, or of one above it, is thrown away after use, by the list of the installed package. */
export function isDisposableDomain(domain: string): boolean {
  const parts = domain.split('.');
  return parts.some((_, i) => i < parts.length - 1 && DISPOSABLE.has(parts.slice(i).join('.')));
}
