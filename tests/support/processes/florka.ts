// Runs operators' commands, each as a separate process.
import { execFile } from 'node:child_process';
import type pg from 'pg';
import { bareEnv } from './programs.ts';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** URL of a test database. */
export const urlOf = ({ host, port, user, database, connectionString }: pg.ClientConfig): string =>
  connectionString ?? `postgres://${user}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`;

/** Runs a command as an operator does, with these variables and no others. */
export function runFlorka(words: readonly string[], env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/florka.ts', ...words],
      { env: { ...bareEnv(), ...env } as never },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
