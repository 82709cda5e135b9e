/** Event streams of plain node:http, which holds request, response and parser of each. A process of its own, to measure its memory. */
import { createServer } from 'node:http';

const server = createServer((req, res) => {
  if (req.url !== '/live') return void res.end('warm');
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.write('event: sync\n\n');
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
