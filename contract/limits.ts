/** Business numbers of the product, in one place. Plain values: the browser imports this file, never the schemas. */

/** Characters. */
export const PASSWORD_MIN = 6;
/** Of admins and moderators, when they choose one. */
export const STAFF_PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const EMAIL_MAX = 254;
export const PASSKEY_NAME_MAX = 60;
/** Passkeys, and linked wallets, that one account may have. */
export const PASSKEYS_MAX = 10;
export const LINKED_WALLETS_MAX = 10;
/** How long an ownership proof holds; how often it is checked, also after a failure; failures in a row that end it. */
export const PROOF_DAYS = 180;
export const PROOF_CHECK_HOURS = 24;
export const PROOF_RETRY_HOURS = 6;
export const PROOF_FAILURES_MAX = 4;
/** So many days before its end a creator is reminded to renew. */
export const PROOF_REMINDER_DAYS = 14;
/** A ticker: letters and digits of any script. No `$`, which screens put in front of it, no spaces, no punctuation. */
export const TICKER_FORM = /^[\p{L}\p{M}\p{N}]+$/u;
/** AMB-61: looks like a mailbox, without spaces. */
export const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Keeps the language that a reader chose: 'es' or 'en'; read by the server before a page is sent. On https with the prefix. */
export const LANGUAGE_COOKIE = 'florka.language';
/** Seconds: a year after the last choice. */
export const LANGUAGE_COOKIE_AGE = 31_536_000;

/** Cards that the home grid shows at first and adds at each 'more'; one more where only that one would be left. */
export const HOME_PAGE = 12;
/** Rows that the ranking shows at first and adds at each 'more'. */
export const RANKING_PAGE = 50;
/** Votes of a member that the page of the ledger lists, the newest. */
export const RECEIPTS_SHOWN = 50;
/** Most rows one request for the ranking may ask for. */
export const RANKING_MAX = 1_000;
/** Days of votes drawn beside a candidate in the ranking, and on its own page. */
export const TREND_DAYS = 14;
export const HISTORY_DAYS = 30;
/** Podium places on home: the projects with order_index 1 to 3. */
export const PODIUM_SLOTS = 3;
/** Notifications that one request brings; browsers that one member may have notified; days that they are kept. */
export const NOTIFICATIONS_PAGE = 20;
export const PUSH_BROWSERS_MAX = 10;
export const NOTIFICATION_DAYS = 180;
/** Kinds of notifications that mails can be chosen for; of the others each gets a mail of its own, which nobody can turn off. */
export const MAILED_KINDS = ['replies', 'mentions', 'reactions', 'follows', 'rounds'] as const;
/** People whom one text may mention. */
export const MENTIONS_MAX = 10;
/** Tokens that one member may keep in the saved list. */
export const SAVED_MAX = 500;

/** Characters of forum posts and comments, and of search words. */
export const POST_TITLE_MAX = 200;
export const POST_CONTENT_MAX = 2_000;
export const COMMENT_MAX = 2_000;
export const SEARCH_MAX = 100;
/** Results of each kind that one search shows, and the most that one request may ask for. */
export const SEARCH_GROUP = 6;
export const SEARCH_GROUP_MAX = 20;
/** The kinds of results, in the order in which they are shown. */
export const SEARCH_GROUPS = ['tokens', 'candidates', 'launches', 'news', 'posts', 'people'] as const;
/** Posts, and comments of one post, that one request brings; comments that come along with a post in a list. */
export const POSTS_PAGE = 20;
export const COMMENTS_PAGE = 20;
export const COMMENTS_SHOWN = 3;
/** Candidates of the race by day. */
export const RACE_SHOWN = 12;
/** Tags of a post, and characters of one; images of a post, and characters of the description of one. */
export const POST_TAGS_MAX = 5;
export const TAG_MAX = 24;
export const POST_IMAGES_MAX = 4;
export const IMAGE_ALT_MAX = 200;
/** Characters that a quote shows of the comment that it answers. */
export const QUOTE_SHOWN = 280;
/** Names that are suggested for a mention, and tags that are in use of late. */
export const NAMES_SUGGESTED = 6;
export const TAGS_SUGGESTED = 20;

