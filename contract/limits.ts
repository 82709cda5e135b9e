/** Business numbers of the product, except a few of one part, which defines them. Plain values: browsers import this file, not the schemas. */

/** Characters; the second for admins and moderators when they choose a password. */
export const PASSWORD_MIN = 6;
export const STAFF_PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const EMAIL_MAX = 254;
export const PASSKEY_NAME_MAX = 60;
/** Maximum of passkeys, and of linked wallets, per account. */
export const PASSKEYS_MAX = 10;
export const LINKED_WALLETS_MAX = 10;
/** Validity of an ownership proof; interval of its checks, also after a failure; consecutive failures that end it. */
export const PROOF_DAYS = 180;
export const PROOF_CHECK_HOURS = 24;
export const PROOF_RETRY_HOURS = 6;
export const PROOF_FAILURES_MAX = 4;
/** Days before the proof's end at which the creator is reminded to renew it. */
export const PROOF_REMINDER_DAYS = 14;
/** A ticker: letters and digits of any script. No `$`, which screens put in front of it, no spaces, no punctuation. */
export const TICKER_FORM = /^[\p{L}\p{M}\p{N}]+$/u;
/** AMB-61: the form of an e-mail address, without spaces. */
export const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Stores the reader's language: 'es' or 'en'; read by the server before rendering. Prefixed on https. */
export const LANGUAGE_COOKIE = 'florka.language';
/** Seconds: one year after the last choice. */
export const LANGUAGE_COOKIE_AGE = 31_536_000;

/** Cards that the home grid shows initially and adds with each 'more'; one more when a single card would remain. */
export const HOME_PAGE = 12;
/** Rows that the ranking shows initially and adds with each 'more'. */
export const RANKING_PAGE = 50;
/** Own votes that the ledger page shows initially and adds with each 'more'. */
export const RECEIPTS_SHOWN = 50;
/** Maximum number of rows per request for the ranking. */
export const RANKING_MAX = 1_000;
/** Days in the chart of votes next to a candidate in the ranking, and on its own page. */
export const TREND_DAYS = 14;
export const HISTORY_DAYS = 30;
/** Podium places on home: the projects with order_index 1 to 3. */
export const PODIUM_SLOTS = 3;
/** Page size of notifications; maximum of browsers with push per member; retention in days. */
export const NOTIFICATIONS_PAGE = 20;
export const PUSH_BROWSERS_MAX = 10;
export const NOTIFICATION_DAYS = 180;
/** Kinds of notifications that members can get by mail; notifications of other kinds are never mailed. */
export const MAILED_KINDS = ['replies', 'mentions', 'reactions', 'follows', 'rounds'] as const;
/** Maximum of names that one text can mention; further ones are not notified. */
export const MENTIONS_MAX = 10;
/** Maximum number of saved tokens per member. */
export const SAVED_MAX = 500;

/** Maximum lengths in characters of forum posts and comments, and of search terms. */
export const POST_TITLE_MAX = 200;
export const POST_CONTENT_MAX = 2_000;
export const COMMENT_MAX = 2_000;
export const SEARCH_MAX = 100;
/** Default and maximum number of results of each kind per search. */
export const SEARCH_GROUP = 6;
export const SEARCH_GROUP_MAX = 20;
/** Kinds of search results, in display order. */
export const SEARCH_GROUPS = ['tokens', 'candidates', 'launches', 'news', 'posts', 'people'] as const;
/** Page size of posts, and of comments of one post; number of comments included with each post of a list. */
export const POSTS_PAGE = 20;
export const COMMENTS_PAGE = 20;
export const COMMENTS_SHOWN = 3;
/** Number of candidates in the race by day. */
export const RACE_SHOWN = 12;
/** Tags per post, and characters of a tag; images per post, and characters of an image's description. */
export const POST_TAGS_MAX = 5;
export const TAG_MAX = 24;
export const POST_IMAGES_MAX = 4;
export const IMAGE_ALT_MAX = 200;
/** Characters of the quoted comment in a reply. */
export const QUOTE_SHOWN = 280;
/** Suggested names for a mention; number of recently used tags. */
export const NAMES_SUGGESTED = 6;
export const TAGS_SUGGESTED = 20;

