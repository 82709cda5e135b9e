import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { EvmTokenNetwork, TokenNetwork } from '#contract/networks.ts';
import { isAdminKey } from '#server/domains/payments/proof/signer-evidence.service.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

const address = z.url({ protocol: /^https?$/ });
const cap = z.coerce.number().int().min(1).max(1_000).default(20);
const secret = z.string().min(1);

/**
 * Variables of the signer itself; those of the networks follow. The tables in docs/operating.md and docs/chains.md
 * follow this list, and a test compares them.
 */
const schema = z.object({
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** The site's database: its address, or the embedded one of a server that runs on this machine. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('data'),
  /** If set, each payment is checked at the provider before a token is signed. */
  NOWPAYMENTS_API_KEY: secret.optional(),
  /** Former keys, separated by commas: payments created with them are read with them. */
  NOWPAYMENTS_OLD_API_KEYS: z.string().optional(),
  NOWPAYMENTS_URL: address.default('https://api.nowpayments.io/v1'),
  /** Public keys of `florka admin key`, separated by commas: their signatures accept partial and irregular payments. */
  SIGNER_ADMIN_KEYS: z.string().optional(),
  /**
   * Folder in which the signer records what it has signed; by default `signer` in DATA_DIR. No other program may write
   * there.
   */
  SIGNER_STATE_DIR: z.string().min(1).optional(),
  /** Hexadecimal; 32 bytes or more. The addresses of Solana tokens are derived from it, so it must never change. */
  SIGNER_MINT_SEED: secret.optional(),
  SIGNER_MINT_SEED_FILE: secret.optional(),
  /** AWS KMS, for networks whose key is stored there: its region, and optionally another endpoint. */
  SIGNER_KMS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional(),
  SIGNER_KMS_URL: address.optional(),
});

/**
 * Variables of one network, prefixed with SIGNER_<NETWORK>_. A network with an RPC address is configured, and then
 * needs a key.
 */
const worker = z.object({
  RPC_URL: address,
  KEY: secret.optional(),
  KEY_FILE: secret.optional(),
  /** Instead of a key: its id, ARN or alias in AWS KMS, and the address that belongs to it. */
  KMS_KEY_ID: z.string().min(1).max(2_048).optional(),
  ADDRESS: z.string().min(1).max(100).optional(),
  DAILY_CAP: cap,
  /** Base URL of the explorer, if it is not the default one of the production chain. */
  EXPLORER_URL: address.optional(),
});
const evm = worker.extend({
  CHAIN_ID: z.coerce.number().int().positive().optional(),
  /** Number of confirmations after which a token counts as created. */
  CONFIRMATIONS: z.coerce.number().int().min(1).max(100).optional(),
  /** Maximum price per unit of gas, in gwei; above it creations wait until fees fall. */
  MAX_FEE_GWEI: z.coerce.number().min(0.001).max(100_000).optional(),
});
const solana = worker.extend({
  /** Genesis hash of the only accepted cluster. */
  GENESIS: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    .optional(),
  COMMITMENT: z.enum(['confirmed', 'finalized']).default('finalized'),
});
/** Former names, after SIGNER_<NETWORK>_: still accepted, with a warning. */
const RENAMED: Readonly<Record<string, string>> = { FEE_MOST_GWEI: 'MAX_FEE_GWEI' };
const SHAPES = { solana, ethereum: evm, binance: evm, polygon: evm } satisfies Record<TokenNetwork, unknown>;

type Shape<N extends TokenNetwork> = z.infer<(typeof SHAPES)[N]>;
type Rest<N extends TokenNetwork> = Omit<Shape<N>, 'KEY' | 'KEY_FILE' | 'KMS_KEY_ID' | 'ADDRESS'>;
/** The key itself, which must only be passed to the chain's adapter; or its id in the key service, and its address. */
export type KeySettings = string | { kmsKeyId: string; address: string };
/** Configuration of one network. */
export type WorkerSettings =
  | ({ network: 'solana'; key: KeySettings; mintSeed: string } & Rest<'solana'>)
  | ({ network: EvmTokenNetwork; key: KeySettings } & Rest<'ethereum'>);

export interface SignerEnv {
  logLevel: string;
  databaseUrl: string | undefined;
  dataDir: string;
  payments: { apiKey: string; oldApiKeys: string[]; baseUrl: string } | null;
  /** Public keys whose acceptances are valid, base64. */
  adminKeys: string[];
  stateDir: string;
  /** The key service; null if none is configured. */
  kms: { region: string; endpoint: string | undefined } | null;
  workers: WorkerSettings[];
  /** What the operator should change; does not prevent the start. */
  warnings: string[];
}

/**
 * Reads and checks the signer's configuration once, and deletes the secrets from `source`, so that child processes do
 * not inherit them.
 *
 * @throws StartError with every error; never quotes a value.
 */
