import { defineMessages } from './define-messages.ts';

/** The way to the race, on pages that don't load the rest of its words. */
export const raceLinkTexts = defineMessages({
  es: { race: { link: 'Ver la carrera de la ronda, día a día' } },
  en: { race: { link: 'See the race of the round, day by day' } },
});
