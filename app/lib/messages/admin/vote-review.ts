import type { HoldKind } from '#contract/vote-signals.ts';
import { counted, defineMessages } from '../define-messages.ts';

type Facts = Record<string, string | number>;
/** A reason in words, from what the signal counted, or what staff wrote. */
type Reasons = Record<HoldKind, (facts: Facts) => string>;

const sizesEs: Record<string, string> = {
  ipv4: 'una dirección IPv4',
  ipv4_24: 'una red IPv4 /24',
  ipv6_64: 'una red IPv6 /64',
  ipv6_56: 'una red IPv6 /56',
  ipv6_48: 'una red IPv6 /48',
};
const sizesEn: Record<string, string> = {
  ipv4: 'one IPv4 address',
  ipv4_24: 'one IPv4 /24 network',
  ipv6_64: 'one IPv6 /64 network',
  ipv6_56: 'one IPv6 /56 network',
  ipv6_48: 'one IPv6 /48 network',
};

const reasonsEs: Reasons = {
  network_burst: ({ members = 0, size = '', days }) =>
    days === undefined
      ? `${members} cuentas nuevas de ${sizesEs[size] ?? 'una red'} votaron solo a este candidato en ráfagas de diez minutos.`
      : `${members} cuentas nuevas de ${sizesEs[size] ?? 'una red'} votaron solo a este candidato en ${days} días, y casi nadie más de ella votó.`,
  network_capacity: ({ members = 0, most = 0, size = '' }) =>
    `${members} cuentas votaron en un día desde ${sizesEs[size] ?? 'una red'}; se retienen los votos de las que pasan de ${most}.`,
  lockstep: ({ members = 0, days = 0 }) =>
    `${members} cuentas votan al mismo candidato en los mismos minutos, hasta ${days} días.`,
  fresh_accounts: ({ members = 0, seconds = 0 }) =>
    `${members} cuentas nuevas sin otra actividad que votar a este candidato, como mucho a dos más, tardaron casi lo mismo entre registro y primer voto (unos ${seconds} s).`,
  dormant_accounts: ({ members = 0 }) =>
    `${members} cuentas que nunca habían votado, creadas juntas horas o más antes de votar o despertadas a la vez tras mucho tiempo, votan ahora solo a este candidato.`,
  disposable_mail: ({ domain = '' }) => `Cuentas con correo desechable (${domain}).`,
  shared_mailbox: ({ members = 0, domain }) =>
    domain === undefined
      ? `${members} cuentas del mismo buzón, escrito de otra manera, votan al mismo candidato.`
      : `${members} cuentas nuevas del dominio ${domain}, o de los que están bajo él, votan solo a este candidato, y casi nadie más de ese dominio vota.`,
  impossible_pace: ({ votes = 0, members = 0, why = '' }) =>
    why === 'sign_up'
      ? `${members} cuentas votaron a este candidato a menos de 3 s de registrarse.`
      : `La cuenta dio ${votes} votos seguidos más rápido de lo que nadie hace clic.`,
  regular_pace: ({ members = 0 }) =>
    `${members} cuentas sin otra actividad votan a este candidato a intervalos casi iguales.`,
  by_hand: ({ reason = '' }) => `Retenidos a mano: ${reason}`,
};
const reasonsEn: Reasons = {
  network_burst: ({ members = 0, size = '', days }) =>
    days === undefined
      ? `${members} new accounts of ${sizesEn[size] ?? 'one network'} voted for this candidate only, in bursts of ten minutes.`
      : `${members} new accounts of ${sizesEn[size] ?? 'one network'} voted for this candidate only within ${days} days, and nearly nobody else of it voted.`,
  network_capacity: ({ members = 0, most = 0, size = '' }) =>
    `${members} accounts voted in one day from ${sizesEn[size] ?? 'one network'}; votes of those beyond ${most} are held.`,
  lockstep: ({ members = 0, days = 0 }) =>
    `${members} accounts vote for the same candidate in the same minutes, on up to ${days} days.`,
  fresh_accounts: ({ members = 0, seconds = 0 }) =>
    `${members} new accounts that do nothing but vote for this candidate, and two others at most, took nearly the same time from sign-up to first vote (about ${seconds} s).`,
  dormant_accounts: ({ members = 0 }) =>
    `${members} accounts that had never voted, made together hours or more before they voted or woken at once after a long time, now vote for this candidate only.`,
  disposable_mail: ({ domain = '' }) => `Accounts with disposable mail (${domain}).`,
  shared_mailbox: ({ members = 0, domain }) =>
    domain === undefined
      ? `${members} accounts of one mailbox, spelled differently, vote for one candidate.`
      : `${members} new accounts of the domain ${domain}, or of those below it, vote for this candidate only, and nearly nobody else of that domain votes.`,
  impossible_pace: ({ votes = 0, members = 0, why = '' }) =>
    why === 'sign_up'
      ? `${members} accounts voted for this candidate less than 3 s after they signed up.`
      : `The account cast ${votes} votes in a row faster than anybody clicks.`,
  regular_pace: ({ members = 0 }) =>
    `${members} accounts that do nothing else vote for this candidate at nearly equal intervals.`,
  by_hand: ({ reason = '' }) => `Held by hand: ${reason}`,
};

