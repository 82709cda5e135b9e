// The codes and links of a mail that sign somebody in, confirm something or open a private page: sealed (encrypted) until it is sent.
import type { MailTemplate } from '#contract/mail-templates.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { seal, unseal } from '#server/lib/crypto/seal.ts';
import { PermanentFailure } from '#server/lib/errors/permanent-failure.ts';

/** Kinds whose link holds no key: signed in, or public. Links of all other kinds are sealed. */
const LINKS_WITHOUT_KEY: ReadonlySet<string> = new Set<MailTemplate>([
  'savedToken',
  'notification',
  'notificationDigest',
  'textRemoved',
  'textDeclined',
  'appealAnswered',
  'decision',
  'staffOverdue',
  'staffRefundHalted',
  'weeklyReport',
]);

interface MailRecord {
  id: string;
  template: string;
  data: object;
}

const isSecret = (field: string, template: string): boolean =>
  field === 'code' || (field === 'path' && !LINKS_WITHOUT_KEY.has(template));
const keyOf = (secret: string): Buffer => deriveKey(secret, 'queued mails');

/**
 * The data of a mail as stored, its code and private link sealed for this mail alone.
 *
 * `toString` of a sealed field is not a function: a process that does not open the field, such as one of the previous version, fails to
 * render the mail and retries, instead of sending it without its code or link.
 *
 * @param secret the server's.
 */
export const sealSecrets = (secret: string, { id, template, data }: MailRecord): object =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      isSecret(field, template) && typeof value === 'string' && value !== ''
        ? { sealed: seal(keyOf(secret), `${id} ${field}`, value).toString('base64'), toString: null }
        : value,
    ]),
  );

/**
 * The opened data of a stored mail; data that an earlier version queued unsealed are returned unchanged.
 *
 * @throws PermanentFailure when it was sealed with another secret: its code or link is no longer valid.
 */
export const openSecrets = (secret: string, { id, template, data }: MailRecord): object =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      if (!isSecret(field, template) || typeof value !== 'object' || value === null) return [field, value];
      const sealed = Buffer.from(String((value as { sealed?: unknown }).sealed), 'base64');
      const opened = unseal(keyOf(secret), `${id} ${field}`, sealed);
      if (opened === null) throw new PermanentFailure('Its code or link was sealed with another AUTH_SECRET');
      return [field, opened];
    }),
  );

/**
 * The reply of a mail server, without the code or key of the mail if it quotes them.
 *
 * @param data of that mail, opened.
 */
export function withoutSecrets(text: string, data: object): string {
  const { code, path } = data as { code?: unknown; path?: unknown };
  // The rest of a path is not secret.
  const key = typeof path === 'string' ? path.split('#')[1]?.replace(/^token=/, '') : undefined;
  return [code, key].reduce<string>(
    (cleaned, secret) => (typeof secret === 'string' && secret !== '' ? cleaned.replaceAll(secret, '…') : cleaned),
    text,
  );
}
