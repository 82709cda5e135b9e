import { z } from 'zod';
import { resemblance } from './likeness.ts';
import { STAFF_ROLES } from './staff.ts';

/** Why no token can be ordered on a network now. */
export const chainObstacle = z.enum([
  /** Nobody set up a signer for it. */
  'not_configured',
  /** The signer has not been received for a minute. */
  'signer_offline',
  'unreachable',
  'wrong_chain',
  'unsupported',
  /** Who keeps the signer's key does not answer or refuses, or has another key than the configured one. */
  'key_unavailable',
  'wrong_key',
  /** What the key holds is not enough for one more. */
  'low_balance',
  /** As many as one UTC day may have. */
  'cap_reached',
  /** Simulated payments and a chain with real money, or the other way round. */
  'wrong_money',
  /** Wallets could not read the token's metadata: our public address is too long, or not https. */
  'public_address',
]);

/** Every expected failure of the product: code, status, data. The words for people live in app/lib/messages. */
export const errors = {
  UNAUTHORIZED: { status: 401 },
  INVALID_CREDENTIALS: { status: 401 },
  /** Name and password were right; the second factor is still to come. */
  SECOND_FACTOR_NEEDED: { status: 401 },
  WRONG_PASSWORD: { status: 403 },
  WRONG_CODE: { status: 403 },
  /** The passkey is unknown, not for this site or account, or its challenge is used or old. */
  PASSKEY_REFUSED: { status: 403 },
  /** Staff signs in and proves by passkey here: a code of an app does not count. */
  PASSKEY_REQUIRED: { status: 403 },
  /** As many as there may be. */
  TOO_MANY: { status: 409 },
  /** The link or code is used, expired, or not ours. */
  TOKEN_REFUSED: { status: 400 },
  ALREADY_DONE: { status: 409 },
  /** The link or code of a mail has ended: it is not sent any more. */
  MAIL_EXPIRED: { status: 409 },
  LAST_ADMIN: { status: 409 },
  /** Not with one's own account: an admin can't lower, disable or delete themselves. */
  OWN_ACCOUNT: { status: 409 },
  /** What its author deleted stays deleted. */
  AUTHORS_DELETION: { status: 409 },
  FORBIDDEN: { status: 403 },
  /** An admin, but of another part of the back office: it is open to owners and to these staff roles. */
  STAFF_ROLE_NEEDED: { status: 403, data: z.object({ roles: z.array(z.enum(STAFF_ROLES)) }) },
  NOT_FOUND: { status: 404, data: z.object({ what: z.string() }) },
  /** Only confirmed members may do this here, by the operator's setting. */
  UNCONFIRMED: { status: 403 },
  /** Its message is the documents' own sentence (AMB-09): callers recognise the refusal by it (ERR-35). */
  ALREADY_VOTED: {
    status: 409,
    message: 'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
    data: z.object({ nextVoteAt: z.iso.datetime() }),
  },
  NO_VOTE: { status: 409 },
  /** No candidate has a vote: there is nobody to win. */
  NO_WINNER: { status: 409 },
  /** The round was closed, its end was moved, or somebody else leads it now. */
  ROUND_CHANGED: { status: 409 },
  /** The round ended, by the database's clock; the next one follows. */
  ROUND_ENDED: { status: 409 },
  /** No round is open, and none follows by itself. */
  VOTING_PAUSED: { status: 409 },
  SIGN_UP_REFUSED: { status: 409 },
  USERNAME_TAKEN: { status: 409 },
  /** Among the passwords that are used most, or made of the words of this site. */
  PASSWORD_COMMON: { status: 400 },
  /** The own name or mailbox, with nothing but digits or signs around it. */
  PASSWORD_OWN: { status: 400 },
  /** Shorter than staff may choose. */
  PASSWORD_SHORT: { status: 400 },
  LINK_REFUSED: { status: 403 },
  /** The same author posted the same text within the last minutes: `id` is that post or comment. */
  DUPLICATE_POST: { status: 409, data: z.object({ id: z.uuid() }) },
  EDIT_WINDOW_CLOSED: { status: 409 },
  /** The text is shown, and what it would become has to wait for a review. */
  EDIT_NEEDS_REVIEW: { status: 409 },
  /** As many texts of the member wait for a review as may at once. */
  REVIEWS_FULL: { status: 409 },
  /** Its days are over. */
  APPEAL_CLOSED: { status: 409 },
  TOO_MANY_SAVED: { status: 409 },
  TOO_MANY_RESTRICTED: { status: 409 },
  /** No push service of a browser that we know. */
  PUSH_SERVICE_UNKNOWN: { status: 422 },
  /** The site has no bot in Telegram. */
  TELEGRAM_OFF: { status: 409 },
  /** Somebody else saved meanwhile: the record as it is now, so that a person can choose; in the back office also who and when. */
  VERSION_CONFLICT: {
    status: 409,
    data: z.object({
      version: z.int(),
      current: z.record(z.string(), z.unknown()),
      by: z.string().nullish(),
      at: z.iso.datetime().nullish(),
      /** No person changed it: the payment provider told something new. */
      byProvider: z.boolean().optional(),
      /** It is in the trash now. */
      deleted: z.boolean().optional(),
    }),
  },
  /** Another record has the same value where it must be unique. */
  DUPLICATE: { status: 409, data: z.object({ fields: z.array(z.string()) }) },
  /** The database refuses these values: a rule that spans fields, or a raced one. */
  NOT_VALID: { status: 422 },
  /** A variable of the environment decides: which one. */
  SETTING_FIXED: { status: 409, data: z.object({ variable: z.string() }) },
  /** Values of settings that are not allowed, or of which one needs the other. */
  SETTING_WRONG: { status: 422, data: z.object({ names: z.array(z.string()) }) },
  /** A colleague has it. */
  TAKEN: { status: 409, data: z.object({ by: z.string() }) },
  /** Staff chooses a password before anything else: the program made this one. */
  PASSWORD_INITIAL: { status: 403 },
  /** The password that the program made, chosen again. */
  PASSWORD_UNCHANGED: { status: 400 },
  /** Staff set up a second factor before anything else. */
  SECOND_FACTOR_REQUIRED: { status: 403 },
  /** Prove again who you are (account.prove), then send the same once more. */
  STEP_UP_NEEDED: { status: 403 },
  /** The private link of an order was replaced by another one, or nobody used it for a year. */
  ORDER_LINK_ENDED: { status: 410, data: z.object({ why: z.enum(['replaced', 'unused']) }) },
  /** Paid for: nothing of it changes any more. */
  LOCKED: { status: 409 },
  /** Not yet ready to be paid for; the first thing that is missing or wrong, in the order of the screens. */
  DRAFT_INCOMPLETE: {
    status: 409,
    data: z.object({ missing: z.enum(['token', 'symbol', 'creator', 'email', 'network', 'wallet']) }),
  },
  /** There is no payment provider, or it refuses or does not answer. */
  PAYMENT_UNAVAILABLE: { status: 502 },
  /** Not paid for, paid in a way that an admin has to accept first, or closed. */
  NOT_DELIVERABLE: { status: 409, data: z.object({ why: z.enum(['unpaid', 'not_accepted', 'closed']) }) },
  /** Nothing was paid, its token is under way or there, or it is closed already. */
  NOT_CLOSABLE: { status: 409, data: z.object({ why: z.enum(['unpaid', 'creating', 'created', 'closed']) }) },
  /** Something that the plan sells can't be delivered now; nothing was ordered. */
  PLAN_OFF_SALE: { status: 409, data: z.object({ plan: z.string(), items: z.array(z.string()) }) },
  /** Somebody finished it already. */
  DELIVERABLE_CLOSED: { status: 409, data: z.object({ state: z.enum(['delivered', 'withdrawn']) }) },
  /**
   * 'item': no place goes with it. 'project': none of the order's token. 'home': it is not on home. 'top3': it is not in the Top 3.
   * 'running': one is running, of the deliverable or the project.
   */
  PLACE_REFUSED: { status: 409, data: z.object({ why: z.enum(['item', 'project', 'home', 'top3', 'running']) }) },
  /** What is to show that something was delivered does not: its form is wrong, or that of another network. */
  EVIDENCE_REFUSED: { status: 422, data: z.object({ why: z.enum(['kind', 'url', 'transaction', 'file']) }) },
  /** The same evidence, or transaction of a refund, stands elsewhere. */
  EVIDENCE_USED: { status: 409, data: z.object({ orderId: z.string(), what: z.string() }) },
  /**
   * 'asset': nothing of it arrived, or we don't know its smallest unit. 'amount': none, or more than arrived and did not go back
   * yet. 'address', 'transaction': none of this network. 'unconfirmed': the payer has to confirm the address first.
   * 'provider': the provider says of no deposit that it went back. 'returned': less than that is left of what arrived.
   */
  REFUND_REFUSED: {
    status: 422,
    data: z.object({
      why: z.enum(['asset', 'amount', 'address', 'transaction', 'unconfirmed', 'provider', 'returned', 'mailbox']),
    }),
  },
  /** It was sent or withdrawn: nothing of it changes any more. */
  REFUND_CLOSED: { status: 409, data: z.object({ state: z.enum(['sent', 'withdrawn', 'ready']) }) },
  /** Not the code that was mailed last, or it ended, or was typed wrong too often: then a new one is needed. */
  REFUND_CODE: { status: 403, data: z.object({ attemptsLeft: z.int().nonnegative() }) },
  /**
   * What was to show that an admin signed for a payment does not: no text of `florka admin sign`, of another payment, or not signed by
   * the key that it names.
   */
  ACCEPTANCE_REFUSED: { status: 422, data: z.object({ why: z.enum(['form', 'payment', 'signature']) }) },
  /** No token can be made on this network now; nothing was ordered. */
  CHAIN_UNAVAILABLE: {
    status: 502,
    data: z.object({
      why: chainObstacle,
    }),
  },
  /** The request has its token, or its creation is under way. */
  ALREADY_CREATED: {
    status: 409,
    data: z.object({
      state: z.enum(['queued', 'working', 'held', 'completed', 'failed']),
      network: z.string(),
      address: z.string().nullable(),
    }),
  },
  /** Not as it was paid for, and its payer did not confirm it. `asked`: what became of the question; null: nobody asked. */
  PAYER_CONFIRMATION: {
    status: 409,
    data: z.object({
      fields: z.array(z.enum(['network', 'ownerWallet', 'tokenName', 'tokenSymbol'])),
      proposal: z.enum(['open', 'declined']).nullable(),
    }),
  },
  /**
   * Another admin has to approve exactly this first. 'missing': nobody did; 'own': only who asks for it now. `otherAdmins`: how many
   * accounts could.
   */
  SECOND_APPROVAL: {
    status: 409,
    data: z.object({ why: z.enum(['missing', 'own']), otherAdmins: z.int() }),
  },
  /** The summary that was looked at is not the one that counts: its payer confirmed another, or none. */
  PROPOSAL_CHANGED: { status: 409 },
  /** Name or symbol could be taken for another one; send again with `lookAlikeAccepted` after a look. */
  LOOK_ALIKE: { status: 409, data: z.object({ fields: z.array(z.enum(['tokenName', 'tokenSymbol'])) }) },
  /** It could be taken for a token that is there already; send again with `resemblanceAccepted` after a look. */
  RESEMBLES: { status: 409, data: z.object({ found: z.array(resemblance) }) },
  /** The countdown is over already, or runs past the launch; send again with `countdownAccepted` after a look. */
  COUNTDOWN_DOUBTFUL: { status: 409, data: z.object({ why: z.enum(['ended', 'after_launch']) }) },
  /**
   * Moments that make no sense. 'order': it would go before it appears, or at the same time. 'past': it would have appeared
   * already. 'ended': it would be gone already. 'shown': it is public already, so it cannot appear.
   */
  SCHEDULE_REFUSED: { status: 422, data: z.object({ why: z.enum(['order', 'past', 'ended', 'shown']) }) },
  /** The record is in the trash: take it out first. */
  IN_TRASH: { status: 409 },
  /** Something shows the image, so it can't go into the trash. */
  IMAGE_SHOWN: { status: 409 },
  /** Other records show the image now than the editor saw. */
  IMAGE_USES_CHANGED: { status: 409 },
  SUBMISSIONS_CLOSED: { status: 403 },
  /** Too many anonymous writes at the moment: solve the challenge, then send the same again with its solution. */
  CHALLENGE_NEEDED: { status: 428, data: z.object({ challenge: z.record(z.string(), z.unknown()) }) },
  /** The image at an address elsewhere is not there, not to be had, or none; nothing was saved. */
  IMAGE_NOT_FETCHED: {
    status: 422,
    data: z.object({
      why: z.enum(['address', 'private', 'redirect', 'unreachable', 'slow', 'large', 'type', 'refused', 'storage']),
    }),
  },
  /** No podium place: all are taken, this one is, or the project is not published on home. */
  PODIUM_REFUSED: { status: 409, data: z.object({ why: z.enum(['full', 'taken', 'status']) }) },
  /**
   * Only who asked for its publication or paid for its creation may prove to answer for a token. 'unconfirmed': the mailbox of the
   * request is theirs by name only, until they confirm it.
   */
  NOT_CREATOR: { status: 403, data: z.object({ why: z.enum(['unconfirmed', 'other']) }) },
  /**
   * A token that cannot be proven in this way. 'website': its page names none of its own, or an address without a name. 'contract':
   * it names none, or no network. 'unknown': nobody here knows whose the contract is. 'address': the contract is another wallet's.
   */
  PROOF_IMPOSSIBLE: {
    status: 422,
    data: z.object({ why: z.enum(['website', 'contract', 'unknown', 'address', 'trash']) }),
  },
  /**
   * Nothing was found that proves. 'missing': no record, or no file. 'other': there is one, and it says something else. 'redirect',
   * 'private', 'large', 'type', 'slow', 'unreachable': how the other side answered. 'changed': the token was changed meanwhile.
   */
  PROOF_NOT_FOUND: {
    status: 422,
    data: z.object({
      why: z.enum(['missing', 'other', 'redirect', 'private', 'large', 'type', 'slow', 'unreachable', 'changed']),
    }),
  },
  /** 'used': the text was signed before, or was asked for by somebody else, elsewhere or for something else; 'expired': it is too old. */
  WALLET_REFUSED: { status: 403, data: z.object({ why: z.enum(['address', 'used', 'expired', 'signature']) }) },
  /** The wallet is linked already: to this account, or to another one. */
  WALLET_TAKEN: { status: 409, data: z.object({ by: z.enum(['me', 'other']) }) },
  /** The wallet signed, and opens no account: it is linked to none, or to one that is closed. */
  WALLET_UNKNOWN: { status: 403 },
  /** Staff without a second factor: the signature of a wallet alone is not enough. */
  WALLET_STAFF: { status: 403 },
  /** Neither a password nor a passkey would be left. */
  LAST_WAY_IN: { status: 409 },
  RATE_LIMITED: { status: 429, data: z.object({ retryAfter: z.int().positive() }) },
  BUSY: { status: 503, data: z.object({ retryAfter: z.int().positive() }) },
} as const;

export type ErrorCode = keyof typeof errors;
