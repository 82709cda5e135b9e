import type { createBetterAuth } from './better-auth.ts';

/**
 * The part of Better Auth, as configured in `better-auth.ts`, that the account functions use: its calls, settings, cookies and
 * secrets.
 */
export type BetterAuth = Pick<ReturnType<typeof createBetterAuth>, 'api' | 'options' | '$context'>;
