import { z } from 'zod';
import { resemblance } from './resemblance.ts';
import { STAFF_ROLES } from './staff.ts';

/** Reasons why no token can be ordered on a network now. */
export const chainObstacle = z.enum([
  /** No signer is set up for it. */
  'not_configured',
  /** No heartbeat of the signer for a minute. */
  'signer_offline',
  'unreachable',
  'wrong_chain',
  'unsupported',
  /** The key service does not respond or refuses, or has another key than the configured one. */
  'key_unavailable',
  'wrong_key',
  /** The key's balance does not cover one more token. */
  'low_balance',
  /** The limit of one UTC day is reached. */
  'cap_reached',
  /** Simulated payments with a chain that uses real money, or the reverse. */
  'wrong_money',
  /** Wallets could not read the token's metadata: our public address is too long, or not https. */
  'public_address',
]);

/** All expected errors of the product: code, status, data. Their texts are in app/lib/messages. */
export const errors = {
  UNAUTHORIZED: { status: 401 },
  INVALID_CREDENTIALS: { status: 401 },
  /** Name and password were correct; the second factor is still required. */
  SECOND_FACTOR_NEEDED: { status: 401 },
  WRONG_PASSWORD: { status: 403 },
  WRONG_CODE: { status: 403 },
  /** The passkey is unknown, not for this site or account, or its challenge is used or old. */
  PASSKEY_REFUSED: { status: 403 },
  /** Staff must use a passkey for sign-in and step-up here; a code of an app is not accepted. */
  PASSKEY_REQUIRED: { status: 403 },
  /** The maximum number is reached. */
  TOO_MANY: { status: 409 },
  /** The link or code was used, has expired, or is invalid. */
  TOKEN_REFUSED: { status: 400 },
  ALREADY_DONE: { status: 409 },
  /** The link or code of a mail has expired, so the mail is not sent again. */
  MAIL_EXPIRED: { status: 409 },
  /**
   * Staff cannot send this mail again: its kind holds a link or code of an account, it is still on its way, its content is gone, or
   * its order or request has another mailbox now.
   */
  NOT_RESENDABLE: { status: 409, data: z.object({ why: z.enum(['kind', 'waiting', 'content', 'mailbox']) }) },
  /** Rights in the back office change one member at a time. */
  ADMINS_ALONE: { status: 409 },
  LAST_ADMIN: { status: 409 },
  /** Refused for the admin's own account: admins can't lower, disable or delete themselves. */
  OWN_ACCOUNT: { status: 409 },
  /** Staff do not decide about a text of their own while somebody else on the team can. */
  OWN_TEXT: { status: 403 },
  /** A text deleted by its author cannot be restored. */
  AUTHORS_DELETION: { status: 409 },
  /** The restore published the text for the first time, and notifications of it were sent. */
  ALREADY_PUBLISHED: { status: 409 },
  FORBIDDEN: { status: 403 },
  /** The caller is an admin without a required staff role: owners and these staff roles have access. */
  STAFF_ROLE_NEEDED: { status: 403, data: z.object({ roles: z.array(z.enum(STAFF_ROLES)) }) },
  NOT_FOUND: { status: 404, data: z.object({ what: z.string() }) },
  /** The member is not confirmed: by e-mail or an admin to vote, where the setting wants it; by an admin to become a moderator. */
  UNCONFIRMED: { status: 403 },
  /** Its message is the specification's own sentence (AMB-09), by which clients recognise the error (ERR-35). */
  ALREADY_VOTED: {
    status: 409,
    message: 'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
    data: z.object({ nextVoteAt: z.iso.datetime() }),
  },
  NO_VOTE: { status: 409 },
  /** Today's vote is under review or void: it cannot be taken back, or it could be cast again. */
  VOTE_UNCOUNTED: { status: 409 },
  /** No candidate has a vote, so there is no winner. */
  NO_WINNER: { status: 409 },
  /** The round was closed, its end was moved, or another candidate leads now. */
  ROUND_CHANGED: { status: 409 },
  /** A decision about votes under review is being executed: the frozen standings would contain a part of it. */
  VOTES_BEING_DECIDED: { status: 409 },
  /** The round ended by the database's clock; the next one follows. */
  ROUND_ENDED: { status: 409 },
  /** No round is open, and none opens automatically. */
  VOTING_PAUSED: { status: 409 },
  SIGN_UP_REFUSED: { status: 409 },
  USERNAME_TAKEN: { status: 409 },
  /** One of the most common passwords, or composed of words of this site. */
  PASSWORD_COMMON: { status: 400 },
  /** The member's own name or mailbox, with only digits or punctuation added. */
  PASSWORD_OWN: { status: 400 },
  /** Shorter than the minimum for staff. */
  PASSWORD_SHORT: { status: 400 },
  LINK_REFUSED: { status: 403 },
  /** The author posted the same text within the last minutes: `id` is that post or comment. */
  DUPLICATE_POST: { status: 409, data: z.object({ id: z.uuid() }) },
  EDIT_WINDOW_CLOSED: { status: 409 },
  /** The text is published, and its edited form would have to wait for a review. */
  EDIT_NEEDS_REVIEW: { status: 409 },
  /** The member has the maximum number of texts waiting for a review. */
  REVIEWS_FULL: { status: 409 },
  /** The time limit for the appeal has passed. */
  APPEAL_CLOSED: { status: 409 },
  TOO_MANY_SAVED: { status: 409 },
  TOO_MANY_RESTRICTED: { status: 409 },
  /** The endpoint is not of a known push service. */
  PUSH_SERVICE_UNKNOWN: { status: 422 },
  /** The keys of a browser's push subscription can't encrypt a message. */
  PUSH_KEYS_INVALID: { status: 422 },
  /** The site has no Telegram bot. */
  TELEGRAM_OFF: { status: 409 },
  /**
   * The record was saved by somebody else meanwhile. Includes the current record, so that the editor can choose; in the back
   * office also who saved it and when.
   */
  VERSION_CONFLICT: {
    status: 409,
    data: z.object({
      version: z.int(),
      current: z.record(z.string(), z.unknown()),
      by: z.string().nullish(),
      at: z.iso.datetime().nullish(),
      /** True when the change came from the payment provider, not from a person. */
      byProvider: z.boolean().optional(),
      /** True when it is in the trash. */
      deleted: z.boolean().optional(),
    }),
  },
  /** Another record has the same value in a unique field. */
  DUPLICATE: { status: 409, data: z.object({ fields: z.array(z.string()) }) },
  /** The database rejected these values: a constraint across fields, or a concurrent change. */
  NOT_VALID: { status: 422 },
  /** The setting is fixed by this environment variable. */
  SETTING_FIXED: { status: 409, data: z.object({ variable: z.string() }) },
  /** Settings with invalid values, or with a value that requires another setting. */
  SETTING_WRONG: { status: 422, data: z.object({ names: z.array(z.string()) }) },
  /** A colleague has taken it. */
  TAKEN: { status: 409, data: z.object({ by: z.string() }) },
  /** Staff must replace the generated password before anything else. */
  PASSWORD_INITIAL: { status: 403 },
  /** The generated password was chosen again. */
  PASSWORD_UNCHANGED: { status: 400 },
  /** Staff must set up a second factor before anything else. */
  SECOND_FACTOR_REQUIRED: { status: 403 },
  /** Step-up required: call account.prove, then repeat the request. */
  STEP_UP_NEEDED: { status: 403 },
  /** The private link of an order was replaced by another one, or was not used for 365 days. */
  ORDER_LINK_ENDED: { status: 410, data: z.object({ why: z.enum(['replaced', 'unused']) }) },
  /** It is paid, so it can no longer be changed. */
  LOCKED: { status: 409 },
  /** Not ready for payment: the first missing or invalid field, in the order of the screens. */
  DRAFT_INCOMPLETE: {
    status: 409,
    data: z.object({ missing: z.enum(['token', 'symbol', 'creator', 'email', 'network', 'wallet']) }),
  },
  /** No payment provider is configured, or it refuses or does not respond. */
  PAYMENT_UNAVAILABLE: { status: 502 },
  /** Not paid, paid in a way that an admin has to accept first, or closed. */
  NOT_DELIVERABLE: {
    status: 409,
    data: z.object({ why: z.enum(['unpaid', 'not_accepted', 'closed', 'refund_claimed']) }),
  },
  /** The address of a token that was delivered by hand is not valid on the network of the request. */
  ADDRESS_INVALID: { status: 409 },
  /** Nothing was paid, its token is in creation or exists, or it is closed already. */
  NOT_CLOSABLE: { status: 409, data: z.object({ why: z.enum(['unpaid', 'creating', 'created', 'closed']) }) },
  /** An item of the plan can't be delivered now; nothing was ordered. */
  PLAN_OFF_SALE: { status: 409, data: z.object({ plan: z.string(), items: z.array(z.string()) }) },
  /** It was delivered or withdrawn already. */
  DELIVERABLE_CLOSED: { status: 409, data: z.object({ state: z.enum(['delivered', 'withdrawn']) }) },
  /**
   * 'item': the item is not a place. 'project': the project is not of the order's token. 'home': it is not on home. 'top3': it
   * is not in the Top 3. 'running': the deliverable or the project has an active place.
   */
  PLACE_REFUSED: { status: 409, data: z.object({ why: z.enum(['item', 'project', 'home', 'top3', 'running']) }) },
  /** The evidence of delivery is invalid: its form is wrong, or it belongs to another network. */
  EVIDENCE_REFUSED: { status: 422, data: z.object({ why: z.enum(['kind', 'url', 'transaction', 'file']) }) },
  /** The same evidence, or the same transaction of a refund, is recorded for another order. */
  EVIDENCE_USED: { status: 409, data: z.object({ orderId: z.string(), what: z.string() }) },
  /**
   * 'asset': none of this coin arrived, or its smallest unit is unknown. 'amount': not positive, or more than arrived and is in
   * no refund yet. 'mailbox': the order has no mailbox for the code. 'address', 'transaction': not valid on the coin's chain.
   * 'unconfirmed': the payer has to confirm the address first. 'provider': the provider reports no deposit in this coin as
   * refunded. 'returned': less than this amount remains of the arrived money. 'under_way': some of that is on its way, and the provider may
   * still fail it. 'unclaimed': only the claimant can record that it was sent. 'halted': the provider returned that money while the refund
   * was claimed. 'unanswered': the provider does not respond. 'creating': it is all of the money that is left, and the token is signed
   * already: its result has to be known first. 'noted': version 0.2.0 noted a refund by hand, without an amount, so how much is left has to be
   * entered.
   */
  REFUND_REFUSED: {
    status: 422,
    data: z.object({
      why: z.enum([
        'asset',
        'amount',
        'address',
        'transaction',
        'unconfirmed',
        'provider',
        'returned',
        'under_way',
        'mailbox',
        'unclaimed',
        'halted',
        'unanswered',
        'creating',
        'noted',
      ]),
    }),
  },
  /** It was sent or withdrawn, its address is confirmed already ('ready'), or a person of the team is paying it ('claimed'). */
  REFUND_CLOSED: { status: 409, data: z.object({ state: z.enum(['sent', 'withdrawn', 'ready', 'claimed']) }) },
  /** A person of the team claimed the refund to pay it; `by` is null when that account was deleted. */
  REFUND_CLAIMED: {
    status: 409,
    data: z.object({ by: z.string().nullable(), mine: z.boolean(), until: z.iso.datetime() }),
  },
  /** Not the code of the latest mail, expired, or too many wrong attempts, so that a new one is needed. */
  REFUND_CODE: { status: 403, data: z.object({ attemptsLeft: z.int().nonnegative() }) },
  /**
   * The text is not a valid signature of an admin for the payment: not printed by `florka admin sign`, for another payment, or
   * not signed by the named key.
   */
  ACCEPTANCE_REFUSED: { status: 422, data: z.object({ why: z.enum(['form', 'payment', 'signature']) }) },
  /** No token can be created on this network now; nothing was ordered. */
  CHAIN_UNAVAILABLE: {
    status: 502,
    data: z.object({
      why: chainObstacle,
    }),
  },
  /** The request's token exists, or its creation is in progress. */
  ALREADY_CREATED: {
    status: 409,
    data: z.object({
      state: z.enum(['queued', 'working', 'held', 'completed', 'failed']),
      network: z.string(),
      address: z.string().nullable(),
    }),
  },
  /**
   * The data differ from the paid request, and the payer did not confirm them. `proposal`: state of the confirmation
   * request for these data; null when there is none.
   */
  PAYER_CONFIRMATION: {
    status: 409,
    data: z.object({
      fields: z.array(z.enum(['network', 'ownerWallet', 'tokenName', 'tokenSymbol'])),
      proposal: z.enum(['open', 'declined']).nullable(),
    }),
  },
  /**
   * Another admin has to approve exactly these data first. 'missing': nobody approved; 'own': only the calling admin did.
   * `otherAdmins`: number of other admins whose staff roles permit it.
   */
  SECOND_APPROVAL: {
    status: 409,
    data: z.object({ why: z.enum(['missing', 'own']), otherAdmins: z.int() }),
  },
  /** The reviewed summary is no longer the valid one: the payer confirmed another one, or none. */
  PROPOSAL_CHANGED: { status: 409 },
  /** Name or symbol resembles another one; repeat the request with `lookAlikeAccepted` after a review. */
  LOOK_ALIKE: { status: 409, data: z.object({ fields: z.array(z.enum(['tokenName', 'tokenSymbol'])) }) },
  /** It resembles an existing token; repeat the request with `resemblanceAccepted` after a review. */
  RESEMBLES: { status: 409, data: z.object({ found: z.array(resemblance) }) },
  /** The countdown has ended already, or ends after the launch; repeat the request with `countdownAccepted` after a review. */
  COUNTDOWN_DOUBTFUL: { status: 409, data: z.object({ why: z.enum(['ended', 'after_launch']) }) },
  /**
   * Invalid schedule. 'order': the end is not after the publication. 'past': the publication is in the past. 'ended': the end
   * is in the past. 'shown': it is public already, so a publication cannot be scheduled.
   */
  SCHEDULE_REFUSED: { status: 422, data: z.object({ why: z.enum(['order', 'past', 'ended', 'shown']) }) },
  /** The record is in the trash and has to be restored first. */
  IN_TRASH: { status: 409 },
  /** The image is in use, so it can't be moved to the trash. */
  IMAGE_SHOWN: { status: 409 },
  /** Other records use the image than those that the editor saw. */
  IMAGE_USES_CHANGED: { status: 409 },
  /** The operator accepts no requests for publication. */
  SUBMISSIONS_CLOSED: { status: 403 },
  /** Too many anonymous writes at the moment: solve the challenge, then repeat the request with its solution. */
  CHALLENGE_NEEDED: { status: 428, data: z.object({ challenge: z.record(z.string(), z.unknown()) }) },
  /** The image could not be fetched, processed or stored, for this reason; nothing was saved. */
  IMAGE_NOT_FETCHED: {
    status: 422,
    data: z.object({
      why: z.enum(['address', 'private', 'redirect', 'unreachable', 'slow', 'large', 'type', 'refused', 'storage']),
    }),
  },
  /** Not a podium place: all are taken, this one is taken, or the project is not published on home. */
  PODIUM_REFUSED: { status: 409, data: z.object({ why: z.enum(['full', 'taken', 'status']) }) },
  /**
   * Only the member who requested a token's publication or paid for its creation may start a proof. 'unconfirmed': the request
   * has the member's mailbox, which is not confirmed yet.
   */
  NOT_CREATOR: { status: 403, data: z.object({ why: z.enum(['unconfirmed', 'other']) }) },
  /**
   * The method is not available for this token. 'website': the token has no website of its own, or one without a host name.
   * 'contract': it has no contract address, or no network. 'unknown': the owner of the contract is not known here. 'address':
   * the contract belongs to another wallet.
   */
  PROOF_IMPOSSIBLE: {
    status: 422,
    data: z.object({ why: z.enum(['website', 'contract', 'unknown', 'address']) }),
  },
  /**
   * The check found no valid proof. 'missing': no record, or no file. 'other': one with other content. 'redirect', 'private',
   * 'large', 'type', 'slow', 'unreachable': the response of the remote server. 'changed': the token was changed meanwhile.
   * 'unchecked': the network of this site failed, so nothing was checked or counted.
   */
  PROOF_NOT_FOUND: {
    status: 422,
    data: z.object({
      why: z.enum([
        'missing',
        'other',
        'redirect',
        'private',
        'large',
        'type',
        'slow',
        'unreachable',
        'changed',
        'unchecked',
      ]),
    }),
  },
  /**
   * 'used': the challenge was signed before, or was issued to another caller, in another browser or for another purpose;
   * 'expired': it is too old.
   */
  WALLET_REFUSED: { status: 403, data: z.object({ why: z.enum(['address', 'used', 'expired', 'signature']) }) },
  /** The wallet is linked already, to this account or to another one. */
  WALLET_TAKEN: { status: 409, data: z.object({ by: z.enum(['me', 'other']) }) },
  /** The signature is valid, but the wallet is linked to no account, or to a closed one. */
  WALLET_UNKNOWN: { status: 403 },
  /** Staff without a second factor can't sign in by a wallet's signature alone. */
  WALLET_STAFF: { status: 403 },
  /** Neither a password nor a passkey would remain. */
  LAST_WAY_IN: { status: 409 },
  RATE_LIMITED: { status: 429, data: z.object({ retryAfter: z.int().positive() }) },
  BUSY: { status: 503, data: z.object({ retryAfter: z.int().positive() }) },
} as const;

export type ErrorCode = keyof typeof errors;
