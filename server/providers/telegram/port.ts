/** What a private person or a group did to the bot; whatever we do not ask for has neither text nor `left`. */
export interface TelegramUpdate {
  /** Grows by one with each update, but for a new start at random after a week without any. */
  id: number;
  /** The private chat that it came from, which has the number of its person; null for groups, channels and other bots. */
  chat: { id: number; name: string; language: string } | null;
  /** What the person wrote. */
  text: string | null;
  /** The person blocked the bot. */
  left: boolean;
}

/**
 * Why Telegram did not do what it was asked:
 * - `token`: it does not know the bot, `taken`: somebody else reads the updates;
 * - `busy`: too much at a time, with the seconds to wait; `gone`: this person can't be written to; `refused`: never so;
 * - `away`: it was certainly not done, and may be another time; `unsure`: nobody knows whether it was done.
 */
export type TelegramFailure = 'token' | 'taken' | 'busy' | 'gone' | 'refused' | 'away' | 'unsure';

/** Says nothing of the token, which is a part of every address. */
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

/** One bot of Telegram. All calls throw TelegramError. */
export interface TelegramBot {
  /** Number of the bot, which its token begins with. */
  id: number;
  /** As people find it, without @. */
  name: string;
  /** Where the API is. */
  target: string;
  /** The name that Telegram has for the bot, without @. */
  whoami(): Promise<string>;
  /**
   * What happened from an update on; those before it are forgotten there.
   *
   * @param wait seconds for the first one, if there is none yet.
   */
  updates(from: number | null, wait: number, signal?: AbortSignal): Promise<TelegramUpdate[]>;
  /** Writes into a private chat. @param html of Telegram's few tags, everything else escaped. */
  send(chat: number, html: string): Promise<void>;
}
