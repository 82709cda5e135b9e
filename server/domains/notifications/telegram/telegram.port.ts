import type { TelegramBot } from '#server/providers/telegram/port.ts';

/** The bot of the current settings; null when there is none. */
export interface TelegramService {
  readonly bot: TelegramBot | null;
  /** Subscribes to changes of the bot. @returns the function to unsubscribe. */
  onChange(listener: () => void): () => void;
}
