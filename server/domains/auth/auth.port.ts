import type { createBetterAuth } from './better-auth.ts';

/** What the account functions use of Better Auth as `better-auth.ts` configures it: its calls, settings, cookies and secrets. */
export type BetterAuth = Pick<ReturnType<typeof createBetterAuth>, 'api' | 'options' | '$context'>;
