import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import { checkAssets } from '#server/env-assets.ts';
import { schema } from '#server/env-schema.ts';
import { warningsOf } from '#server/env-warnings.ts';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { makeDir } from '#server/lib/process/make-dir.ts';

/** Secrets of the signer, and the files that hold them: neither must be in the environment of this program. */
const SIGNERS = /^SIGNER_.*(KEY|SEED)(_FILE)?$/;

/** Addresses of this machine, without TLS. */
const LOCAL = /^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/;

/** Required together. */
const S3_NEEDED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Only valid together with DATABASE_URL. */
const DATABASE_NEEDED = ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const;

const PAIRS = [
  ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  ['NOWPAYMENTS_EMAIL', 'NOWPAYMENTS_PASSWORD'],
  ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_BOT_NAME'],
  ['LEDGER_WITNESS_URL', 'LEDGER_WITNESS_KEY'],
] as const;

export type Env = Omit<
  z.infer<typeof schema>,
  'PROCESSES' | 'AUTH_SECRET' | 'LEDGER_KEY' | 'PUBLIC_URL' | 'MARKET_DATA' | 'DEMO'
> & {
  AUTH_SECRET: string;
  LEDGER_KEY: string;
  PUBLIC_URL: string;
  MARKET_DATA: boolean;
  DEMO: boolean;
  PROCESSES: number;
  /** DEMO=on was set explicitly: every page is then marked as a demo. */
  DEMO_REQUESTED: boolean;
};

/**
 * Reads and checks the configuration once, and creates the data directory with its secrets.
 *
 * @throws StartError that names every invalid variable at once, or the missing right.
 */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const foreign = Object.keys(given).filter((name) => SIGNERS.test(name));
  if (foreign.length > 0)
    throw new StartError(
      `Wrong configuration: ${foreign.join(', ')} must not be set here. Keys belong to the signer alone (npm run signer), where nobody who breaks into this program can read them.`,
    );
  const read = schema.safeParse(given);
  if (!read.success) {
    const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartError(`Wrong configuration: ${problems.join('; ')}.`);
  }
  const env = read.data;
  if ((env.ADMIN_EMAIL === undefined) !== (env.ADMIN_PASSWORD === undefined))
    throw new StartError('Wrong configuration: ADMIN_EMAIL and ADMIN_PASSWORD must be set together.');
  for (const pair of PAIRS) {
    const set = pair.filter((name) => env[name] !== undefined);
    if (set.length === 1) throw new StartError(`Wrong configuration: ${pair.join(' and ')} must be set together.`);
  }
  const lone = DATABASE_NEEDED.filter((name) => env[name] !== undefined);
  if (!env.DATABASE_URL && lone.length > 0)
    throw new StartError(`Wrong configuration: ${lone.join(' and ')} needs DATABASE_URL as well.`);
  checkAssets(env);
  const missing = S3_NEEDED.filter((name) => env[name] === undefined);
  const anyS3 = Object.keys(given).some((name) => name in schema.shape && name.startsWith('S3_'));
  if (anyS3 && missing.length > 0)
    throw new StartError(`Wrong configuration: uploads in S3 need ${missing.join(', ')} as well.`);
  if (env.METRICS_PORT !== undefined && !env.METRICS_TOKEN && !isLoopbackHost(env.METRICS_HOST))
    throw new StartError(
      'Wrong configuration: METRICS_HOST is reached from elsewhere, so METRICS_TOKEN must be set as well.',
    );
  const demo = env.DEMO ?? isLocalTrial(env);
  const processes = countProcesses(env, demo);
  const dataDir = path.resolve(env.DATA_DIR);
  makeDataDir(dataDir);
  return {
    ...env,
    DEMO: demo,
    PROCESSES: processes,
    DEMO_REQUESTED: env.DEMO === true,
    MARKET_DATA: env.MARKET_DATA ?? env.NODE_ENV === 'production',
    DATA_DIR: dataDir,
    PUBLIC_URL: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    AUTH_SECRET:
      env.AUTH_SECRET ?? readOrMakeSecret(dataDir, 'auth-secret', 'restore it, or remove it to sign everybody out'),
    LEDGER_KEY:
      env.LEDGER_KEY ??
      readOrMakeSecret(dataDir, 'ledger-key', 'restore it, without it the ledger of votes cannot go on'),
  };
}

/**
 * The number of processes of one start.
 *
 * @throws StartError for more than one together with a feature that needs a single process.
 */
function countProcesses({ PROCESSES, ...env }: z.infer<typeof schema>, demo: boolean): number {
  const alone = !env.DATABASE_URL
    ? 'the built-in database (set DATABASE_URL)'
    : demo && !env.NOWPAYMENTS_API_KEY
      ? 'the payment simulation (set DEMO=off)'
      : null;
  if (PROCESSES === 'auto') return alone ? 1 : os.availableParallelism();
  if (PROCESSES > 1 && alone)
    throw new StartError(`Wrong configuration: PROCESSES must be 1 with ${alone}, which belongs to one process.`);
  return PROCESSES;
}

const isLoopbackHost = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** True if no real service is configured and the site's address is one of this machine. */
function isLocalTrial(env: z.infer<typeof schema>): boolean {
  const here = !env.PUBLIC_URL || LOCAL.test(env.PUBLIC_URL);
  return here && !env.DATABASE_URL && !env.SMTP_URL && !env.NOWPAYMENTS_API_KEY && !env.S3_BUCKET;
}

/** Warnings about probable mistakes in the configuration: misspelt names, placeholders, a relative data directory. */
export const configurationWarnings = (source: NodeJS.ProcessEnv): string[] =>
  warningsOf(source, Object.keys(schema.shape));

/** Creates the data directory, on which everything else relies. */
function makeDataDir(dataDir: string): void {
  try {
    makeDir(dataDir);
  } catch (error) {
    throw explainWriteError(error, dataDir);
  }
}

/** Reads a secret of 32 bytes in hexadecimal digits from its file, and creates it if missing. @throws StartError */
function readOrMakeSecret(dataDir: string, name: string, advice: string): string {
  const file = path.join(dataDir, name);
  try {
    try {
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // An incompletely written file must not stay as a damaged secret.
      if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT') rmSync(file, { force: true });
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const secret = readFileSync(file, 'utf8').trim();
    if (name === 'ledger-key' ? /^[0-9a-f]{64}$/.test(secret) : secret.length >= 32) return secret;
  } catch (error) {
    throw explainWriteError(error, dataDir);
  }
  throw new StartError(`The secret in ${file} is damaged: ${advice}.`);
}