/** Minutes during which authors can edit their texts. */
export const EDIT_MINUTES = 15;
/** Minutes before the same text can be posted again. */
export const REPEAT_MINUTES = 5;
/** Hours during which an account counts as new, with longer waits between posts. */
export const NEW_MEMBER_HOURS = 24;
/** Page size of NEXT projects. */
export const NEXT_PAGE = 8;
/** Characters of a news excerpt: the first item's, the others', and a card's. */
export const NEWS_EXCERPT_FIRST = 300;
export const NEWS_EXCERPT = 200;
export const NEWS_CARD_EXCERPT = 150;
/** Maximum lengths of a news item's fields, and its default author. */
export const NEWS_TITLE_MAX = 200;
export const NEWS_CONTENT_MAX = 50_000;
export const NEWS_AUTHOR_MAX = 80;
export const NEWS_AUTHOR = 'Admin';
/** Maximum lengths of a candidate's fields, in characters. */
export const CANDIDATE_MAX = {
  name: 120,
  symbol: 10,
  description: 1_000,
  descriptionFull: 10_000,
  address: 128,
  link: 500,
  notes: 5_000,
} as const;
/** Default length of a voting round in days. */
export const ROUND_DAYS = 15;
export const ROUND_DAYS_MAX = 365;
/** Minutes without a heartbeat after which a tab counts as closed. */
export const ONLINE_MINUTES = 5;
/** Page size of a list in the back office, its highest page, and batch size of an export. */
export const LIST_PAGE = 25;
export const LIST_PAGES_MAX = 100_000;
export const LIST_EXPORT_PAGE = 1_000;
/** Maximum count of a search of the back office, above which it only reports "more"; its number of results of each kind. */
export const MANY_FOUND = 1_000;
export const MAX_HITS_OF_A_KIND = 5;
/** Maximum number of records per bulk action. */
export const BULK_MAX = 100;
/** Maximum length of a ban in days; a permanent one is a disabled account. */
export const BAN_DAYS_MAX = 365;
/** Period of the back office's reports in weeks. */
export const REPORT_WEEKS = 26;
/** Rows per list in the forum's debug panel. */
export const DEBUG_ROWS = 10;
/** For projects: minimum length of name and address, default position, maximum position. */
export const PROJECT_NAME_MIN = 2;
export const PROJECT_ADDRESS_MIN = 10;
export const DEFAULT_ORDER_INDEX = 999;
export const ORDER_INDEX_MAX = 100_000;
/** Retention of deleted records in the trash, in days. */
export const TRASH_DAYS = 30;
/** The key in a preview link: 192 random bits. */
export const PREVIEW_KEY = /^[0-9a-f]{48}$/;
/** Validity of a preview link in days. */
export const PREVIEW_DAYS = 7;
/** Minutes for which a step-up is valid. */
export const STEP_UP_MINUTES = 10;
export const NETWORK_NAME_MAX = 60;
export const NETWORK_SYMBOL_MAX = 10;
/** Maximum number of days for a delivery by hand after the payment. */
export const MANUAL_DAYS_MAX = 90;
/** Maximum length of reasons of actions (ban, removal, …) and notes of reports; columns check it too: a larger one needs a migration. */
export const REASON_MAX = 500;
/** Rules of the forum; a removal names one of them. */
export const REMOVAL_RULES = ['spam', 'scam', 'abuse', 'illegal', 'personal', 'off_topic'] as const;
/** Minimum length of a removal's reason, and of the response to an appeal. */
export const REMOVAL_REASON_MIN = 3;
export const APPEAL_MAX = 2000;
/** Days after a removal in which its author can appeal. Together with the days for the response less than `TRASH_DAYS`. */
export const APPEAL_DAYS = 14;
/** Promised response times of inbox items, in days. */
export const ANSWER_DAYS = { report: 3, appeal: 7, review: 2 } as const;
/** Page size of the log of removals. */
export const REMOVALS_SHOWN = 100;
/** Maximum length of the team's notes about a member, in characters. */
export const STAFF_NOTE_MAX = 2_000;
/** Maximum due time of an item of a plan, in days; maximum lengths of its consequence text and of its evidence. */
export const DUE_DAYS_MAX = 365;
export const CONSEQUENCE_MAX = 1_000;
export const EVIDENCE_MAX = 500;
/** Validity in minutes of the code that confirms a refund's address, and maximum number of wrong attempts. */
export const REFUND_CODE_MINUTES = 30;
export const REFUND_CODE_ATTEMPTS = 5;

/** Pages about the site itself, by their path; operators edit their texts. */
export const SITE_PAGES = ['about', 'how-voting-works', 'prices', 'terms', 'privacy', 'risk', 'contact'] as const;
export const SITE_PAGE_TITLE_MAX = 120;
export const SITE_PAGE_BODY_MAX = 30_000;

/** Prices in whole US dollars, and the promises of each plan: keys of the catalogue app/lib/messages/plans.ts. */
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

/** Maximum lengths of the fields of a token request and of a publication request, by kind of field. */
export const REQUEST_MAX = {
  name: 120,
  symbol: 10,
  description: 5_000,
  /** Single-line texts and contacts. */
  line: 200,
  /** Percentages and amounts, stored as typed. */
  amount: 40,
  address: 128,
  link: 500,
  network: 40,
} as const;

