// A program of several workers without a site, for supervise.test.ts. Its arguments: the number of workers, and 'fails'
// for a start that fails.
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { superviseWorkers } from '#server/processes/supervise.ts';
import { metricsOfAllWorkers, reportReady } from '#server/processes/worker.ts';

const [, , count = '2', how = ''] = process.argv;

if (cluster.isPrimary) {
  const silent = { warn() {}, error() {} } as unknown as Logger;
  const workers = superviseWorkers({
    count: Number(count),
    log: silent,
    onReady: (port) => process.send?.({ port }),
    onFailed: (code) => void workers.end(5_000).then(() => process.exit(code)),
  });
  process.on('SIGTERM', () => void workers.end(5_000).then(() => process.exit(0)));
  // From then on no process can be created, until the next time.
  process.on('SIGUSR2', () => {
    const refused = '/no/such/folder';
    cluster.setupPrimary({ cwd: cluster.settings.cwd === refused ? process.cwd() : refused });
  });
  process.once('disconnect', () => process.exit(1));
} else {
  if (how === 'fails') process.exit(7);
  const all = metricsOfAllWorkers(async () => `# HELP one A number\n# TYPE one gauge\none{of="a"} ${process.pid}\n`);
  const server = createServer(async (req, res) => {
    if (req.url === '/die') process.kill(process.pid, 'SIGKILL');
    res.writeHead(200, { connection: 'close' }).end(req.url === '/metrics' ? await all() : String(process.pid));
  });
  server.listen(0, '127.0.0.1', () => reportReady((server.address() as AddressInfo).port));
  process.on('SIGTERM', () => process.exit(0));
}
