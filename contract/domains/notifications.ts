import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { cursor } from '../fields/schemas.ts';
import { NOTIFICATIONS_PAGE } from '../limits.ts';

/** Kinds of notifications to members. */
export const notificationKind = z.enum([
  'replies',
  'mentions',
  'reactions',
  'decisions',
  'orders',
  'follows',
  'rounds',
  'security',
  'staff',
]);
export type NotificationKind = z.infer<typeof notificationKind>;

/** Minutes for which a code to link a Telegram chat is valid. */
export const TELEGRAM_CODE_MINUTES = 10;

export const notificationMail = z.enum(['off', 'now', 'daily']);
export type NotificationMail = z.infer<typeof notificationMail>;

/** Details of each kind. */
export const NOTIFICATION_DETAILS = {
  replies: ['comment', 'quote'],
  mentions: ['post', 'comment'],
  reactions: ['post'],
  decisions: [
    'submission_approved',
    'submission_rejected',
    'moderator_approved',
    'moderator_rejected',
    'text_removed',
    'appeal_upheld',
    'appeal_reversed',
    'proof_ended',
    'proof_ends',
    'text_released',
    'text_declined',
  ],
  orders: [
    'paid',
    'short',
    'review',
    'created',
    'delivered',
    'cancelled',
    'proposal',
    'item_done',
    'item_late',
    'item_interrupted',
    'item_withdrawn',
    'refund_opened',
    'refund_sent',
    'refund_withdrawn',
    'refund_returned',
    'returned',
  ],
  follows: [
    'promoted',
    'dateSet',
    'dateChanged',
    'dateWithdrawn',
    'launched',
    'launchedByTeam',
    'proven',
    'provenTest',
    'unverified',
  ],
  rounds: ['won', 'ended', 'vote_held', 'vote_void', 'vote_counted'],
  security: [
    'password',
    'password_gone',
    'email',
    'second_factor_on',
    'second_factor_off',
    'passkey_on',
    'passkey_off',
    'wallet_on',
    'wallet_off',
    'signed_in',
    'viewed',
    'telegram_on',
    'telegram_off',
  ],
  staff: ['overdue'],
} as const satisfies Record<NotificationKind, readonly string[]>;
export type NotificationDetail<Kind extends NotificationKind = NotificationKind> =
  (typeof NOTIFICATION_DETAILS)[Kind][number];

/** Default channels of a kind for members without own settings: mails about saved tokens are chosen at the token. */
export const defaultSetting = (kind: NotificationKind) => ({
  inApp: true,
  mail: (kind === 'follows' ? 'now' : 'off') as NotificationMail,
  push: true,
  telegram: true,
});

