import { z } from 'zod';
import { assetsUrl } from '#server/env-assets.ts';
import { parseTrustedProxies } from '#server/http/client-address.ts';
import { parseHeader, parsePurgeUrls } from '#server/providers/cache/open.ts';
import { parseKey } from '#verify/note.ts';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const port = z.coerce.number().int().min(0).max(65_535);

/**
 * Every variable that operators set; server/env.ts checks what several of them need together. The table in
 * docs/operating.md follows this list, and a test compares them; `npm run env-example` writes .env.example from it.
 */
export const schema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('`npm start` and `npm run dev` set it; leave it alone.'),
  PORT: port.default(3000).describe('Port to listen on; 0 lets the system choose.'),
  PROCESSES: z
    .union([z.literal('auto'), z.coerce.number().int().min(1).max(64)])
    .default(1)
    .describe(
      'Processes of this start that share the port, 1 to 64, or auto for one per core; more than 1 needs DATABASE_URL.',
    ),
  HOST: z
    .string()
    .min(1)
    .default('0.0.0.0')
    .describe('Address to listen on; 127.0.0.1 behind a proxy on the same machine.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The address people type; links in mails and the check of foreign origins use it. https turns on HSTS.'),
  ASSETS_URL: assetsUrl
    .optional()
    .describe(
      'Origin from which browsers load uploaded images and preview cards: a CDN that fetches /media/ and /og/ from the site.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('data')
    .describe('Folder for the built-in database, the secret, uploaded images and mails in files.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('postgres://user:password@host/database, PostgreSQL 15 or newer, instead of the built-in one.'),
  DATABASE_MIGRATE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'The same database for the role that owns the tables; DATABASE_URL is then one that may not change them.',
    ),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'The same database without the pooler (PgBouncer, transaction mode) of DATABASE_URL, for connections that need a session.',
    ),
  DATABASE_READ_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('A streaming replica of the database for public reads and reports, without a pooler between.'),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(20)
    .describe('Connections to the database that this process may hold, 2 to 200.'),
  AUTH_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('Signs sessions, at least 32 characters. Left out: made once, in DATA_DIR/auth-secret.'),
  ADMIN_EMAIL: z.email().optional().describe('The first admin, when there is none yet; with ADMIN_PASSWORD.'),
  ADMIN_PASSWORD: z
    .string()
    .optional()
    .describe('At least 12 characters, not a common password. Remove both after the first start.'),
  DEMO: onOff
    .optional()
    .describe('on or off. Left out: on for a trial on this machine, and off once a real service is configured.'),
  ADMIN_SECOND_FACTOR: onOff
    .default(true)
    .describe('Admins and moderators set up a second factor before they may act as such; off only for trials.'),
  ADMIN_PASSKEY: onOff
    .default(true)
    .describe(
      'With two or more admins, admins and moderators need a passkey, and codes of an app are not accepted from those who have one; off: codes are enough.',
    ),
  VOTE_CONFIRMED_ONLY: onOff
    .optional()
    .describe(
      'Only members who confirmed their e-mail, or whom an admin confirmed, may vote. Left out: on where SMTP_URL is set.',
    ),
  LEDGER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'not 64 hexadecimal digits')
    .optional()
    .describe('Signs the public ledger of votes: 64 hexadecimal digits. Left out: made once, in DATA_DIR/ledger-key.'),
  LEDGER_WITNESS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A witness of the ledger that somebody else runs (npm run florka -- witness); with its key.'),
  LEDGER_WITNESS_KEY: z
    .string()
    .refine((value) => parseKey(value)?.type === 4, 'not the verifier key of a witness')
    .optional()
    .describe('The verifier key that this witness prints at its start.'),
  VOTES_KEEP_MONTHS: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_200)
    .optional()
    .describe(
      'Months before the current one whose votes are stored individually; florka votes carry aggregates older ones.',
    ),
  AUDIT_ANCHOR_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('A file on another machine (mounted) to which the newest hash of the audit log is appended every hour.'),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('silent, error, warn, info or debug.'),
  TRUST_PROXY: z
    .string()
    .refine((value) => parseTrustedProxies(value), 'neither a number from 0 to 10 nor a list of addresses and networks')
    .default('0')
    .describe(
      'Proxies in front whose X-Forwarded-For entries are trusted: how many on this machine, or their addresses and networks.',
    ),
  CACHE_PURGE_URL: z
    .string()
    .refine((value) => parsePurgeUrls(value), 'no http or https addresses with commas between them')
    .optional()
    .describe(
      'Addresses of caches in front that are purged on changes, separated by commas; they may then store pages for a minute.',
    ),
  CACHE_PURGE_METHOD: z
    .enum(['PURGE', 'BAN', 'POST'])
    .default('PURGE')
    .describe('Method of these requests: PURGE, BAN or POST. The tags are in the header Surrogate-Key.'),
  CACHE_PURGE_HEADER: z
    .string()
    .refine((value) => parseHeader(value), 'not of the form Name: value')
    .optional()
    .describe('A header that authorizes these requests, as Name: value.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('smtp://user:password@host:587 or smtps://…; without it mails become files in DATA_DIR/outbox.'),
  MAIL_FROM: z.string().min(3).max(200).default('Florka <no-reply@florka.local>').describe('Sender of mails.'),
  SITE_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .optional()
    .describe(
      'Name of the site on pages, in mails and on cards. Left out: the setting of the back office, else Florka.',
    ),
  SITE_LANGUAGES: z
    .enum(['both', 'es', 'en'])
    .optional()
    .describe('The languages that the public side offers. Left out: the setting of the back office, else both.'),
  SUPPORT_EMAIL: z
    .email()
    .optional()
    .describe('Mailbox for questions, shown on order pages; replies to mails go there.'),
  NOWPAYMENTS_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('The payment provider; key and callback secret together. Without them the demo pays in a simulation.'),
  NOWPAYMENTS_IPN_SECRET: z.string().min(16).optional().describe('Secret of its callbacks, at least 16 characters.'),
  NOWPAYMENTS_OLD_API_KEYS: z
    .string()
    .optional()
    .describe('Former keys, separated by commas: payments created with them are still read with them.'),
  NOWPAYMENTS_OLD_IPN_SECRETS: z
    .string()
    .optional()
    .describe('Former callback secrets, separated by commas: callbacks signed with them are still accepted.'),
  NOWPAYMENTS_SHARED: onOff
    .default(false)
    .describe('The account serves other shops too, on or off: payments with their order numbers are ignored.'),
  NOWPAYMENTS_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.nowpayments.io/v1')
    .describe('Its API; https://api-sandbox.nowpayments.io/v1 is its own test system.'),
  NOWPAYMENTS_EMAIL: z
    .email()
    .optional()
    .describe('The account, with its password: finds deposits whose callbacks were all lost.'),
  NOWPAYMENTS_PASSWORD: z.string().min(1).optional().describe('Password of that account.'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^[1-9]\d{4,15}:[\w-]{30,100}$/, 'not the token of a bot')
    .optional()
    .describe('The bot that members may link for their notifications; with its name.'),
  TELEGRAM_BOT_NAME: z
    .string()
    .regex(/^@?[a-z]\w{1,28}bot$/i, 'not the name of a bot, which ends in bot')
    .optional()
    .describe('Its name in Telegram.'),
  TELEGRAM_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .describe('Address of the Bot API; another one only with a Bot API server of your own.'),
  MARKET_DATA: onOff
    .optional()
    .describe('Prices and holders of tokens with an address are fetched, on or off. Left out: on in production.'),
  DEXSCREENER_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.dexscreener.com')
    .describe('A provider of market data.'),
  GECKOTERMINAL_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.geckoterminal.com/api/v2')
    .describe('A provider of market data.'),
  ETHERSCAN_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Submits the contract source of created tokens to Etherscan, with this key. Without it no source is submitted.',
    ),
  ETHERSCAN_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.etherscan.io/v2/api')
    .describe('Its API, version 2.'),
  S3_BUCKET: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('A bucket of this site alone for uploaded images, instead of DATA_DIR/uploads; needs the two keys.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of an S3-compatible service; left out: Amazon's."),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket; many services use auto.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Key of the bucket.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Its secret.'),
  S3_FORCE_PATH_STYLE: onOff.default(false).describe('on puts the bucket into the path; MinIO needs it.'),
  S3_BROWSER_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the service for browsers: images above 1 MB are then uploaded directly to the bucket. Needs CORS there.',
    ),
  METRICS_PORT: port.optional().describe('A separate port for /metrics (Prometheus).'),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that port listens on; another than loopback needs METRICS_TOKEN.'),
  METRICS_TOKEN: z
    .string()
    .min(32)
    .optional()
    .describe('At least 32 characters; the bearer token for /metrics, also on the port of the site.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A collector of traces (OTLP over HTTP), without /v1/traces.'),
});

/** One variable as shown to operators. */
export interface Variable {
  name: string;
  meaning: string;
  /**
   * The default as it would be written; undefined where omitting the variable has a meaning that no value expresses.
   */
  defaultValue: string | undefined;
}

/** Every variable of the site, in the order of the schema. */
export const variables = (): Variable[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const read = field.safeParse(undefined);
    const value: unknown = read.success ? read.data : undefined;
    return {
      name,
      meaning: field.description ?? '',
      defaultValue:
        value === undefined ? undefined : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value),
    };
  });
