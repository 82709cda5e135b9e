import { createHmac } from 'node:crypto';
import { type EmulatorProcess, startEmulatorProcess } from './emulator-process.ts';
import { nowPayments } from './nowpayments.ts';
import type { PaymentProvider } from './port.ts';

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
  /** URL for the provider's callbacks. */
  callbackUrl: string;
  /** Set only while payments are simulated. */
  emulator: EmulatorProcess | null;
  close(): void;
}

/** Path of the provider's callbacks. */
export const CALLBACK_PATH = '/webhooks/nowpayments';

const partsOf = (list = ''): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** NOWPayments itself; lists of former keys and secrets are separated by commas. */
export const realProvider = ({
  oldApiKeys,
  oldIpnSecrets,
  email,
  password,
  ...rest
}: {
  baseUrl: string;
  apiKey: string;
  ipnSecret: string;
  oldApiKeys?: string | undefined;
  oldIpnSecrets?: string | undefined;
  shared: boolean;
  email?: string | undefined;
  password?: string | undefined;
}): PaymentProvider =>
  nowPayments({
    ...rest,
    oldApiKeys: partsOf(oldApiKeys),
    oldIpnSecrets: partsOf(oldIpnSecrets),
    account: email && password ? { email, password } : undefined,
  });

/**
 * The configured payment provider: NOWPayments with a key; otherwise the simulation if the demo is on; otherwise null.
 *
 * @param at.publicUrl origin of the site for browsers. @param at.localUrl origin for programs on this machine.
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
  if (apiKey && ipnSecret)
    return {
      provider: realProvider({
        baseUrl: env.NOWPAYMENTS_URL,
        apiKey,
        ipnSecret,
        oldApiKeys: env.NOWPAYMENTS_OLD_API_KEYS,
        oldIpnSecrets: env.NOWPAYMENTS_OLD_IPN_SECRETS,
        shared: env.NOWPAYMENTS_SHARED ?? false,
        email: env.NOWPAYMENTS_EMAIL,
        password: env.NOWPAYMENTS_PASSWORD,
      }),
      callbackUrl: at.publicUrl + CALLBACK_PATH,
      emulator: null,
      close: () => {},
    };
  if (!env.DEMO) return null;
  // Derived, so that they are the same after a restart and open payments can still be paid.
  const key = (use: string) => createHmac('sha256', env.AUTH_SECRET).update(`sandbox ${use}`).digest('hex');
  const keys = { apiKey: key('api key'), ipnSecret: key('callback secret') };
  const emulator = startEmulatorProcess({
    ...keys,
    root: at.root,
    dataDir: env.DATA_DIR,
    pageBase: `${at.publicUrl}/sandbox`,
    warn: at.warn,
  });
  const provider = nowPayments({
    ...keys,
    baseUrl: async () => `${await emulator.origin()}/v1`,
    simulation: true,
  });
  return {
    // The lists are fetched every minute, also where nobody ever pays.
    provider: {
      ...provider,
      recent: async (since) => (emulator.used ? provider.recent(since) : { deposits: [], complete: true }),
      everything: async (onPage) => (emulator.used ? provider.everything(onPage) : 'whole'),
    },
    callbackUrl: at.localUrl + CALLBACK_PATH,
    emulator,
    close: emulator.stop,
  };
}
