import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { warningsOf } from '#server/env-warnings.ts';
import { parseTrustedProxies } from '#server/http/client-address.ts';
import { makeDir } from '#server/lib/make-dir.ts';
import { errorCode, explainWriteError, StartError } from '#server/lib/start-error.ts';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const port = z.coerce.number().int().min(0).max(65_535);

/** Every variable that operators set; the table in docs/operating.md follows this list, and a test compares them. */
const schema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  /** The address people type; links in mails and the check of foreign origins use it. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Connections to the database that this process may hold. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  AUTH_SECRET: z.string().min(32).optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  /** Left out: on for a trial on this machine, and off once anything real is set up. */
  DEMO: onOff.optional(),
  /** Admins and moderators set up a second factor before they may do anything as such; off only for trials. */
  ADMIN_SECOND_FACTOR: onOff.default(true),
  /** Votes of members only who proved their mailbox, or whom an admin confirmed. */
  VOTE_CONFIRMED_ONLY: onOff.default(false),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Proxies in front of us whose X-Forwarded-For entries are believed: how many on this machine, or their addresses. */
  TRUST_PROXY: z
    .string()
    .refine((value) => parseTrustedProxies(value), 'neither a number from 0 to 10 nor a list of addresses and networks')
    .default('0'),
  /** smtp://user:password@host:587 or smtps://…; without it mails become files in DATA_DIR/outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(200).default('Florka <no-reply@florka.local>'),
  SUPPORT_EMAIL: z.email().optional(),
  /** NOWPayments; key and callback secret together. Without them the demo pays in a simulation. */
  NOWPAYMENTS_API_KEY: z.string().min(1).optional(),
  NOWPAYMENTS_IPN_SECRET: z.string().min(16).optional(),
  NOWPAYMENTS_URL: z.url({ protocol: /^https?$/ }).default('https://api.nowpayments.io/v1'),
  /** The account, for listing deposits: finds those whose every callback got lost. */
  NOWPAYMENTS_EMAIL: z.email().optional(),
  NOWPAYMENTS_PASSWORD: z.string().min(1).optional(),
  /** Providers of prices and holders are asked about tokens with an address; left out: in production. */
  MARKET_DATA: onOff.optional(),
  DEXSCREENER_URL: z.url({ protocol: /^https?$/ }).default('https://api.dexscreener.com'),
  GECKOTERMINAL_URL: z.url({ protocol: /^https?$/ }).default('https://api.geckoterminal.com/api/v2'),
  /** A bucket for uploaded images instead of DATA_DIR/uploads; with it the two keys are needed. */
  S3_BUCKET: z.string().min(1).max(255).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: onOff.default(false),
  /** Numbers for Prometheus at /metrics: on a port of its own, or with a token on the site's. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_TOKEN: z.string().min(32).optional(),
  /** A collector of traces that speaks OTLP over HTTP, without /v1/traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
});

/** Secrets of the signer: this program must not even have them in its environment. */
const SIGNERS = /^SIGNER_.*(KEY|SEED)$/;

/** This machine itself, without TLS. */
const LOCAL = /^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/;

/** Together or not at all. */
const S3_NEEDED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

const PAIRS = [
  ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  ['NOWPAYMENTS_EMAIL', 'NOWPAYMENTS_PASSWORD'],
] as const;

export type Env = Omit<z.infer<typeof schema>, 'AUTH_SECRET' | 'PUBLIC_URL' | 'MARKET_DATA' | 'DEMO'> & {
  AUTH_SECRET: string;
  PUBLIC_URL: string;
  MARKET_DATA: boolean;
  DEMO: boolean;
  /** Somebody asked for the demo, whatever else is set up: every page says that it is one. */
  DEMO_ASKED: boolean;
};

/**
 * Reads and checks the configuration once, and makes the data directory with its secret.
 *
 * @throws StartError naming every wrong variable at once, or the missing right.
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
    const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartError(`Wrong configuration: ${faults.join('; ')}.`);
  }
  const env = read.data;
  if ((env.ADMIN_EMAIL === undefined) !== (env.ADMIN_PASSWORD === undefined))
    throw new StartError('Wrong configuration: ADMIN_EMAIL and ADMIN_PASSWORD must be set together.');
  for (const pair of PAIRS) {
    const set = pair.filter((name) => env[name] !== undefined);
    if (set.length === 1) throw new StartError(`Wrong configuration: ${pair.join(' and ')} must be set together.`);
  }
  const missing = S3_NEEDED.filter((name) => env[name] === undefined);
  const anyS3 = Object.keys(given).some((name) => name in schema.shape && name.startsWith('S3_'));
  if (anyS3 && missing.length > 0)
    throw new StartError(`Wrong configuration: uploads in S3 need ${missing.join(', ')} as well.`);
  if (env.METRICS_PORT !== undefined && !env.METRICS_TOKEN && !isLoopbackHost(env.METRICS_HOST))
    throw new StartError(
      'Wrong configuration: METRICS_HOST is reached from elsewhere, so METRICS_TOKEN must be set as well.',
    );
  const dataDir = path.resolve(env.DATA_DIR);
  makeDataDir(dataDir);
  return {
    ...env,
    DEMO: env.DEMO ?? isTrial(env),
    DEMO_ASKED: env.DEMO === true,
    MARKET_DATA: env.MARKET_DATA ?? env.NODE_ENV === 'production',
    DATA_DIR: dataDir,
    PUBLIC_URL: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
    AUTH_SECRET: env.AUTH_SECRET ?? readOrMakeSecret(dataDir),
  };
}

const isLoopbackHost = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Nothing real is set up, and only people on this machine reach it by its address. */
function isTrial(env: z.infer<typeof schema>): boolean {
  const here = !env.PUBLIC_URL || LOCAL.test(env.PUBLIC_URL);
  return here && !env.DATABASE_URL && !env.SMTP_URL && !env.NOWPAYMENTS_API_KEY && !env.S3_BUCKET;
}

/** What an operator most likely did not mean, in sentences: misspelt names, placeholders, a folder that gets lost. */
export const configurationWarnings = (source: NodeJS.ProcessEnv): string[] =>
  warningsOf(source, Object.keys(schema.shape));

/** Everything else may rely on it: it is there, and may be written. */
function makeDataDir(dataDir: string): void {
  try {
    makeDir(dataDir);
  } catch (error) {
    throw explainWriteError(error, dataDir);
  }
}

function readOrMakeSecret(dataDir: string): string {
  const file = path.join(dataDir, 'auth-secret');
  try {
    try {
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      // What could not be written whole must not stay as a damaged secret.
      if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT') rmSync(file, { force: true });
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    throw explainWriteError(error, dataDir);
  }
  throw new StartError(`The secret in ${file} is damaged: restore it, or remove it to sign everybody out.`);
}
