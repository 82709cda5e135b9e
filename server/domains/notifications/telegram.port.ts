import type { TelegramBot } from '#server/providers/telegram/port.ts';

/** The bot of the settings of this moment; null: there is none. */
export interface TelegramService {
  readonly bot: TelegramBot | null;
  /** Called when the bot became another one, or none. @returns ends that. */
  onChange(listener: () => void): () => void;
}
