import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { createFetcher, type Fetcher, NotFetched } from '#server/lib/network/guarded-fetch.ts';
import type { NotProven, ProofChecks } from './ownership.port.ts';
import { proofLocationOf, provesIn } from './proof-locations.policy.ts';

/** A proof is one line; no more than this is read of a page. Bytes. */
const MAX_FILE = 16 * 1024;
/** Timeout per DNS server, and number of attempts. Milliseconds. */
const DNS = { timeout: 2_500, tries: 2 };
/** The same for the query that checks whether names can be resolved at all. */
const CONTROL = { timeout: 2_000, tries: 1 };

interface Means {
  /** DNS servers, as 'address:port'; those of the machine by default. */
  servers?: readonly string[];
  fetch?: Fetcher;
}

/** Nothing was received, neither a response nor a definite answer about the name: the cause may be on our side. */
class NoAnswer {
  readonly why: 'slow' | 'unreachable';
  constructor(why: 'slow' | 'unreachable') {
    this.why = why;
  }
}

/** Results by error code of DNS; any other code may come from our own resolver. */
const DNS_FAILURES: Partial<Record<string, NotProven | NoAnswer>> = {
  ENODATA: 'missing',
  ENOTFOUND: 'missing',
  ETIMEOUT: new NoAnswer('slow'),
};

/** Checks DNS and websites, the latter only by `guarded-fetch.ts`. */
export function createProofChecks({ servers, fetch }: Means = {}): ProofChecks {
  const fetchFile = fetch ?? createFetcher({ accept: 'text/plain', agent: 'Florka (proof)', maxBytes: MAX_FILE });
  const resolverWith = (limits: { timeout: number; tries: number }) => {
    const resolver = new Resolver(limits);
    if (servers) resolver.setServers(servers);
    return resolver;
  };
  /** Resolves a name that no cache has, so that any answer, also a negative one, comes from outside. */
  const namesResolve = () =>
    resolverWith(CONTROL)
      .resolve4(`${randomBytes(12).toString('hex')}.com`)
      .then(
        () => true,
        ({ code }: NodeJS.ErrnoException) => code === 'ENOTFOUND' || code === 'ENODATA',
      );
  return {
    async look(method, subject, token) {
      const proofLocation = proofLocationOf(method, subject);
      const found =
        method === 'file'
          ? await fetchFile(proofLocation).then((bytes) => provesIn(bytes.toString('utf8').split('\n'), token), whyNot)
          : await resolverWith(DNS)
              .resolveTxt(proofLocation)
              .then(
                (records) =>
                  provesIn(
                    records.map((parts) => parts.join('')),
                    token,
                  ),
                ({ code }: NodeJS.ErrnoException) => DNS_FAILURES[code ?? ''] ?? new NoAnswer('unreachable'),
              );
      if (!(found instanceof NoAnswer)) return found;
      return (await namesResolve()) ? found.why : 'unchecked';
    },
  };
}

function whyNot(error: unknown): NotProven | NoAnswer {
  if (!(error instanceof NotFetched)) throw error;
  if (error.status === 404 || error.status === 410) return 'missing';
  if (error.why === 'address') return 'unreachable';
  if ((error.why === 'slow' || error.why === 'unreachable') && error.status === null) return new NoAnswer(error.why);
  return error.why;
}
