import { type NotificationEvent, sentenceInEnglish, sentenceInSpanish } from '#contract/text/notification-sentences.ts';
import type { Reply } from './links.service.ts';

interface Texts {
  sentence(event: NotificationEvent): string;
  /** Shown above a message that may have arrived before. */
  again: string;
  /** @param about the account's name. @param site its address. */
  replies: Record<Reply, (about: string, site: string) => string>;
}

const es: Texts = {
  sentence: sentenceInSpanish,
  again: 'Puede que este mensaje ya te haya llegado:',
  replies: {
    linked: (about, site) =>
      `Listo: este chat recibe los avisos de la cuenta ${about} de Florka. Elige cuáles en ${site}/notifications\n\n/stop los termina.`,
    code_wrong: (_about, site) =>
      `Este enlace ya se usó o ha terminado. Pide otro en ${site}/notifications, en «Telegram».`,
    chat_taken: () =>
      'Este chat recibe los avisos de otra cuenta de Florka. Escribe /stop para terminarlo y abre después tu enlace otra vez.',
    not_linked: (_about, site) =>
      `Este chat no está vinculado a ninguna cuenta. Entra en ${site}/notifications y pulsa «Vincular mi Telegram».`,
    stopped: () => 'Hecho: este chat ya no recibe avisos de Florka.',
    moved: () => 'Los avisos de tu cuenta de Florka llegan desde ahora a otro chat, y a este ya no.',
    help: (_about, site) =>
      `Te escribo los avisos de tu cuenta de Florka, y nada más. Cuáles y a qué horas se elige en ${site}/notifications\n\n/stop los termina · /help muestra esto`,
  },
};

const en: Texts = {
  sentence: sentenceInEnglish,
  again: 'This message may have reached you before:',
  replies: {
    linked: (about, site) =>
      `Done: this chat gets the notifications of the account ${about} at Florka. Choose which in ${site}/en/notifications\n\n/stop ends them.`,
    code_wrong: (_about, site) =>
      `This link was used before or has ended. Ask for another one in ${site}/en/notifications, under “Telegram”.`,
    chat_taken: () =>
      'This chat gets the notifications of another account at Florka. Write /stop to end that, then open your link again.',
    not_linked: (_about, site) =>
      `This chat is not linked to any account. Go to ${site}/en/notifications and press “Link my Telegram”.`,
    stopped: () => 'Done: this chat gets no more notifications of Florka.',
    moved: () => 'The notifications of your account at Florka go to another chat from now on, and not to this one.',
    help: (_about, site) =>
      `I write you the notifications of your account at Florka, and nothing else. Which and when is chosen in ${site}/en/notifications\n\n/stop ends them · /help shows this`,
  },
};

/** Texts of the bot. */
export const telegramTexts = { es, en };
