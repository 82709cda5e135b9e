import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

const DISPOSABLE = disposableEmailBlocklistSet();

/** True when a domain, or a parent domain, offers disposable mailboxes, by the list of the installed package. */
export function isDisposableDomain(domain: string): boolean {
  const parts = domain.split('.');
  return parts.some((_, i) => i < parts.length - 1 && DISPOSABLE.has(parts.slice(i).join('.')));
}
