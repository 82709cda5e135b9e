let list: Promise<Set<string>> | undefined;

/** The list of the installed package, imported with the first vote that is reviewed. */
const load = (): Promise<Set<string>> =>
  (list ??= import('disposable-email-domains-js').then(({ disposableEmailBlocklistSet }) =>
    disposableEmailBlocklistSet(),
  ));

/** @returns a function that is true when a domain, or a parent domain, offers disposable mailboxes. */
export async function loadDisposableDomains(): Promise<(domain: string) => boolean> {
  const disposable = await load();
  return (domain) => {
    const parts = domain.split('.');
    return parts.some((_, i) => i < parts.length - 1 && disposable.has(parts.slice(i).join('.')));
  };
}
