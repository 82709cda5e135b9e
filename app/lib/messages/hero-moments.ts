import { defineMessages } from './define-messages.ts';

/** What happens in the round while home is open. */
export const heroMomentTexts = defineMessages({
  es: {
    moments: {
      latest: 'Últimos votos contados:',
      gained: (name: string, votes: string, total: string) => `${name} +${votes} (${total})`,
      leads: (name: string) => `${name} se pone en cabeza`,
    },
  },
  en: {
    moments: {
      latest: 'Last counted votes:',
      gained: (name: string, votes: string, total: string) => `${name} +${votes} (${total})`,
      leads: (name: string) => `${name} takes the lead`,
    },
  },
});
