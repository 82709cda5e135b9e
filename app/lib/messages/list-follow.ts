import { defineMessages } from './define-messages.ts';

/** Names of the button that follows a token of a list. */
export const listFollowTexts = defineMessages({
  es: {
    listFollow: {
      add: (name: string) => `Seguir ${name}`,
      remove: (name: string) => `Dejar de seguir ${name}`,
    },
  },
  en: {
    listFollow: {
      add: (name) => `Follow ${name}`,
      remove: (name) => `Stop following ${name}`,
    },
  },
});
