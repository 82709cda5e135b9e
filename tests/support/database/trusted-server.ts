import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { connectionOf, type EmbeddedOptions, type EmbeddedPg, startEmbeddedPg } from '#server/db/embedded.ts';

/** The built-in PostgreSQL without passwords, for tests and measurements. */
export interface TrustedServer extends EmbeddedPg {
  config: pg.ClientConfig & { host: string; port: number };
}

/** Starts it on a folder of its own. */
export async function startTrusted(options: EmbeddedOptions): Promise<TrustedServer> {
  fs.mkdirSync(options.dataDir, { recursive: true });
  const access = path.join(options.dataDir, 'trust.conf');
  fs.writeFileSync(access, 'local all all trust\nlocal replication all trust\n');
  // PostgreSQL reads it under another account where this process is root's.
  fs.chmodSync(access, 0o644);
  const server = await startEmbeddedPg({ ...options, settings: [...(options.settings ?? []), `hba_file=${access}`] });
  const { host } = server.configOf('owner');
  return { ...server, config: { ...connectionOf(host), user: 'postgres' } };
}
