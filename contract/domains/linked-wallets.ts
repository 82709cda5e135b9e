import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { marketNetwork } from '../fields/schemas.ts';
import { me } from './auth.ts';

const locale = z.enum(['es', 'en']).default('es');
const limited = { RATE_LIMITED: errors.RATE_LIMITED };
const byMember = { ...limited, UNAUTHORIZED: errors.UNAUTHORIZED };
const proven = { ...byMember, STEP_UP_NEEDED: errors.STEP_UP_NEEDED };
const refused = { WALLET_REFUSED: errors.WALLET_REFUSED };

/** The wallet and its chain; the message to sign contains both. */
const walletAddress = z.strictObject({
  network: marketNetwork,
  address: z.string().trim().min(1).max(64),
});
/** The message that the wallet shows and signs (EIP-4361, or its equivalent for Solana); valid for five minutes, once, in this browser. */
const challenge = z.object({ nonce: z.string(), message: z.string() });
/** '0x' and hexadecimal digits: 65 bytes, 64 on Solana. */
const signed = z.strictObject({ nonce: z.string().max(64), signature: z.string().max(140) });

export const linkedWallet = z.object({
  id: z.uuid(),
  /** 'evm': Ethereum, BNB Chain and Polygon, where one key has one address. */
  family: z.enum(['evm', 'solana']),
  address: z.string(),
  linkedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type LinkedWallet = z.infer<typeof linkedWallet>;

const route = (method: 'GET' | 'POST', path: `/${string}`, summary: string) =>
  oc.route({ method, path, tags: ['account'], summary });

/** The member's linked wallets for sign-in. Their signature is not accepted for step-up. */
export const linkedWallets = {
  list: route('GET', '/account/wallets', 'Wallets that can sign in to my account')
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(linkedWallet)),
  /** FORBIDDEN until the e-mail is confirmed. */
  startLinking: route('POST', '/account/wallets/start', 'Begin to link a wallet')
    .errors({ ...proven, ...refused, FORBIDDEN: errors.FORBIDDEN, TOO_MANY: errors.TOO_MANY })
    .input(walletAddress)
    .output(challenge),
  link: route('POST', '/account/wallets', 'Link the wallet that signed')
    .errors({
      ...proven,
      ...refused,
      FORBIDDEN: errors.FORBIDDEN,
      TOO_MANY: errors.TOO_MANY,
      WALLET_TAKEN: errors.WALLET_TAKEN,
    })
    .input(signed.extend({ locale }))
    .output(linkedWallet),
  /** Refused unless a password or a passkey remains. */
  unlink: route('POST', '/account/wallets/{id}/remove', 'Remove a wallet')
    .errors({ ...proven, NOT_FOUND: errors.NOT_FOUND, LAST_WAY_IN: errors.LAST_WAY_IN })
    .input(z.strictObject({ id: z.uuid(), locale }))
    .output(z.object({ ok: z.literal(true) })),
  /** Reveals nothing about accounts: every address gets a challenge. */
  startSignIn: route('POST', '/auth/wallet/start', 'Begin to sign in by wallet')
    .errors({ ...limited, ...refused })
    .input(walletAddress)
    .output(challenge),
  /** Like a password, it is followed by the second factor when the account has one. */
  signIn: route('POST', '/auth/wallet', 'Sign in by the signature of a linked wallet')
    .errors({
      ...limited,
      ...refused,
      SECOND_FACTOR_NEEDED: errors.SECOND_FACTOR_NEEDED,
      WALLET_UNKNOWN: errors.WALLET_UNKNOWN,
      WALLET_STAFF: errors.WALLET_STAFF,
    })
    .input(signed)
    .output(me),
};