/** The review of votes in the back office. */
export const adminVoteReviewTexts = defineMessages({
  es: {
    voteReview: {
      heading: 'Revisión de votos',
      lead: 'Votos que una señal o el equipo retuvo: no cuentan hasta que alguien decida. A mano se retienen en la página de la persona o entre los votos de un grupo.',
      count: (count: string) => (count === '1' ? '1 grupo' : `${count} grupos`),
      search: 'Buscar por candidato',
      signal: 'Señal',
      allSignals: 'Todas las señales',
      signals: {
        network_burst: 'Ráfaga de una red',
        network_capacity: 'Red llena',
        lockstep: 'Al mismo paso',
        fresh_accounts: 'Cuentas nuevas iguales',
        dormant_accounts: 'Cuentas dormidas',
        disposable_mail: 'Correo desechable',
        shared_mailbox: 'Un mismo buzón o dominio',
        impossible_pace: 'Ritmo imposible',
        regular_pace: 'Intervalos iguales',
        by_hand: 'Retenidos a mano',
      } satisfies Record<HoldKind, string>,
      reasons: reasonsEs,
      state: 'Estado',
      states: { open: 'Por decidir', released: 'Liberados', void: 'Anulados' },
      underWay: {
        release: (done: string, votes: string) => `Liberando: ${done} de ${votes}`,
        void: (done: string, votes: string) => `Anulando: ${done} de ${votes}`,
        undo: (done: string, votes: string) => `Deshaciendo: ${done} de ${votes}`,
      },
      allStates: 'Todos los estados',
      candidate: 'Candidato',
      anyCandidate: 'Cualquier candidato',
      votes: 'Votos',
      waiting: (waiting: string, votes: string) => `${waiting} de ${votes} en revisión`,
      members: 'Cuentas',
      networks: 'Redes',
      age: 'Edad de las cuentas',
      ageOf: (hours: number) =>
        hours < 1 ? 'menos de 1 h' : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} días`,
      found: 'Encontrado',
      why: 'Motivo',
      look: 'Ver votos',
      lookOf: (name: string) => `Ver los votos: ${name}`,
      release: 'Liberar',
      releaseOf: (name: string) => `Liberar: ${name}`,
      releaseTitle: '¿Liberar estos votos?',
      releaseText: 'Vuelven a contar de inmediato, con su día y su hora.',
      releasing: 'Liberando...',
      void: 'Anular',
      voidOf: (name: string) => `Anular: ${name}`,
      voidTitle: '¿Anular estos votos?',
      voidText: 'No cuentan más. Se puede deshacer, y el motivo queda en la auditoría.',
      voiding: 'Anulando...',
      undo: 'Deshacer la decisión',
      undoOf: (name: string) => `Deshacer la decisión: ${name}`,
      decided: (by: string) => `Decidido por ${by}`,
      someone: 'alguien que ya no está',
      reason: (reason: string) => `Motivo: ${reason}`,
      loading: 'Cargando los grupos...',
      empty: 'No hay votos por revisar',
      emptyText: 'Las señales miran los votos nuevos unas tres veces por minuto; lo que retengan aparece aquí.',
      failed: 'No se pudieron cargar los grupos',
      detail: {
        loading: 'Cargando los votos...',
        failed: 'No se pudieron cargar los votos',
        caption: 'Votos del grupo',
        member: 'Cuenta',
        at: 'Votado',
        age: 'Edad de la cuenta',
        network: 'Red (huella)',
        unknown: 'Desconocida',
        state: 'Estado',
        states: { counted: 'Cuenta', under_review: 'En revisión', void: 'Anulado' },
        more: (shown: number, total: number) => `Se muestran ${shown} de ${total}; el archivo CSV tiene todos.`,
        csv: 'Exportar CSV',
        csvOf: 'Exportar CSV: votos del grupo',
        close: 'Cerrar',
      },
      bulk: {
        release: 'Liberar los votos',
        void: 'Anular los votos',
        question: (count: number) => counted(count, 'grupo elegido', 'grupos elegidos'),
        decided: 'Grupo decidido',
        undone: 'Grupo otra vez abierto',
      },
      toast: {
        released: (count: number) => counted(count, 'voto liberado', 'votos liberados'),
        voided: (count: number) => counted(count, 'voto anulado', 'votos anulados'),
        undone: (count: number) => counted(count, 'voto otra vez en revisión', 'votos otra vez en revisión'),
        stayVoid: (count: number) =>
          `${counted(count, 'voto de una cuenta bloqueada sigue anulado', 'votos de cuentas bloqueadas siguen anulados')} hasta que termine el bloqueo.`,
        begun: (votes: string) => `Decisión en marcha sobre ${counted(votes, 'voto', 'votos')}`,
        begunText: 'Se aplica por partes y sigue aunque cierres la página; la fila muestra cuánto lleva.',
        failed: 'No se pudo decidir',
        done: 'Ya hay una decisión sobre este grupo.',
      },
    },
  },
  en: {
    voteReview: {
      heading: 'Vote review',
      lead: 'Votes that a signal or the team held: they do not count until somebody decides. By hand they are held on the page of the person, or from the votes of a cluster.',
      count: (count: string) => (count === '1' ? '1 cluster' : `${count} clusters`),
      search: 'Search by candidate',
      signal: 'Signal',
      allSignals: 'All signals',
      signals: {
        network_burst: 'Burst from one network',
        network_capacity: 'Network over capacity',
        lockstep: 'Lockstep',
        fresh_accounts: 'New accounts alike',
        dormant_accounts: 'Dormant accounts',
        disposable_mail: 'Disposable mail',
        shared_mailbox: 'One mailbox or domain',
        impossible_pace: 'Impossible pace',
        regular_pace: 'Equal intervals',
        by_hand: 'Held by hand',
      },
      reasons: reasonsEn,
      state: 'State',
      states: { open: 'To decide', released: 'Released', void: 'Void' },
      underWay: {
        release: (done: string, votes: string) => `Releasing: ${done} of ${votes}`,
        void: (done: string, votes: string) => `Voiding: ${done} of ${votes}`,
        undo: (done: string, votes: string) => `Undoing: ${done} of ${votes}`,
      },
      allStates: 'All states',
      candidate: 'Candidate',
      anyCandidate: 'Any candidate',
      votes: 'Votes',
      waiting: (waiting: string, votes: string) => `${waiting} of ${votes} under review`,
      members: 'Accounts',
      networks: 'Networks',
      age: 'Age of the accounts',
      ageOf: (hours: number) =>
        hours < 1 ? 'under 1 h' : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`,
      found: 'Found',
      why: 'Reason',
      look: 'See votes',
      lookOf: (name: string) => `See the votes: ${name}`,
      release: 'Release',
      releaseOf: (name: string) => `Release: ${name}`,
      releaseTitle: 'Release these votes?',
      releaseText: 'They count again at once, with their day and hour.',
      releasing: 'Releasing...',
      void: 'Void',
      voidOf: (name: string) => `Void: ${name}`,
      voidTitle: 'Void these votes?',
      voidText: 'They no longer count. This can be undone, and the reason stays in the audit log.',
      voiding: 'Voiding...',
      undo: 'Undo the decision',
      undoOf: (name: string) => `Undo the decision: ${name}`,
      decided: (by: string) => `Decided by ${by}`,
      someone: 'somebody who left',
      reason: (reason: string) => `Reason: ${reason}`,
      loading: 'Loading the clusters...',
      empty: 'No votes to review',
      emptyText: 'The signals look at new votes some three times a minute; what they hold appears here.',
      failed: 'The clusters could not be loaded',
      detail: {
        loading: 'Loading the votes...',
        failed: 'The votes could not be loaded',
        caption: 'Votes of the cluster',
        member: 'Account',
        at: 'Voted',
        age: 'Age of the account',
        network: 'Network (hash)',
        unknown: 'Unknown',
        state: 'State',
        states: { counted: 'Counted', under_review: 'Under review', void: 'Void' },
        more: (shown: number, total: number) => `Showing ${shown} of ${total}; the CSV file has all.`,
        csv: 'Export CSV',
        csvOf: 'Export CSV: votes of the cluster',
        close: 'Close',
      },
      bulk: {
        release: 'Release the votes',
        void: 'Void the votes',
        question: (count: number) => counted(count, 'cluster chosen', 'clusters chosen'),
        decided: 'Cluster decided',
        undone: 'Cluster open again',
      },
      toast: {
        released: (count: number) => counted(count, 'vote released', 'votes released'),
        voided: (count: number) => counted(count, 'vote voided', 'votes voided'),
        undone: (count: number) => counted(count, 'vote under review again', 'votes under review again'),
        stayVoid: (count: number) =>
          `${counted(count, 'vote of a banned account stays void', 'votes of banned accounts stay void')} until the ban ends.`,
        begun: (votes: string) => `Decision about ${counted(votes, 'vote', 'votes')} under way`,
        begunText: 'It is carried out in pieces and goes on if you close the page; the row shows how far it is.',
        failed: 'Could not decide',
        done: 'There is a decision about this cluster already.',
      },
    },
  },
});