/** For a created token: maximum characters of its symbol, and bytes that Solana reserves for symbol and name. */
export const TOKEN_SYMBOL_MAX = 6;
export const TOKEN_SYMBOL_BYTES = 10;
export const TOKEN_NAME_BYTES = 32;
export const SOLANA_DECIMALS = 6;
export const EVM_DECIMALS = 18;
/** Maximum bytes of the public URL of a token's metadata. */
export const METADATA_URL_BYTES = 200;

/** Days in which an order can be paid, and days after them during which the provider is still polled. */
export const PAYMENT_DAYS = 7;
export const PAYMENT_WATCH_DAYS = 7;
/** A smaller share of what is due for a deposit is no payment (emulator/recorded/failed.json). `deposit_is_dust` of the database has it too. */
export const SMALLEST_SHARE = 0.01;
/** Minimum interval in seconds between two user-requested queries of the provider about one payment. */
export const PAYMENT_POLL_SECONDS = 10;

/** Market data, in seconds. Queries per minute, over all processes, are well below the provider's limits (300 and 30): two windows can overlap. */
export const MARKET = {
  every: { prices: 120, pools: 600, holders: 1_800 },
  /** Backoff for tokens that the provider does not list: doubles from the first delay to the last. */
  unknown: { first: 600, last: { prices: 1_800, pools: 7_200, holders: 21_600 } },
  perMinute: { dexscreener: 120, geckoterminal: 12 },
  /** A value that is older is stale. */
  stale: { dexscreener: 1_800, geckoterminal: 10_800 },
  /** Backoff after failures of a provider: doubles from `first` to `last`; its Retry-After header is honoured up to `retryAfter`. Seconds. */
  pause: { first: 30, last: 1_800, retryAfter: 21_600 },
  /** One price is stored per interval. */
  priceStep: 600,
  fineRetentionDays: 2,
  hourlyRetentionDays: 32,
  dailyRetentionDays: 400,
} as const;

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A rate limit: at most `hits` within `seconds`, counted from the first hit. */
export interface Limit {
  hits: number;
  seconds: number;
}

/** Mails with the link of a publication request per mailbox and day. Not in LIMITS: a text of a page has it, and would load all limits. */
export const SUBMISSION_MAILS_DAY = 3;