/** Minutes during which authors may change what they wrote. */
export const EDIT_MINUTES = 15;
/** Minutes after which the same text may be posted again. */
export const REPEAT_MINUTES = 5;
/** Hours during which an account counts as new, with longer waits between posts. */
export const NEW_MEMBER_HOURS = 24;
/** NEXT projects on one page. */
export const NEXT_PAGE = 8;
/** Characters of a news excerpt: of the first item, of the others, and on a card. */
export const NEWS_EXCERPT_FIRST = 300;
export const NEWS_EXCERPT = 200;
export const NEWS_CARD_EXCERPT = 150;
/** Characters of a news item, and who is its author unless said otherwise. */
export const NEWS_TITLE_MAX = 200;
export const NEWS_CONTENT_MAX = 50_000;
export const NEWS_AUTHOR_MAX = 80;
export const NEWS_AUTHOR = 'Admin';
/** Characters of a candidate's fields. */
export const CANDIDATE_MAX = {
  name: 120,
  symbol: 10,
  description: 1_000,
  descriptionFull: 10_000,
  address: 128,
  link: 500,
  notes: 5_000,
} as const;
/** Days that a voting round lasts unless said otherwise. */
export const ROUND_DAYS = 15;
export const ROUND_DAYS_MAX = 365;
/** Minutes without a heartbeat after which a tab counts as closed. */
export const ONLINE_MINUTES = 5;

/** Rows of one page of a list in the back office, and of one step of an export. */
export const LIST_PAGE = 25;
export const LIST_EXPORT_PAGE = 1_000;
/** Rows that a search of the back office counts; of more it says that there are more. */
export const MANY_FOUND = 1_000;
/** Records that one act on a selection takes. */
export const BULK_MAX = 100;
/** Days that a ban may last; without an end it is a disabled account. */
export const BAN_DAYS_MAX = 365;
/** Weeks that the reports of the back office go back. */
export const REPORT_WEEKS = 26;
/** Rows of each list in the forum's debug panel. */
export const DEBUG_ROWS = 10;
/** Of projects: fewest characters of name and address, place of those without one of their own, largest place. */
export const PROJECT_NAME_MIN = 2;
export const PROJECT_ADDRESS_MIN = 10;
export const NO_PLACE = 999;
export const PLACE_MAX = 100_000;
/** Days that deleted records stay in the trash. */
export const TRASH_DAYS = 30;
/** The key of a link to a draft: 192 random bits. */
export const PREVIEW_KEY = /^[0-9a-f]{48}$/;
/** Days that a link to a draft works. */
export const PREVIEW_DAYS = 7;
/** Minutes for which a proof of password or second factor counts as fresh. */
export const STEP_UP_MINUTES = 10;
export const NETWORK_NAME_MAX = 60;
export const NETWORK_SYMBOL_MAX = 10;
/** Most days after a payment within which the team delivers by hand. */
export const MANUAL_DAYS_MAX = 90;
/** Characters of the note in a report of a post or comment, and of the reason of an act. */
export const REPORT_NOTE_MAX = 500;
/** The rules that a text of the forum can break; what a removal names. */
export const REMOVAL_RULES = ['spam', 'scam', 'abuse', 'illegal', 'personal', 'off_topic'] as const;
/** Shortest reason of a removal, and answer to an appeal. */
export const REMOVAL_REASON_MIN = 3;
export const APPEAL_MAX = 2000;
/** Days after its removal in which an author may appeal. With those for the answer fewer than `TRASH_DAYS`. */
export const APPEAL_DAYS = 14;
/** Days within which a person should answer what waits in the inbox. */
export const ANSWER_DAYS = { report: 3, appeal: 7, review: 2 } as const;
/** Entries of a page of the log of removals. */
export const REMOVALS_SHOWN = 100;
/** Characters of what the team notes about a member. */
export const STAFF_NOTE_MAX = 2_000;
/** Days within which an item of a plan may be promised; characters of what happens otherwise, and of evidence. */
export const DUE_DAYS_MAX = 365;
export const IF_NOT_MAX = 1_000;
export const EVIDENCE_MAX = 500;
/** Minutes for which the code that confirms a refund's address is good, and how often it may be typed wrong. */
export const REFUND_CODE_MINUTES = 30;
export const REFUND_CODE_ATTEMPTS = 5;

