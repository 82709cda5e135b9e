import { createHmac } from 'node:crypto';
import { nowPayments } from './nowpayments.ts';
import type { PaymentProvider } from './port.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

interface Settings {
  DEMO: boolean;
  DATA_DIR: string;
  AUTH_SECRET: string;
  NOWPAYMENTS_API_KEY?: string | undefined;
  NOWPAYMENTS_IPN_SECRET?: string | undefined;
  NOWPAYMENTS_OLD_API_KEYS?: string | undefined;
  NOWPAYMENTS_OLD_IPN_SECRETS?: string | undefined;
  NOWPAYMENTS_SHARED?: boolean | undefined;
  NOWPAYMENTS_URL: string;
  NOWPAYMENTS_EMAIL?: string | undefined;
  NOWPAYMENTS_PASSWORD?: string | undefined;
}

export interface Payments {
  provider: PaymentProvider;
  /** Where the provider sends its callbacks. */
  callbackUrl: string;
  /** Set in the simulation only. */
  sandbox: Sandbox | null;
  close(): void;
}

const PATH = '/webhooks/nowpayments';

const partsOf = (list = ''): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * The configured way to be paid: NOWPayments with a key; without one the simulation where the demo is on; else none.
 *
 * @param at.publicUrl as people reach us. @param at.localUrl as programs on this machine reach us.
 */
export function openPayments(
  env: Settings,
  at: {
    publicUrl: string;
    localUrl: string;
    root: string;
    warn: (about: Record<string, unknown>, message: string) => void;
  },
): Payments | null {
  const { NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecret } = env;
  const { NOWPAYMENTS_EMAIL: email, NOWPAYMENTS_PASSWORD: password } = env;
  if (apiKey && ipnSecret)
    return {
      provider: nowPayments({
        baseUrl: env.NOWPAYMENTS_URL,
        apiKey,
        ipnSecret,
        oldApiKeys: partsOf(env.NOWPAYMENTS_OLD_API_KEYS),
        oldIpnSecrets: partsOf(env.NOWPAYMENTS_OLD_IPN_SECRETS),
        shared: env.NOWPAYMENTS_SHARED ?? false,
        account: email && password ? { email, password } : undefined,
      }),
      callbackUrl: at.publicUrl + PATH,
      sandbox: null,
      close: () => {},
    };
  if (!env.DEMO) return null;
  // The same after a restart, so that open payments stay payable.
  const key = (use: string) => createHmac('sha256', env.AUTH_SECRET).update(`sandbox ${use}`).digest('hex');
  const keys = { apiKey: key('api key'), ipnSecret: key('callback secret') };
  const sandbox = startSandbox({
    ...keys,
    root: at.root,
    dataDir: env.DATA_DIR,
    pageBase: `${at.publicUrl}/sandbox`,
    warn: at.warn,
  });
  return {
    provider: nowPayments({
      ...keys,
      baseUrl: async () => `${await sandbox.origin()}/v1`,
      simulation: true,
    }),
    callbackUrl: at.localUrl + PATH,
    sandbox,
    close: sandbox.stop,
  };
}
