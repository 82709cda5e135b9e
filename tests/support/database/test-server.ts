import pg from 'pg';

/** Address of the test server; plain values only, because it is passed between processes. */
export interface TestServer {
  host?: string;
  port?: number;
  user?: string;
  database?: string;
  connectionString?: string;
  /** The migrated database that every test file clones. */
  template: string;
  /** True when it has the roles of production. */
  roles: boolean;
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/** The same server, another database. */
export function onDatabase(config: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!config.connectionString) return { ...config, database };
  // Not URL: it refuses `postgres://user@/name?host=/socket/dir`.
  const [, server = '', options = ''] = /^([^:]+:\/\/[^/?]*)[^?]*(.*)$/.exec(config.connectionString) ?? [];
  return { connectionString: `${server}/${database}${options}` };
}

/** Statements that no transaction may hold (create and drop database), on a connection of their own. */
export async function runStatements(config: pg.ClientConfig, ...statements: string[]): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