/** Pages about the site itself, by their address; operators write their texts. */
export const SITE_PAGES = ['about', 'how-voting-works', 'prices', 'terms', 'privacy', 'risk', 'contact'] as const;
export const SITE_PAGE_TITLE_MAX = 120;
export const SITE_PAGE_BODY_MAX = 30_000;

/** Whole US dollars, and what each plan promises: keys of the catalogue app/lib/messages/plans.ts. */
export const PLANS = {
  entry: {
    priceUsd: 50,
    items: ['functionalToken', 'initialSupport', 'basicLiquidity', 'startupAdvertising', 'initialStaking'],
  },
  basic: {
    priceUsd: 1_500,
    items: ['uniqueToken', 'configurableSupply', 'spotlightWeek', 'socialIntegration', 'basicSupport', 'docs'],
  },
  standard: {
    priceUsd: 3_000,
    items: [
      'everythingInBasic',
      'basicAudit',
      'liquidityPool',
      'marketingTwoWeeks',
      'supportThirtyDays',
      'marketAnalysis',
    ],
  },
  complete: {
    priceUsd: 5_000,
    items: [
      'everythingInStandard',
      'fullAudit',
      'marketingMonth',
      'exchangeListing',
      'governance',
      'dapps',
      'supportNinetyDays',
      'whitepapers',
    ],
  },
} as const;

/** Characters of the fields of a token request and of a publication request, by kind of field. */
export const REQUEST_MAX = {
  name: 120,
  symbol: 10,
  description: 5_000,
  /** One-line answers and contacts. */
  line: 200,
  /** Percentages and amounts, stored as typed. */
  amount: 40,
  address: 128,
  link: 500,
  network: 40,
} as const;

/** Of a token that is made: characters of its symbol, and bytes that Solana keeps for symbol and name. */
export const TOKEN_SYMBOL_MAX = 6;
export const TOKEN_SYMBOL_BYTES = 10;
export const TOKEN_NAME_BYTES = 32;
export const SOLANA_DECIMALS = 6;
export const EVM_DECIMALS = 18;
/** Bytes of the public address of a token's metadata. */
export const METADATA_URL_BYTES = 200;

/** Days during which a payment may be made, and days after those during which the provider is still asked. */
export const PAYMENT_DAYS = 7;
export const PAYMENT_WATCH_DAYS = 7;
/** Seconds between two questions to the provider about one payment that people ask for. */
export const PAYMENT_POLL_SECONDS = 10;

/**
 * Market data. Seconds between two questions about a token that is known; questions a minute to each provider, of all
 * processes together and well below what the provider allows (300 and 30), since two windows may meet; seconds after
 * which a value counts as out of date; days that prices are kept by the hour and by the day.
 */
export const MARKET = {
  every: { prices: 120, pools: 600, holders: 1_800 },
  /** Of tokens that the provider does not know: the first wait doubles up to the last. */
  unknown: { first: 600, last: { prices: 1_800, pools: 7_200, holders: 21_600 } },
  perMinute: { dexscreener: 120, geckoterminal: 12 },
  stale: { dexscreener: 1_800, geckoterminal: 10_800 },
  /** Backoff after failures of a provider: doubles from `first` to `last`; its Retry-After header is honoured up to `retryAfter`. Seconds. */
  pause: { first: 30, last: 1_800, retryAfter: 21_600 },
  /** One price is stored for each step. */
  priceStep: 600,
  fineRetentionDays: 2,
  hourlyRetentionDays: 32,
  dailyRetentionDays: 400,
} as const;

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One rule: at most `hits` within `seconds`, counted from the first hit. */
export interface Limit {
  hits: number;
  seconds: number;
}

