import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProofChecks } from '#server/domains/ownership/ownership.port.ts';
import { createProofChecks } from '#server/domains/ownership/proof-checks.service.ts';
import { createFetcher } from '#server/lib/network/guarded-fetch.ts';
import { startDnsServer } from './dns-server.ts';

/** A DNS server and websites on loopback, for proofs of ownership. */
export async function startOwnershipServers() {
  const dns = await startDnsServer();
  /** Content of a site's file, by host; a function responds itself. */
  const files = new Map<string, string | ((req: IncomingMessage, res: ServerResponse) => void)>();
  const fetched: string[] = [];
  const web = http.createServer((req, res) => {
    const { host = '' } = req.headers;
    fetched.push(`${host}${req.url}`);
    const file = files.get(host);
    if (typeof file === 'function') return file(req, res);
    if (file === undefined || req.url !== '/.well-known/florka.txt') return res.writeHead(404).end();
    res.end(file);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const { port } = web.address() as AddressInfo;
  const means = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isPublic: () => true,
    // Without TLS, to this machine; everything else is as in production.
    request: http.request as never,
    port,
  };
  const what = { accept: 'text/plain', agent: 'Florka (proof)', maxBytes: 16 * 1024 };
  const online = createProofChecks({ servers: [dns.address], fetch: createFetcher(what, means) });
  const offline = createProofChecks({
    // Nothing listens on the discard port.
    servers: ['127.0.0.1:9'],
    fetch: createFetcher(what, { resolve: () => Promise.reject(new Error('EAI_AGAIN')) }),
  });
  const checks: ProofChecks = {
    look: (method, subject, token) => (world.down ? offline : online).look(method, subject, token),
  };
  const world = {
    dns,
    files,
    /** Requested addresses. */
    fetched,
    /** True while the network of the site itself is down. */
    down: false,
    checks,
    async close() {
      await dns.close();
      web.closeAllConnections();
      web.close();
    },
  };
  return world;
}
