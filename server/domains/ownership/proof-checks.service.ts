import { Resolver } from 'node:dns/promises';
import { createFetcher, type Fetcher, NotFetched } from '#server/lib/network/guarded-fetch.ts';
import type { NotProven, ProofChecks } from './ownership.port.ts';
import { proofLocationOf, provesIn } from './proof-locations.policy.ts';

/** A proof is one line; no more than this is read of a page. Bytes. */
const MAX_FILE = 16 * 1024;
/** Timeout per DNS server, and number of attempts. Milliseconds. */
const DNS = { timeout: 2_500, tries: 2 };

interface Means {
  /** DNS servers, as 'address:port'; those of the machine by default. */
  servers?: readonly string[];
  fetch?: Fetcher;
}

/** Reasons for the error codes of DNS. */
const DNS_FAILURES: Partial<Record<string, NotProven>> = {
  ENODATA: 'missing',
  ENOTFOUND: 'missing',
  ETIMEOUT: 'slow',
};

/** Checks DNS and websites, the latter only by `guarded-fetch.ts`. */
export function createProofChecks({ servers, fetch }: Means = {}): ProofChecks {
  const fetchFile = fetch ?? createFetcher({ accept: 'text/plain', agent: 'Florka (proof)', maxBytes: MAX_FILE });
  return {
    async look(method, subject, token) {
      const proofLocation = proofLocationOf(method, subject);
      if (method === 'file')
        return fetchFile(proofLocation).then((bytes) => provesIn(bytes.toString('utf8').split('\n'), token), whyNot);
      const resolver = new Resolver(DNS);
      if (servers) resolver.setServers(servers);
      return resolver.resolveTxt(proofLocation).then(
        (records) =>
          provesIn(
            records.map((parts) => parts.join('')),
            token,
          ),
        ({ code }: NodeJS.ErrnoException) => DNS_FAILURES[code ?? ''] ?? 'unreachable',
      );
    },
  };
}

function whyNot(error: unknown): NotProven {
  if (!(error instanceof NotFetched)) throw error;
  if (error.status === 404 || error.status === 410) return 'missing';
  return error.why === 'address' ? 'unreachable' : error.why;
}
