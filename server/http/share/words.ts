export type Language = 'es' | 'en';

const day = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (at: Date) => format.format(at);
};

/** With the separators of the pages, also between four digits: 1.234 or 1,234. */
const whole = (locale: string) => {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always' });
  return (value: number) => format.format(value);
};

/** The words on cards: the server draws them, so they are not in the catalogue of the screens. */
export const words = {
  es: {
    whole: whole('es-ES'),
    date: day('es-ES'),
    site: {
      kicker: 'Florka',
      title: 'La feria de los lanzamientos justos',
      text: 'Vota cada día, sigue los próximos lanzamientos y crea tu token.',
    },
    winner: 'Ganador de la votación',
    badge: { winner: 'Ganador de la votación', launch: 'Próximo lanzamiento', project: 'En Florka' },
    launch: 'Próximo lanzamiento',
    project: 'Proyecto en Florka',
    candidate: (round: number | null) => (round === null ? 'Candidato en votación' : `Candidato · ronda ${round}`),
    launches: 'sale a la pista',
    launched: 'lanzado',
    of: (total: string) => `de ${total} candidatos`,
    votes: (count: number) => (count === 1 ? 'voto' : 'votos'),
    news: 'Noticias',
  },
  en: {
    whole: whole('en-US'),
    date: day('en-US'),
    site: {
      kicker: 'Florka',
      title: 'The fair of fair launches',
      text: 'Vote every day, follow the next launches and create your token.',
    },
    winner: 'Winner of the vote',
    badge: { winner: 'Winner of the vote', launch: 'Upcoming launch', project: 'On Florka' },
    launch: 'Upcoming launch',
    project: 'Project on Florka',
    candidate: (round: number | null) => (round === null ? 'Candidate in the vote' : `Candidate · round ${round}`),
    launches: 'launches',
    launched: 'launched',
    of: (total: string) => `of ${total} candidates`,
    votes: (count: number) => (count === 1 ? 'vote' : 'votes'),
    news: 'News',
  },
} as const;
