import { z } from 'zod';
import { SETTING_GROUPS, settingName } from '../domains/settings.ts';
import { errors } from '../errors.ts';
import { adminRead, adminWrite, byAdminAfterStepUp } from './shared/list.ts';

const value = z.union([z.string().max(2_000), z.number(), z.boolean()]);

const setting = z.object({
  name: settingName,
  group: z.enum(SETTING_GROUPS),
  kind: z.enum(['text', 'lines', 'email', 'url', 'moment', 'number', 'switch', 'choice', 'image', 'secret']),
  /** The environment variable that overrides the setting; null when there is none. */
  variable: z.string().nullable(),
  /**
   * Source of the effective value: the environment of the responding process, this screen, or the program. `unreadable`: a
   * stored secret that was sealed with another AUTH_SECRET.
   */
  from: z.enum(['environment', 'stored', 'default', 'unreadable']),
  /** The effective value; always null for secrets. */
  value: value.nullable(),
  /** For a secret: true when one is set. */
  isSet: z.boolean(),
  /** The default, effective without a stored value; null when there is none. */
  defaultValue: value.nullable(),
  /** Number of changes; 0 when no value was ever stored. */
  version: z.int().nonnegative(),
  savedAt: z.iso.datetime().nullable(),
  /** The admin who stored it; null when the account was deleted or an operator's command stored it. */
  savedBy: z.string().nullable(),
});
export type AdminSetting = z.infer<typeof setting>;

/** Result of a test: the remote service's message when it refused. */
const tested = z.object({
  ok: z.boolean(),
  target: z.string(),
  detail: z.string().nullable(),
  url: z.string().nullable(),
});

const finding = z.object({ part: z.string(), name: z.string(), value: z.string(), problem: z.string().nullable() });
export type Finding = z.infer<typeof finding>;

export const adminSettings = {
  list: adminRead('/settings', 'All settings, and where each value comes from').output(z.array(setting)),
  save: adminWrite('PUT', '/settings', 'Change settings; all of them or none')
    .errors({
      ...byAdminAfterStepUp,
      NOT_VALID: errors.NOT_VALID,
      VERSION_CONFLICT: errors.VERSION_CONFLICT,
      SETTING_FIXED: errors.SETTING_FIXED,
      SETTING_WRONG: errors.SETTING_WRONG,
    })
    .input(
      z.strictObject({
        changes: z
          .array(
            z.strictObject({
              name: settingName,
              version: z.int().nonnegative(),
              /** Null deletes the stored value, so that the default is effective. */
              value: value.nullable(),
            }),
          )
          .min(1)
          .max(30),
      }),
    )
    .output(z.array(setting)),
  testMail: adminWrite(
    'POST',
    '/settings/test-mail',
    'Send a test mail to my own mailbox, with the settings that count now',
  )
    .errors(byAdminAfterStepUp)
    .input(z.strictObject({ locale: z.enum(['es', 'en']).default('es') }))
    .output(tested),
  testPayment: adminWrite(
    'POST',
    '/settings/test-payment',
    'Make an invoice over 20 US dollars at the payment provider',
  )
    .errors(byAdminAfterStepUp)
    .output(tested),
  testTelegram: adminWrite('POST', '/settings/test-telegram', 'Ask Telegram who the bot of the settings is')
    .errors(byAdminAfterStepUp)
    .output(tested),
  doctor: adminRead('/doctor', 'How this installation is: what `florka doctor` says').output(
    z.object({ at: z.iso.datetime(), findings: z.array(finding) }),
  ),
};
