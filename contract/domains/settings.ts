import { oc } from '@orpc/contract';
import { z } from 'zod';
import { EMAIL_MAX, LIMITS, NOTIFICATION_DAYS, ROUND_DAYS, ROUND_DAYS_MAX } from '../limits.ts';
import { PAGE_VIEW_DAYS } from '../page-views.ts';
import { DEFAULT_SITE_NAME, LANGUAGE_CHOICES, LANGUAGES, PLAN_NOTE_MAX, SITE_NAME_MAX } from '../site.ts';
import { REMOVAL_COPY_DAYS, TRUST } from '../trust.ts';
import { type Plan, plan } from './payments.ts';

/** How a setting is typed; secrets are written and never read back. */
export type SettingKind =
  | 'text'
  | 'lines'
  | 'email'
  | 'url'
  | 'moment'
  | 'number'
  | 'switch'
  | 'choice'
  | 'image'
  | 'secret';
/** The parts of the screen, in their order. */
export const SETTING_GROUPS = [
  'site',
  'announcement',
  'mail',
  'telegram',
  'payments',
  'prices',
  'tokens',
  'votes',
  'rounds',
  'forum',
  'retention',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

interface Setting<Schema extends z.ZodType, Default> {
  group: SettingGroup;
  kind: SettingKind;
  /** Schema of a stored value. `defaultValue` is effective when neither a stored value nor the variable exists. */
  schema: Schema;
  defaultValue: Default;
  /** The environment variable that overrides the stored value, if there is one. */
  variable?: string;
  /** The part of the public site that the setting changes. */
  shows?: 'voting' | 'sitePages' | 'everything';
}
const setting = <Schema extends z.ZodType, const Default>(one: Setting<Schema, Default>) => one;

const secret = (group: SettingGroup, variable: string, schema: z.ZodType<string>) =>
  setting({ group, kind: 'secret', schema, defaultValue: null, variable });
const line = (max: number) => z.string().trim().min(1).max(max);
/** Note next to the price of a plan, in one language. */
const planNote = setting({
  group: 'prices',
  kind: 'lines',
  schema: line(PLAN_NOTE_MAX),
  defaultValue: null,
  shows: 'everything',
});

/** Settings that can be changed while the site runs. All others are read from the environment at startup (server/env.ts). */
export const SETTINGS = {
  siteName: setting({
    group: 'site',
    kind: 'text',
    schema: line(SITE_NAME_MAX),
    defaultValue: DEFAULT_SITE_NAME,
    variable: 'SITE_NAME',
    shows: 'everything',
  }),
  /** URL of an uploaded image, re-encoded like every other, so it can't contain scripts. Null: the built-in logo. */
  siteMark: setting({
    group: 'site',
    kind: 'image',
    schema: z.string().regex(/^\/media\/[0-9a-f]{32}\.webp$/),
    defaultValue: null,
    shows: 'everything',
  }),
  /** Languages of public pages, mails and messages; the back office is always available in both. */
  siteLanguages: setting({
    group: 'site',
    kind: 'choice',
    schema: z.enum(LANGUAGE_CHOICES),
    defaultValue: 'both',
    variable: 'SITE_LANGUAGES',
    shows: 'everything',
  }),
  supportEmail: setting({
    group: 'site',
    kind: 'email',
    schema: z.email().max(EMAIL_MAX),
    defaultValue: null,
    variable: 'SUPPORT_EMAIL',
    shows: 'everything',
  }),
  publicSubmissions: setting({
    group: 'site',
    kind: 'switch',
    schema: z.boolean(),
    defaultValue: true,
    shows: 'everything',
  }),
  bannerEs: setting({
    group: 'announcement',
    kind: 'lines',
    schema: line(300),
    defaultValue: null,
    shows: 'everything',
  }),
  bannerEn: setting({
    group: 'announcement',
    kind: 'lines',
    schema: line(300),
    defaultValue: null,
    shows: 'everything',
  }),
  bannerShown: setting({
    group: 'announcement',
    kind: 'switch',
    schema: z.boolean(),
    defaultValue: true,
    shows: 'everything',
  }),
  bannerFrom: setting({
    group: 'announcement',
    kind: 'moment',
    schema: z.iso.datetime(),
    defaultValue: null,
    shows: 'everything',
  }),
  bannerUntil: setting({
    group: 'announcement',
    kind: 'moment',
    schema: z.iso.datetime(),
    defaultValue: null,
    shows: 'everything',
  }),
  mailFrom: setting({
    group: 'mail',
    kind: 'text',
    schema: z
      .string()
      .trim()
      .min(3)
      .max(200)
      .regex(/^[^\r\n]*$/),
    defaultValue: 'Florka <no-reply@florka.local>',
    variable: 'MAIL_FROM',
  }),
  /** Mails to admins about overdue work, and a weekly summary. */
  overdueMails: setting({ group: 'mail', kind: 'switch', schema: z.boolean(), defaultValue: true }),
  weeklyReport: setting({ group: 'mail', kind: 'switch', schema: z.boolean(), defaultValue: true }),
  smtpUrl: secret('mail', 'SMTP_URL', z.url({ protocol: /^smtps?$/ }).max(500)),
  /** Token of the bot that members can link; set together with its name. */
  telegramToken: secret(
    'telegram',
    'TELEGRAM_BOT_TOKEN',
    z
      .string()
      .trim()
      .regex(/^[1-9]\d{4,15}:[\w-]{30,100}$/),
  ),
  telegramBot: setting({
    group: 'telegram',
    kind: 'text',
    schema: z
      .string()
      .trim()
      .transform((name) => name.replace(/^@/, ''))
      .pipe(z.string().regex(/^[a-z]\w{1,28}bot$/i)),
    defaultValue: null,
    variable: 'TELEGRAM_BOT_NAME',
  }),
  telegramUrl: setting({
    group: 'telegram',
    kind: 'url',
    schema: z.url({ protocol: /^https?$/ }).max(300),
    defaultValue: 'https://api.telegram.org',
    variable: 'TELEGRAM_API_URL',
  }),
  paymentsKey: secret('payments', 'NOWPAYMENTS_API_KEY', line(200)),
  paymentsIpnSecret: secret('payments', 'NOWPAYMENTS_IPN_SECRET', z.string().trim().min(16).max(200)),
  paymentsOldKeys: secret('payments', 'NOWPAYMENTS_OLD_API_KEYS', line(2_000)),
  paymentsOldIpnSecrets: secret('payments', 'NOWPAYMENTS_OLD_IPN_SECRETS', line(2_000)),
  paymentsUrl: setting({
    group: 'payments',
    kind: 'url',
    schema: z.url({ protocol: /^https?$/ }).max(300),
    defaultValue: 'https://api.nowpayments.io/v1',
    variable: 'NOWPAYMENTS_URL',
  }),
  paymentsShared: setting({
    group: 'payments',
    kind: 'switch',
    schema: z.boolean(),
    defaultValue: false,
    variable: 'NOWPAYMENTS_SHARED',
  }),
  paymentsEmail: setting({
    group: 'payments',
    kind: 'email',
    schema: z.email().max(EMAIL_MAX),
    defaultValue: null,
    variable: 'NOWPAYMENTS_EMAIL',
  }),
  paymentsPassword: secret('payments', 'NOWPAYMENTS_PASSWORD', line(200)),
  planEntryEs: planNote,
  planEntryEn: planNote,
  planBasicEs: planNote,
  planBasicEn: planNote,
  planStandardEs: planNote,
  planStandardEn: planNote,
  planCompleteEs: planNote,
  planCompleteEn: planNote,
  /**
   * Each token needs a second admin's approval. The database reads both rows itself (`token_needs_approval`), so they have no
   * environment variable.
   */
  creationApproval: setting({ group: 'tokens', kind: 'switch', schema: z.boolean(), defaultValue: false }),
  /** Price in whole US dollars above which a second admin's approval is required. Null when there is no threshold. */
  creationApprovalAbove: setting({
    group: 'tokens',
    kind: 'number',
    schema: z.int().min(0).max(1_000_000),
    defaultValue: null,
  }),
  /** Null: enabled when mails are sent over SMTP. */
  voteConfirmedOnly: setting({
    group: 'votes',
    kind: 'switch',
    schema: z.boolean(),
    defaultValue: null,
    variable: 'VOTE_CONFIRMED_ONLY',
    shows: 'voting',
  }),
  votesPerMinute: setting({
    group: 'votes',
    kind: 'number',
    schema: z.int().min(1).max(1_000),
    defaultValue: LIMITS.voteAccountMinute.hits,
  }),
  votesPerDay: setting({
    group: 'votes',
    kind: 'number',
    schema: z.int().min(1).max(10_000),
    defaultValue: LIMITS.voteAccountDay.hits,
  }),
  /** Applies to rounds that open from now on; an open round's end does not change. */
  roundDays: setting({
    group: 'rounds',
    kind: 'number',
    schema: z.int().min(1).max(ROUND_DAYS_MAX),
    defaultValue: ROUND_DAYS,
    shows: 'voting',
  }),
  /** Hour of the day (UTC) at which rounds end; null for the hour at which they opened. */
  roundHour: setting({
    group: 'rounds',
    kind: 'number',
    schema: z.int().min(0).max(23),
    defaultValue: null,
    shows: 'voting',
  }),
  /** Whether the next round opens automatically when one ends; an admin can override it for each round. */
  roundFollows: setting({ group: 'rounds', kind: 'switch', schema: z.boolean(), defaultValue: true, shows: 'voting' }),
  /**
   * First texts and first links of new members wait for a moderator (trust.ts). By default, as in the specification, texts are
   * published at once.
   */
  forumReview: setting({
    group: 'forum',
    kind: 'switch',
    schema: z.boolean(),
    defaultValue: false,
    shows: 'everything',
  }),
  /** Retention of members' notifications in days. */
  notificationDays: setting({
    group: 'retention',
    kind: 'number',
    schema: z.int().min(7).max(3_650),
    defaultValue: NOTIFICATION_DAYS,
  }),
  /** Days for which authors can read the copies of their removed texts; the rules of trust look back equally far. */
  removalCopyDays: setting({
    group: 'retention',
    kind: 'number',
    schema: z.int().min(TRUST.removalDays).max(3_650),
    defaultValue: REMOVAL_COPY_DAYS,
  }),
  /** Retention of page view counts in days. */
  pageViewDays: setting({
    group: 'retention',
    kind: 'number',
    schema: z.int().min(28).max(3_650),
    defaultValue: PAGE_VIEW_DAYS,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export const settingName = z.enum(SETTING_NAMES);
/** Effective value of a setting: the stored value, otherwise the default. */
export type SettingValue<Name extends SettingName> =
  | z.output<(typeof SETTINGS)[Name]['schema']>
  | (null extends (typeof SETTINGS)[Name]['defaultValue'] ? null : never);
/** Pairs of settings of which only one is effective when both are set. */
export const SETTING_PAIRS = [
  ['telegramToken', 'telegramBot'],
  ['paymentsKey', 'paymentsIpnSecret'],
  ['paymentsEmail', 'paymentsPassword'],
  ['bannerEs', 'bannerEn'],
  ['planEntryEs', 'planEntryEn'],
  ['planBasicEs', 'planBasicEn'],
  ['planStandardEs', 'planStandardEn'],
  ['planCompleteEs', 'planCompleteEn'],
] as const satisfies readonly (readonly [SettingName, SettingName])[];

const notices = z.object({
  /** The operators' announcement in both languages; null when there is none. */
  announcement: z.object({ es: z.string(), en: z.string() }).nullable(),
  site: z.object({
    name: z.string(),
    /** URL of the site's image; null: the built-in logo. */
    mark: z.string().nullable(),
    /** The languages that it offers. */
    languages: z.array(z.enum(LANGUAGES)),
    /** Notes next to the prices of plans; only plans that have one. */
    planNotes: z.partialRecord(plan, z.object({ es: z.string(), en: z.string() })),
  }),
});
export type SiteNotices = z.infer<typeof notices>;

/** The two settings of a plan's price note. */
export const PLAN_NOTES = {
  entry: ['planEntryEs', 'planEntryEn'],
  basic: ['planBasicEs', 'planBasicEn'],
  standard: ['planStandardEs', 'planStandardEn'],
  complete: ['planCompleteEs', 'planCompleteEn'],
} as const satisfies Record<Plan, readonly [SettingName, SettingName]>;

export const settings = {
  notices: oc
    .route({
      method: 'GET',
      path: '/site-notices',
      tags: ['sitePages'],
      summary: 'What every page says of the site: its name, its languages, and what the operators announce',
    })
    .output(notices),
};