/**
 * How often one address (IPv4, or the /64 of an IPv6), account or pair may do what. The networks around an address have
 * limits too, a few times as high: see `networksOf` in server/lib/network/address.ts.
 */
export const LIMITS = {
  signInAddressMinute: { hits: 5, seconds: MINUTE },
  signInAddressHour: { hits: 30, seconds: HOUR },
  signInAccountHour: { hits: 10, seconds: HOUR },
  /** From a browser in which this account was signed in before, whatever its address. */
  signInDeviceMinute: { hits: 5, seconds: MINUTE },
  /** From all other browsers together, wherever they are. */
  signInGuessesHour: { hits: 40, seconds: HOUR },
  /** Wrong passwords of one account before its owner gets a mail, and those mails. */
  signInWrongHour: { hits: 10, seconds: HOUR },
  signInWrongMailDay: { hits: 1, seconds: 86_400 },
  /** Tries, also those that make no account: what they answer must not tell a list of addresses or names. */
  signUpAttemptHour: { hits: 20, seconds: HOUR },
  signUpAddressHour: { hits: 3, seconds: HOUR },
  signUpAddressDay: { hits: 10, seconds: DAY },
  /** Mails to the owner of a mailbox with which somebody tried to sign up again. */
  signUpTakenMailDay: { hits: 1, seconds: DAY },
  /** Accounts of one mailbox, whatever plus-address or dots it is written with. */
  signUpMailboxDay: { hits: 5, seconds: DAY },
  /** Accounts before a proof of work is asked for, of one network around an address (/24, /56, /48). */
  signUpNetHour: { hits: 6, seconds: HOUR },
  resetAccountHour: { hits: 3, seconds: HOUR },
  resetAddressDay: { hits: 5, seconds: DAY },
  codeAccountHour: { hits: 3, seconds: HOUR },
  codeAddressHour: { hits: 10, seconds: HOUR },
  codeAttemptsAccount: { hits: 10, seconds: HOUR },
  passkeyHour: { hits: 60, seconds: HOUR },
  walletHour: { hits: 60, seconds: HOUR },
  /** Proofs of a member that answers for tokens: begun, looked for, signed. */
  ownershipHour: { hits: 60, seconds: HOUR },
  passwordProofHour: { hits: 10, seconds: HOUR },
  mailAccountHour: { hits: 5, seconds: HOUR },
  /** Links to one mailbox that an account wants to change to, over all accounts, addresses and spellings of it. */
  mailboxChangeDay: { hits: 1, seconds: DAY },
  exportAccountDay: { hits: 10, seconds: DAY },
  /** Looks of one admin at what people see. */
  viewAsMemberHour: { hits: 30, seconds: HOUR },
  /** Test mails and test invoices of one admin. */
  settingsTestHour: { hits: 20, seconds: HOUR },
  linkAccountHour: { hits: 5, seconds: HOUR },
  voteAccountMinute: { hits: 20, seconds: MINUTE },
  voteAccountDay: { hits: 60, seconds: DAY },
  voteWithdrawCandidateDay: { hits: 10, seconds: DAY },
  ledgerReceiptMinute: { hits: 60, seconds: MINUTE },
  /** Files of the ledger: whoever reads all of a large one waits now and then. */
  ledgerFileAddressMinute: { hits: 3_000, seconds: MINUTE },
  postPause: { hits: 1, seconds: 15 * SECOND },
  postPauseNew: { hits: 1, seconds: MINUTE },
  postDay: { hits: 20, seconds: DAY },
  commentPause: { hits: 1, seconds: 5 * SECOND },
  commentPauseNew: { hits: 1, seconds: 30 * SECOND },
  reactionMinute: { hits: 30, seconds: MINUTE },
  ticketMinute: { hits: 20, seconds: MINUTE },
  namesMinute: { hits: 120, seconds: MINUTE },
  forumDeleteMinute: { hits: 10, seconds: MINUTE },
  /** Accounts that one admin may delete. */
  memberRemovalsMinute: { hits: 10, seconds: MINUTE },
  reportAccountHour: { hits: 10, seconds: HOUR },
  telegramLinkHour: { hits: 20, seconds: HOUR },
  notificationMinute: { hits: 60, seconds: MINUTE },
  profileHour: { hits: 30, seconds: HOUR },
  restrictMinute: { hits: 30, seconds: MINUTE },
  saveAccountMinute: { hits: 60, seconds: MINUTE },
  savedMergeMinute: { hits: 10, seconds: MINUTE },
  /** Words of all tabs together; 20 tabs that beat every 30 seconds say 40. */
  presenceAccountMinute: { hits: 120, seconds: MINUTE },
  /**
   * Searches of one visitor's address, pages that are a search among them; of one member. As many as of a member are more
   * pages of what was found, and searches of the news, which run while somebody types.
   */
  searchAddressMinute: { hits: 15, seconds: MINUTE },
  searchAccountMinute: { hits: 60, seconds: MINUTE },
  /** Preview cards that had to be drawn for one address: a drawing takes 0.1 to 0.2 s of a processor. */
  drawingAddressMinute: { hits: 20, seconds: MINUTE },
  draftAddressHour: { hits: 10, seconds: HOUR },
  /** A form saves itself every two seconds while somebody writes. */
  draftSaveMinute: { hits: 60, seconds: MINUTE },
  payRequestMinute: { hits: 10, seconds: MINUTE },
  /** New orders of one request. */
  orderRequestDay: { hits: 10, seconds: DAY },
  orderCheckMinute: { hits: 30, seconds: MINUTE },
  /** New links of one order. */
  orderLinkDay: { hits: 5, seconds: DAY },
  /** Reads by private link, so that nobody tries keys. */
  privateLinkMinute: { hits: 60, seconds: MINUTE },
  /** Addresses said for one refund: each sends a mail. */
  refundAddressHour: { hits: 5, seconds: HOUR },
  submissionAddressHour: { hits: 5, seconds: HOUR },
  /** Mails about publication requests to one mailbox, which anybody can type. */
  submissionMailDay: { hits: 3, seconds: DAY },
  /** Anonymous writes before a proof of work is asked for: of one network (/24, /64), and of everybody. */
  anonymousNetMinute: { hits: 5, seconds: MINUTE },
  anonymousAllMinute: { hits: 60, seconds: MINUTE },
} as const satisfies Record<string, Limit>;

