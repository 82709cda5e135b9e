/**
 * Plain node:http and the driver: one statement for each request, its rows as JSON. A process of its own, as our server is. It serves
 * as the reference of a read that no cache answers.
 */
import { createServer } from 'node:http';
import pg from 'pg';

export interface Read {
  database: pg.ClientConfig;
  connections: number;
  text: string;
  values: unknown[];
}

process.once('message', ({ database, connections, text, values }: Read) => {
  const pool = new pg.Pool({ ...database, max: connections });
  const server = createServer(async (_req, res) => {
    try {
      const { rows } = await pool.query({ name: 'read', text, values });
      const body = Buffer.from(JSON.stringify({ items: rows }));
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      res.end(body);
    } catch (error) {
      res.writeHead(500);
      res.end(String(error));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