/** Rate limits per address (IPv4, or the /64 of an IPv6), account or pair; for networks see `networksOf` in server/lib/network/address.ts. */
export const LIMITS = {
  signInAddressMinute: { hits: 5, seconds: MINUTE },
  signInAddressHour: { hits: 30, seconds: HOUR },
  signInAccountHour: { hits: 10, seconds: HOUR },
  /** For a browser that was signed in to this account before, regardless of its address. */
  signInDeviceMinute: { hits: 5, seconds: MINUTE },
  /** For all other browsers together, at any address. */
  signInGuessesHour: { hits: 40, seconds: HOUR },
  /** Wrong passwords for one account before its owner is notified by mail, and the limit of those mails. */
  signInWrongHour: { hits: 10, seconds: HOUR },
  signInWrongMailDay: { hits: 1, seconds: 86_400 },
  /** Attempts, including those that create no account: their responses must not allow checking a list of addresses or names. */
  signUpAttemptHour: { hits: 20, seconds: HOUR },
  signUpAddressHour: { hits: 3, seconds: HOUR },
  signUpAddressDay: { hits: 10, seconds: DAY },
  /** Mails to the owner of a mailbox that somebody tried to sign up with again. */
  signUpTakenMailDay: { hits: 1, seconds: DAY },
  /** Accounts per mailbox, independent of plus-addresses and dots. */
  signUpMailboxDay: { hits: 5, seconds: DAY },
  /** Accounts from one network around an address (/24, /56, /48) before a proof of work is required. */
  signUpNetHour: { hits: 6, seconds: HOUR },
  resetAccountHour: { hits: 3, seconds: HOUR },
  resetAddressDay: { hits: 5, seconds: DAY },
  codeAccountHour: { hits: 3, seconds: HOUR },
  codeAddressHour: { hits: 10, seconds: HOUR },
  codeAttemptsAccount: { hits: 10, seconds: HOUR },
  passkeyHour: { hits: 60, seconds: HOUR },
  walletHour: { hits: 60, seconds: HOUR },
  /** Proof operations of a member: started, checked, signed. */
  ownershipHour: { hits: 60, seconds: HOUR },
  passwordProofHour: { hits: 10, seconds: HOUR },
  mailAccountHour: { hits: 5, seconds: HOUR },
  /** Confirmation links to one mailbox for changes of e-mail, over all accounts, addresses and spellings of it. */
  mailboxChangeDay: { hits: 1, seconds: DAY },
  exportAccountDay: { hits: 10, seconds: DAY },
  /** Accesses of one admin to a member's own pages. */
  viewAsMemberHour: { hits: 30, seconds: HOUR },
  /** Mails sent again: by one admin, and how often one mail is sent again, whoever does it. */
  mailAgainHour: { hits: 30, seconds: HOUR },
  mailAgainEach: { hits: 3, seconds: DAY },
  /** Test mails and test invoices per admin. */
  settingsTestHour: { hits: 20, seconds: HOUR },
  linkAccountHour: { hits: 5, seconds: HOUR },
  /** Defaults of the settings `votesPerMinute` and `votesPerDay`, whose value counts instead of `hits`. */
  voteAccountMinute: { hits: 20, seconds: MINUTE },
  voteAccountDay: { hits: 60, seconds: DAY },
  voteWithdrawCandidateDay: { hits: 10, seconds: DAY },
  ledgerReceiptMinute: { hits: 60, seconds: MINUTE },
  /** Files of the ledger: a client that reads all of a large ledger is throttled at times. */
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
  /** Account deletions per admin. */
  memberRemovalsMinute: { hits: 10, seconds: MINUTE },
  reportAccountHour: { hits: 10, seconds: HOUR },
  telegramLinkHour: { hits: 20, seconds: HOUR },
  notificationMinute: { hits: 60, seconds: MINUTE },
  profileHour: { hits: 30, seconds: HOUR },
  restrictMinute: { hits: 30, seconds: MINUTE },
  saveAccountMinute: { hits: 60, seconds: MINUTE },
  savedMergeMinute: { hits: 10, seconds: MINUTE },
  /** Heartbeats of all tabs together; 20 tabs with an interval of 30 seconds send 40. */
  presenceAccountMinute: { hits: 120, seconds: MINUTE },
  /** Searches per address, pages that are a search included; per member also further pages, and searches of the news while typing. */
  searchAddressMinute: { hits: 15, seconds: MINUTE },
  searchAccountMinute: { hits: 60, seconds: MINUTE },
  /** Preview cards drawn per address: one drawing takes 0.1 to 0.2 s of CPU time. */
  drawingAddressMinute: { hits: 20, seconds: MINUTE },
  draftAddressHour: { hits: 10, seconds: HOUR },
  /** The form saves automatically during typing, every 1.5 seconds at most. */
  draftSaveMinute: { hits: 60, seconds: MINUTE },
  payRequestMinute: { hits: 10, seconds: MINUTE },
  /** New orders per request. */
  orderRequestDay: { hits: 10, seconds: DAY },
  orderCheckMinute: { hits: 30, seconds: MINUTE },
  /** New links per order. */
  orderLinkDay: { hits: 5, seconds: DAY },
  /** Requests with the key of a private link, against guessing of keys. */
  privateLinkMinute: { hits: 60, seconds: MINUTE },
  /** Addresses of wallets entered for a refund: each sends a mail. */
  refundAddressHour: { hits: 5, seconds: HOUR },
  submissionAddressHour: { hits: 5, seconds: HOUR },
  /** Mails about publication requests to one mailbox, which anybody can enter. */
  submissionMailDay: { hits: SUBMISSION_MAILS_DAY, seconds: DAY },
  /** Anonymous writes before a proof of work is required: per network (/24, /64), and in total. */
  anonymousNetMinute: { hits: 5, seconds: MINUTE },
  anonymousAllMinute: { hits: 60, seconds: MINUTE },
} as const satisfies Record<string, Limit>;

/** Client-side times: how long responses are fresh and cached, and how failures are retried. Milliseconds. */
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
  /** Timeout of that check in the back office; on a timeout the previous state is used (AMB-20). */
  sessionCheckTimeout: 3_000,
  newsFresh: 300_000,
  heartbeat: 30_000,
  onlineRefresh: 60_000,
  moderatorPoll: 5_000,
  /** Delay between a decision on a moderator request and the refetch of the list. */
  moderatorRefreshDelay: 1_000,
  rolesRefresh: 10_000,
  debugRefresh: 5_000,
  /** Interval at which a stale page checks whether the server is available again. */
  staleRecheck: 3_000,
  /** Delay between a change event of the server and the refetch of a list. */
  liveRefreshDelay: 1_000,
  /** Delay between a change in the back office and the refetch of public lists in the same browser. */
  publicRefreshDelay: 100,
  toast: 5_000,
  /** Delays before reconnecting to the live stream; the last one repeats. */
  reconnect: [1_000, 2_000, 5_000, 10_000],
} as const;
