import { type Language, withSiteName } from '#contract/site.ts';

export type { Language };

const day = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (at: Date) => format.format(at);
};

/** With the separators of the pages, also in four-digit numbers: 1.234 or 1,234. */
const whole = (locale: string) => {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always' });
  return (value: number) => format.format(value);
};
const moment = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return (at: Date) => `${format.format(at)} UTC`;
};

/** Texts of cards. They are rendered on the server, so they are not in the message catalogue of the screens. */
const cardTexts = {
  es: {
    locale: 'es-ES',
    whole: whole('es-ES'),
    date: day('es-ES'),
    moment: moment('es-ES'),
    site: {
      kicker: 'Dos lanzamientos al mes',
      title: 'La feria de los lanzamientos justos',
      text: 'Vota cada día, sigue los próximos lanzamientos y crea tu token.',
    },
    winner: 'Ganador de la votación',
    badge: {
      winner: 'Ganador de la votación',
      upcoming: 'Próximo lanzamiento',
      launch: 'Lanzamiento',
      project: 'En Florka',
    },
    upcoming: 'Próximo lanzamiento',
    launch: 'Lanzamiento',
    project: 'Proyecto en Florka',
    candidate: (round: number | null) => (round === null ? 'Candidato en votación' : `Candidato · ronda ${round}`),
    launches: 'sale a la pista',
    launched: 'lanzado',
    proof: {
      chain: 'demostrado en la cadena',
      test: 'en una cadena de pruebas',
      team: 'lo dice el equipo',
      none: 'sin demostrar',
    },
    of: (total: string) => `de ${total} candidatos`,
    votes: (count: number) => (count === 1 ? 'voto' : 'votos'),
    today: 'hoy',
    votesCurve: (days: number) => `votos de los últimos ${days} días`,
    priceCurve: 'precio de los últimos 30 días',
    closes: (when: string) => `La ronda cierra el ${when}`,
    since: (date: string) => `En Florka desde el ${date}`,
    marketCap: 'Market Cap',
    holders: 'holders',
    progress: 'de progreso',
    ticket: {
      kicker: (round: number | null) => (round === null ? 'Ticket de un voto' : `Ticket de un voto · ronda ${round}`),
      number: 'voto n.º',
      rank: 'puesto',
      states: {
        counted: '',
        under_review: 'El voto está en revisión',
        void: 'El voto está anulado: no cuenta',
        withdrawn: 'El voto ya no está',
      },
    },
    news: 'Noticias',
    embed: {
      heading: (round: number | null) => (round === null ? 'Clasificación' : `Clasificación · ronda ${round}`),
      paused: 'La votación está en pausa.',
      empty: 'Todavía no hay candidatos.',
      link: 'Votar en Florka',
    },
  },
  en: {
    locale: 'en-US',
    whole: whole('en-US'),
    date: day('en-US'),
    moment: moment('en-US'),
    site: {
      kicker: 'Two launches a month',
      title: 'The fair of fair launches',
      text: 'Vote every day, follow the next launches and create your token.',
    },
    winner: 'Winner of the vote',
    badge: { winner: 'Winner of the vote', upcoming: 'Upcoming launch', launch: 'Launch', project: 'On Florka' },
    upcoming: 'Upcoming launch',
    launch: 'Launch',
    project: 'Project on Florka',
    candidate: (round: number | null) => (round === null ? 'Candidate in the vote' : `Candidate · round ${round}`),
    launches: 'launches',
    launched: 'launched',
    proof: { chain: 'proven on the chain', test: 'on a test chain', team: 'said by the team', none: 'not proven' },
    of: (total: string) => `of ${total} candidates`,
    votes: (count: number) => (count === 1 ? 'vote' : 'votes'),
    today: 'today',
    votesCurve: (days: number) => `votes of the last ${days} days`,
    priceCurve: 'price of the last 30 days',
    closes: (when: string) => `The round closes on ${when}`,
    since: (date: string) => `On Florka since ${date}`,
    marketCap: 'Market Cap',
    holders: 'holders',
    progress: 'progress',
    ticket: {
      kicker: (round: number | null) => (round === null ? 'Ticket of a vote' : `Ticket of a vote · round ${round}`),
      number: 'vote no.',
      rank: 'place',
      states: {
        counted: '',
        under_review: 'The vote is under review',
        void: 'The vote is void: it does not count',
        withdrawn: 'The vote is gone',
      },
    },
    news: 'News',
    embed: {
      heading: (round: number | null) => (round === null ? 'Ranking' : `Ranking · round ${round}`),
      paused: 'Voting is paused.',
      empty: 'There are no candidates yet.',
      link: 'Vote on Florka',
    },
  },
} as const;

/** The texts of a language, with the site's name. */
export const cardTextsOf = (language: Language, siteName: string) => withSiteName(cardTexts[language], siteName);