export const notification = z.object({
  id: z.uuid(),
  kind: notificationKind,
  detail: z.string(),
  /** The acting member; null for the team, for the system and for deleted accounts. */
  actor: z.string().nullable(),
  /** Title of the post, token, order or request; null when it is hidden or has none, empty for a post whose author the reader blocks. */
  title: z.string().nullable(),
  /** Number of people who did it; or the number of a round. */
  count: z.int().nonnegative(),
  /** Path of its page on our site, without language; null when that page no longer exists. */
  path: z.string().nullable(),
  at: z.iso.datetime(),
  read: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

const minutes = z.int().min(0).max(1439);
export const notificationSetting = z.object({
  kind: notificationKind,
  inApp: z.boolean(),
  mail: notificationMail,
  push: z.boolean(),
  telegram: z.boolean(),
});
const reader = z.object({
  locale: z.enum(['es', 'en']),
  /** IANA name of the time zone for quiet hours and daily mails. */
  zone: z.string().min(1).max(60).refine(isZone),
  /** Minutes of the day between which nothing is mailed, pushed or sent by Telegram; null when there are no quiet hours. */
  quiet: z.object({ from: minutes, to: minutes }).nullable(),
});
export type NotificationReader = z.infer<typeof reader>;

/** Language and time zone of the browser, for members who have not chosen them. */
const where = { locale: reader.shape.locale.optional(), zone: reader.shape.zone.optional() };

const byMember = { UNAUTHORIZED: errors.UNAUTHORIZED, RATE_LIMITED: errors.RATE_LIMITED };
const done = z.object({ ok: z.literal(true) });

export const notifications = {
  list: oc
    .route({
      method: 'GET',
      path: '/notifications',
      tags: ['notifications'],
      summary: 'What concerns me, newest first',
    })
    .input(
      z.strictObject({
        cursor: cursor.nullish(),
        limit: z.coerce.number().int().min(1).max(50).default(NOTIFICATIONS_PAGE),
      }),
    )
    .output(z.object({ items: z.array(notification), nextCursor: cursor.nullable() })),
  unread: oc
    .route({
      method: 'GET',
      path: '/notifications/unread',
      tags: ['notifications'],
      summary: 'How many I have not read',
    })
    /** Capped at 100. */
    .output(z.object({ unread: z.int().nonnegative() })),
  markRead: oc
    .route({ method: 'POST', path: '/notifications/read', tags: ['notifications'], summary: 'Mark as read' })
    .errors(byMember)
    .input(
      z
        .strictObject({
          ids: z.array(z.uuid()).min(1).max(100).optional(),
          /** Marks everything that changed until then. */
          until: z.iso.datetime().optional(),
        })
        .refine(({ ids, until }) => (ids === undefined) !== (until === undefined), 'either ids or until'),
    )
    .output(z.object({ unread: z.int().nonnegative() })),
  settings: oc
    .route({ method: 'GET', path: '/notifications/settings', tags: ['notifications'], summary: 'How they reach me' })
    .output(
      z.object({
        kinds: z.array(notificationSetting),
        /** Null when nothing was chosen yet. */
        reader: reader.nullable(),
        /** Public key for a browser's push subscription (base64url). */
        pushKey: z.string(),
        /** Addresses of the push subscriptions of this session: a browser that holds another one gets no pushes of this member. */
        pushEndpoints: z.array(z.string()),
        /** Name of the bot without @, and the linked chat; null when the site has no bot. */
        telegram: z
          .object({
            bot: z.string(),
            /** The person's display name in Telegram. */
            chat: z.object({ name: z.string(), since: z.iso.datetime() }).nullable(),
          })
          .nullable(),
        /** Mails are sent to a verified mailbox only. */
        mailVerified: z.boolean(),
      }),
    ),
  setKind: oc
    .route({
      method: 'PUT',
      path: '/notifications/settings',
      tags: ['notifications'],
      summary: 'How a kind reaches me',
    })
    .errors(byMember)
    .input(
      z.strictObject({
        ...notificationSetting.shape,
        /** Unchanged when omitted. */
        telegram: z.boolean().optional(),
        ...where,
      }),
    )
    .output(done),
  setReader: oc
    .route({
      method: 'PUT',
      path: '/notifications/reader',
      tags: ['notifications'],
      summary: 'Quiet hours and language',
    })
    .errors(byMember)
    .input(
      z
        .strictObject(reader.shape)
        .refine(({ quiet }) => quiet === null || quiet.from !== quiet.to, { path: ['quiet'] }),
    )
    .output(done),
  subscribe: oc
    .route({ method: 'PUT', path: '/notifications/push', tags: ['notifications'], summary: 'Push to this browser' })
    .errors({
      ...byMember,
      PUSH_SERVICE_UNKNOWN: errors.PUSH_SERVICE_UNKNOWN,
      PUSH_KEYS_INVALID: errors.PUSH_KEYS_INVALID,
    })
    .input(
      z.strictObject({
        endpoint: z.url().max(1000),
        p256dh: z.string().regex(/^[\w-]{80,100}=*$/),
        auth: z.string().regex(/^[\w-]{16,40}=*$/),
        ...where,
      }),
    )
    .output(done),
  unsubscribe: oc
    .route({
      method: 'DELETE',
      path: '/notifications/push',
      tags: ['notifications'],
      summary: 'No more push to this browser',
    })
    .errors(byMember)
    .input(z.strictObject({ endpoint: z.url().max(1000) }))
    .output(done),
  linkTelegram: oc
    .route({
      method: 'POST',
      path: '/notifications/telegram',
      tags: ['notifications'],
      summary: 'An address that links a chat of Telegram to my account, once and for ten minutes',
    })
    .errors({ ...byMember, TELEGRAM_OFF: errors.TELEGRAM_OFF })
    .input(z.strictObject(where))
    .output(z.object({ url: z.url(), until: z.iso.datetime() })),
  unlinkTelegram: oc
    .route({
      method: 'DELETE',
      path: '/notifications/telegram',
      tags: ['notifications'],
      summary: 'No more notifications in Telegram',
    })
    .errors(byMember)
    .output(done),
};
