import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Etherscan's API, version 2, for the submission of sources: verifysourcecode and checkverifystatus. */
export async function startExplorer({ apiKey }: { apiKey: string }) {
  interface Submission {
    chainId: string;
    fields: Record<string, string>;
  }
  const submissions = new Map<string, Submission>();
  const box = {
    /** Error of the next submissions; null: they are accepted. */
    refuses: null as string | null,
    /** The state reported for every accepted submission. */
    says: { status: '0', result: 'Pending in queue' },
    /** Response of a server in front. */
    broken: null as { status: number; body: string } | null,
    calls: 0,
  };
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      box.calls++;
      const answer = (status: string, result: string) =>
        res
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ status, message: status === '1' ? 'OK' : 'NOTOK', result }));
      if (box.broken) return void res.writeHead(box.broken.status).end(box.broken.body);
      const url = new URL(req.url ?? '/', 'http://explorer');
      const body = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const fields = Object.fromEntries([...url.searchParams, ...body]);
      const chainId = url.searchParams.get('chainid') ?? '';
      if (url.pathname !== '/v2/api' || !['1', '56', '137'].includes(chainId))
        return void answer('0', 'Missing or unsupported chainid parameter (required for v2 api)');
      if (fields['apikey'] !== apiKey) return void answer('0', 'Invalid API Key (#err2)|etherscan-1');
      if (fields['module'] !== 'contract') return void answer('0', 'Error! Missing Or invalid Module name');
      if (req.method === 'POST' && fields['action'] === 'verifysourcecode') {
        if (box.refuses) return void answer('0', box.refuses);
        const guid = `guid${String(submissions.size + 1).padStart(44, '0')}`;
        submissions.set(guid, { chainId, fields });
        return void answer('1', guid);
      }
      if (req.method === 'GET' && fields['action'] === 'checkverifystatus')
        return void (submissions.get(fields['guid'] ?? '')?.chainId === chainId
          ? answer(box.says.status, box.says.result)
          : answer('0', 'Unknown UID'));
      answer('0', 'Error! Missing Or invalid Action name');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/api`,
    box,
    submissions,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
