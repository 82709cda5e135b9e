import type { NotificationDetail } from '#contract/domains/notifications.ts';

/** Kind of news about a saved token. */
export type SavedTokenNews = NotificationDetail<'follows'>;

/** One notification as it appears in a mail; paths are on the site. */
export interface NotificationLine {
  kind: string;
  detail: string;
  /** Name of the person who caused it; null for a deleted account. */
  actor: string | null;
  /** Title of the post, token or request; empty for a post whose author the reader blocks. */
  title: string | null;
  /** Number of people; for rounds the number of the round. */
  count: number;
  path: string;
}

const es = {
  sentence: (line: NotificationLine): string => {
    const who = line.actor ?? 'Alguien';
    const about = line.title ?? '';
    const note = about ? `«${about}»` : 'una nota';
    switch (line.kind) {
      case 'replies':
        return line.detail === 'quote'
          ? `${who} ha respondido a tu comentario en ${note}.`
          : `${who} ha comentado tu nota «${about}».`;
      case 'mentions':
        return `${who} te menciona en ${note}.`;
      case 'reactions':
        return line.count === 1
          ? `${who} ha reaccionado a tu nota «${about}».`
          : `${line.count} personas han reaccionado a tu nota «${about}».`;
      case 'follows':
        return savedEs[line.detail as SavedTokenNews](about);
      default:
        if (line.detail === 'vote_held') return `Tu voto por ${about} está en revisión y por ahora no cuenta.`;
        if (line.detail === 'vote_void') return `Tu voto por ${about} está anulado: no cuenta.`;
        if (line.detail === 'vote_counted') return `Tu voto por ${about} vuelve a contar.`;
        return about
          ? `La ronda ${line.count} ha terminado: gana ${about}.`
          : `La ronda ${line.count} ha terminado sin ganador.`;
    }
  },
  button: 'Abrir',
  all: 'Ver mis avisos',
  digest: (count: number): string => (count === 1 ? 'Un aviso de Florka' : `${count} avisos de Florka`),
  digestBody: 'Esto es lo que ha pasado y todavía no has leído.',
  more: (count: number): string => (count === 1 ? 'Y un aviso más.' : `Y ${count} avisos más.`),
  stopKind: 'No quiero más correos de este tipo:',
  stopAll: 'No quiero más correos con avisos:',
};

const en: typeof es = {
  sentence: (line) => {
    const who = line.actor ?? 'Somebody';
    const about = line.title ?? '';
    const note = about ? `“${about}”` : 'a note';
    switch (line.kind) {
      case 'replies':
        return line.detail === 'quote'
          ? `${who} answered your comment on ${note}.`
          : `${who} commented on your note “${about}”.`;
      case 'mentions':
        return `${who} mentions you in ${note}.`;
      case 'reactions':
        return line.count === 1
          ? `${who} reacted to your note “${about}”.`
          : `${line.count} people reacted to your note “${about}”.`;
      case 'follows':
        return savedEn[line.detail as SavedTokenNews](about);
      default:
        if (line.detail === 'vote_held') return `Your vote for ${about} is under review and does not count for now.`;
        if (line.detail === 'vote_void') return `Your vote for ${about} is void: it does not count.`;
        if (line.detail === 'vote_counted') return `Your vote for ${about} counts again.`;
        return about ? `Round ${line.count} is over: ${about} wins.` : `Round ${line.count} is over without a winner.`;
    }
  },
  button: 'Open',
  all: 'See my notifications',
  digest: (count) => (count === 1 ? 'A notification from Florka' : `${count} notifications from Florka`),
  digestBody: 'This happened, and you have not read it yet.',
  more: (count) => (count === 1 ? 'And one more.' : `And ${count} more.`),
  stopKind: 'No more mails of this kind:',
  stopAll: 'No more mails with notifications:',
};

/** Texts of mails about notifications, per language. */
export const notificationTexts = { es, en };

const savedEs = {
  subject: (name: string) => `Novedades de ${name}`,
  promoted: (name: string) => `${name} ha ganado la votación y pasa a los próximos lanzamientos.`,
  dateSet: (name: string) => `${name} ya tiene fecha de lanzamiento. Está en su página.`,
  dateWithdrawn: (name: string) => `${name} ya no tiene fecha de lanzamiento.`,
  dateChanged: (name: string) => `La fecha de lanzamiento de ${name} ha cambiado.`,
  launched: (name: string) => `Ha llegado la hora anunciada del lanzamiento de ${name}.`,
  launchedByTeam: (name: string) =>
    `El equipo dice que ${name} ya se ha lanzado, antes de la hora anunciada o sin ella.`,
  proven: (name: string) =>
    `El lanzamiento de ${name} está demostrado: su token está en la cadena. La transacción y el bloque están en su página.`,
  provenTest: (name: string) =>
    `El token de ${name} está en una cadena de pruebas: no tiene valor. La transacción y el bloque están en su página.`,
  unverified: (name: string) =>
    `${name} ya no lleva la marca de verificado. Comprueba su nombre, su símbolo, sus enlaces y su contrato antes de fiarte.`,
  button: 'Ver el token',
  unsubscribe: 'No quiero más avisos de este token:',
};

const savedEn: typeof savedEs = {
  subject: (name) => `News of ${name}`,
  promoted: (name) => `${name} won the vote and moves on to the upcoming launches.`,
  dateSet: (name) => `${name} has a launch date now. It is on its page.`,
  dateWithdrawn: (name) => `${name} has no launch date any more.`,
  dateChanged: (name) => `The launch date of ${name} has changed.`,
  launched: (name) => `The announced hour of the launch of ${name} has come.`,
  launchedByTeam: (name) => `The team says that ${name} has launched, before the announced hour or without one.`,
  proven: (name) =>
    `The launch of ${name} is proven: its token is on the chain. Transaction and block are on its page.`,
  provenTest: (name) =>
    `The token of ${name} is on a test chain: it has no value. Transaction and block are on its page.`,
  unverified: (name) =>
    `${name} does not wear the mark of a verified creator any more. Check its name, symbol, links and contract before you trust it.`,
  button: 'See the token',
  unsubscribe: 'No more notices about this token:',
};

/** Texts of mails about a saved token, per language. */
export const savedTokenTexts = { es: savedEs, en: savedEn };