export function readSignerEnv(source: NodeJS.ProcessEnv): SignerEnv {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const warnings: string[] = [];
  const known = new Set(Object.keys(schema.shape));
  const parse = <S extends z.ZodType>(shape: S, values: object, prefix = ''): z.infer<S> | undefined => {
    const read = shape.safeParse(values);
    if (read.success) return read.data;
    problems.push(...read.error.issues.map((issue) => `${prefix}${issue.path.join('.')}: ${issue.message}`));
    return undefined;
  };
  const env = parse(schema, given);
  const seed = secretOf(given, 'SIGNER_MINT_SEED', problems);
  const workers: WorkerSettings[] = [];
  for (const network of Object.keys(SHAPES) as TokenNetwork[]) {
    const prefix = `SIGNER_${network.toUpperCase()}_`;
    for (const name of Object.keys(SHAPES[network].shape)) known.add(prefix + name);
    for (const [old, name] of Object.entries(RENAMED)) {
      if (!(name in SHAPES[network].shape) || given[prefix + old] === undefined) continue;
      known.add(prefix + old);
      if (given[prefix + name] !== undefined) problems.push(`${prefix}${name} and ${prefix}${old}: only one of them`);
      warnings.push(`${prefix}${old} was renamed: ${prefix}${name}`);
      given[prefix + name] = given[prefix + old];
      delete given[prefix + old];
    }
    const mine = Object.entries(given).filter(([name]) => name.startsWith(prefix));
    if (mine.length === 0) continue;
    const values = parse(
      SHAPES[network],
      Object.fromEntries(mine.map(([name, value]) => [name.slice(prefix.length), value])),
      prefix,
    );
    const own = secretOf(given, `${prefix}KEY`, problems);
    if (!values) continue;
    const { KEY: _key, KEY_FILE: _file, KMS_KEY_ID, ADDRESS, ...rest } = values;
    const key = keyOf({ own, KMS_KEY_ID, ADDRESS }, prefix, problems);
    if (!key) continue;
    if (network !== 'solana') workers.push({ network, key, ...rest });
    else if (seed) workers.push({ network, key, mintSeed: seed, COMMITMENT: 'finalized', ...rest });
    else problems.push('SIGNER_MINT_SEED or SIGNER_MINT_SEED_FILE: missing, Solana needs it');
  }
  const adminKeys = partsOf(env?.SIGNER_ADMIN_KEYS);
  if (!adminKeys.every(isAdminKey)) problems.push('SIGNER_ADMIN_KEYS: no public keys of `florka admin key`');
  if (!env?.SIGNER_KMS_REGION && workers.some(({ key }) => typeof key !== 'string'))
    problems.push('SIGNER_KMS_REGION: missing, keys in AWS KMS need it');
  const strange = Object.keys(given).filter((name) => name.startsWith('SIGNER_') && !known.has(name));
  if (strange.length > 0) problems.push(`unknown: ${strange.join(', ')}`);
  for (const name of Object.keys(source)) if (/^SIGNER_.*(KEY|SEED)$/.test(name)) delete source[name];
  if (!env || problems.length > 0) throw new StartError(`Wrong configuration: ${problems.join('; ')}.`);
  if (workers.length === 0)
    throw new StartError(
      'No network is configured: set at least SIGNER_<NETWORK>_RPC_URL and SIGNER_<NETWORK>_KEY_FILE, for SOLANA, ETHEREUM, BINANCE or POLYGON.',
    );
  return {
    logLevel: env.LOG_LEVEL,
    databaseUrl: env.DATABASE_URL,
    dataDir: path.resolve(env.DATA_DIR),
    payments: env.NOWPAYMENTS_API_KEY
      ? {
          apiKey: env.NOWPAYMENTS_API_KEY,
          oldApiKeys: partsOf(env.NOWPAYMENTS_OLD_API_KEYS),
          baseUrl: env.NOWPAYMENTS_URL,
        }
      : null,
    adminKeys,
    stateDir: path.resolve(env.SIGNER_STATE_DIR ?? path.join(env.DATA_DIR, 'signer')),
    kms: env.SIGNER_KMS_REGION ? { region: env.SIGNER_KMS_REGION, endpoint: env.SIGNER_KMS_URL } : null,
    workers,
    warnings,
  };
}

/** The one key of a network; undefined if an error was added to `problems`. */
function keyOf(
  {
    own,
    KMS_KEY_ID,
    ADDRESS,
  }: { own: string | undefined; KMS_KEY_ID?: string | undefined; ADDRESS?: string | undefined },
  prefix: string,
  problems: string[],
): KeySettings | undefined {
  if (KMS_KEY_ID === undefined) {
    if (ADDRESS !== undefined) problems.push(`${prefix}ADDRESS: only with ${prefix}KMS_KEY_ID`);
    else if (!own) problems.push(`${prefix}KEY_FILE, ${prefix}KEY or ${prefix}KMS_KEY_ID: missing`);
    return own;
  }
  if (own) problems.push(`${prefix}KMS_KEY_ID and a key: only one of them`);
  if (ADDRESS === undefined)
    problems.push(`${prefix}ADDRESS: missing, it is the address of the key ${prefix}KMS_KEY_ID`);
  return ADDRESS === undefined ? undefined : { kmsKeyId: KMS_KEY_ID, address: ADDRESS };
}

const partsOf = (list = ''): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * A secret from its variable, or from the file named by the variable with _FILE, which must be accessible to its owner
 * only.
 */
function secretOf(given: NodeJS.ProcessEnv, name: string, problems: string[]): string | undefined {
  const file = given[`${name}_FILE`];
  if (file === undefined) return given[name];
  if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE: only one of them`);
  try {
    // Windows has no such modes. Files from systemd (LoadCredential=) are readable by the group, in a folder that only
    // this service can enter.
    const { mode } = statSync(file);
    const handed = given['CREDENTIALS_DIRECTORY'] === path.dirname(file);
    if (process.platform !== 'win32' && (mode & (handed ? 0o037 : 0o077)) !== 0) {
      problems.push(`${name}_FILE: others than its owner may read or change ${file}; chmod 600 it`);
      return undefined;
    }
    const text = readFileSync(file, 'utf8').trim();
    if (text) return text;
    problems.push(`${name}_FILE: ${file} is empty`);
  } catch (error) {
    problems.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return undefined;
}
