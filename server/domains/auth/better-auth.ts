import { betterAuth } from 'better-auth';
import type { Pool } from 'pg';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { errorText } from '#server/lib/errors/describe-error.ts';
import { hashPassword, verifyPassword } from './passwords/passwords.ts';
import { cookiePrefix, isHttps } from './sessions/session-cookie.ts';

const DAY = 86_400;

/**
 * Better Auth stores accounts and sessions. Its own HTTP routes are not mounted: the contract's procedures are the only access, so
 * that limits, texts and audit are the same as everywhere else.
 */
export function createBetterAuth(options: { pool: Pool; publicUrl: string; secret: string }) {
  return betterAuth({
    appName: 'Florka',
    baseURL: options.publicUrl,
    secret: options.secret,
    // The built-in adapter runs sign-up in one transaction; the Drizzle one does not by default.
    database: options.pool,
    telemetry: { enabled: false },
    // A wrong password is not logged, because it is audited. The library's own format would log the values of queries.
    logger: {
      level: 'error',
      log: (_level, message, ...about) => {
        const error = about.find((one) => one instanceof Error);
        console.error(`sign-in: ${message}${error ? `\n${errorText(error)}` : ''}`);
      },
    },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(options.publicUrl),
      // The library would use the prefix `__Secure-`, which other hosts of the same domain can set.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps(options.publicUrl) },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        username: { type: 'string', required: false, input: true },
        requestModerator: {
          type: 'boolean',
          required: false,
          defaultValue: false,
          input: true,
          fieldName: 'request_moderator',
        },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: 7 * DAY,
      updateAge: DAY,
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: (password) => hashPassword(password, 'stranger'),
        verify: (wanted) => verifyPassword(wanted, 'stranger'),
      },
    },
  });
}