/** How long answers count as fresh, how long they are kept, and how failures are retried. Milliseconds. */
export const TIMING = {
  homeFresh: 600_000,
  homeCache: 900_000,
  homeRefresh: 30_000,
  homeRetryDelay: 2_000,
  candidatesFresh: 300_000,
  candidatesCache: 600_000,
  voteStatusFresh: 30_000,
  dashboardRefresh: 30_000,
  roleFresh: 5_000,
  sessionCheck: 30_000,
  /** The longest that such a check may take in the back office; then what was known stays (AMB-20). */
  sessionCheckTimeout: 3_000,
  newsFresh: 300_000,
  heartbeat: 30_000,
  onlineRefresh: 60_000,
  moderatorPoll: 5_000,
  /** Between a decision on a moderator request and the next read of the list. */
  moderatorRefreshDelay: 1_000,
  rolesRefresh: 10_000,
  debugRefresh: 5_000,
  /** Between two questions of a page of earlier whether the server can read again. */
  staleRecheck: 3_000,
  /** Pause between a change received from the server and the refetch of a list. */
  liveRefreshDelay: 1_000,
  /** Between a change in the back office and the next read of public lists in the same browser. */
  publicRefreshDelay: 100,
  toast: 5_000,
  /** Waits before each new try to reach the live stream; the last one repeats. */
  reconnect: [1_000, 2_000, 5_000, 10_000],
} as const;
