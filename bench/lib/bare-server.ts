/**
 * The fastest response of plain node:http: bytes from the parent process, the same for every request. A process of its
 * own, so that it has a core to itself, as our server has.
 */
import { createServer } from 'node:http';

export interface Handed {
  /** Names and values alternately. */
  headers: string[];
  body: string;
}

process.once('message', ({ headers, body }: Handed) => {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
