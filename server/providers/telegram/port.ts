/** An update about a private chat or a group; ones of other kinds have neither text nor `left`. */
export interface TelegramUpdate {
  /** Increases by one with each update; after a week without updates it continues at a random number. */
  id: number;
  /** The private chat, whose id is that of its person; null for groups, channels and other bots. */
  chat: { id: number; name: string; language: string } | null;
  /** Text of the message. */
  text: string | null;
  /** True if the person blocked the bot. */
  left: boolean;
}

/**
 * Reason of a failed request:
 * - `token`: the bot is unknown, `taken`: another process reads the updates;
 * - `busy`: rate limited, with the seconds to wait; `gone`: the person cannot be written to; `refused`: permanently
 *   refused;
 * - `away`: certainly not executed, may be retried; `unsure`: it is unknown whether it was executed.
 */
export type TelegramFailure = 'token' | 'taken' | 'busy' | 'gone' | 'refused' | 'away' | 'unsure';

/** Does not contain the token, which is part of every URL. */
export class TelegramError extends Error {
  override name = 'TelegramError';
  readonly why: TelegramFailure;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(why: TelegramFailure, message: string, retryAfter: number | null = null) {
    super(message);
    this.why = why;
    this.retryAfter = retryAfter;
  }
}

/** One Telegram bot. All methods throw TelegramError. */
export interface TelegramBot {
  /** Number of the bot, the first part of its token. */
  id: number;
  /** Its user name, without @. */
  name: string;
  /** Bot and API host, for the log. */
  target: string;
  /** The bot's user name according to Telegram, without @. */
  whoami(): Promise<string>;
  /**
   * Updates from the given id on; Telegram deletes earlier ones.
   *
   * @param wait seconds to wait for the first update if there is none.
   */
  updates(from: number | null, wait: number, signal?: AbortSignal): Promise<TelegramUpdate[]>;
  /** Sends a message to a private chat. @param html with Telegram's supported tags, everything else escaped. */
  send(chat: number, html: string): Promise<void>;
}
