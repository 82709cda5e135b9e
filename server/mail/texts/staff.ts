// Texts of mails to the staff: their accounts, overdue work, the weekly report.
import { cachedFormat, decimals, type Locale } from '#contract/text/figures.ts';
import { JOB_NAMES } from '#contract/text/job-names.ts';

/** The days of a week as readers write them: 16–22 nov 2026. @param from @param to ISO 8601 dates. */
const daysOf = (from: string, to: string, locale: Locale): string =>
  cachedFormat(Intl.DateTimeFormat, locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
    new Date(from),
    new Date(to),
  );

/** A figure of a week with that of the week before in brackets. */
const figures = (now: number, before: number, locale: Locale): string =>
  `${decimals(now, locale, 0, 2)} (${decimals(before, locale, 0, 2)})`;

/** Names of networks, the same in both languages. */
const NETWORK_NAMES = { solana: 'Solana', ethereum: 'Ethereum', binance: 'Binance Smart Chain', polygon: 'Polygon' };

/** Titles in words of the items whose title is a code. */
interface NamedItems {
  job: Readonly<Record<string, string>>;
  chain: Readonly<Record<string, string>>;
}
const namedItems = (locale: Locale): NamedItems => ({ job: JOB_NAMES[locale], chain: NETWORK_NAMES });

const es = {
  staffEmailAsked: {
    subject: 'Se ha pedido otro correo para tu cuenta del equipo',
    body: (to: string): string =>
      `Alguien del equipo ha pedido que tu cuenta use ${to}. Mientras tu cuenta sea del equipo, solo cambia si lo confirmas aquí con tu sesión abierta, o si un segundo propietario pide lo mismo. El enlace vale durante 72 horas y sirve una sola vez. Si no lo esperabas, avisa a otro administrador.`,
    button: 'Confirmar el cambio',
  },
  staffAct: {
    subject: (target: string) => `Cambio en la cuenta del equipo ${target}`,
    body: (actor: string, action: string, target: string, to: 'both' | 'owners'): string =>
      `${actor} ha hecho esto en la cuenta ${target}: ${action}. Este aviso va a ${to === 'both' ? 'las dos cuentas' : 'todos los propietarios'}. Si no lo esperabas, avisa a otro administrador.`,
    actions: {
      updated: 'cambiar sus datos, o pedir otro correo',
      confirmed: 'confirmar la cuenta',
      banned: 'cerrar la cuenta',
      unbanned: 'abrir la cuenta de nuevo',
      sessions: 'cerrar sus sesiones',
      password: 'enviar un enlace para otra contraseña',
      removed: 'eliminar la cuenta',
      role: 'cambiar su rol',
      owner: 'hacerla propietaria',
    },
  },
  staffOverdue: {
    subject: (items: number): string =>
      items === 1 ? 'Una tarea espera demasiado' : `${items} tareas esperan demasiado`,
    body: 'Esto de la bandeja espera más de lo previsto:',
    /** @param title empty for an item without one, as a cluster of votes that is not limited to one candidate. */
    line: (source: string, title: string, hours: number): string =>
      `${title ? `${source}: ${title}` : source} (${hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} días`})`,
    more: (items: number): string => `Y ${items} más.`,
    button: 'Abrir la bandeja',
    titles: namedItems('es'),
    sources: {
      payment: 'Pago por mirar',
      unplaced: 'Dinero sin pedido',
      request: 'Pedido pagado sin token',
      creation: 'Creación detenida',
      chain: 'Red',
      submission: 'Solicitud de publicación',
      moderator: 'Solicitud de moderador',
      report: 'Denuncia',
      appeal: 'Apelación de una retirada',
      review: 'Texto que espera una revisión',
      vote_cluster: 'Votos en revisión',
      job: 'Tarea fallida',
      deliverable: 'Promesa vencida',
      refund: 'Devolución por enviar',
      settlement: 'Diferencia con el proveedor',
      reading: 'Token distinto de como se creó',
      source: 'Código fuente sin verificar',
    },
  },
  staffRefundHalted: {
    subject: (number: string): string => `No envíes la devolución ${number}: el proveedor ya devolvió dinero`,
    body: (number: string, amount: string): string =>
      `Reservaste la devolución ${number} (${amount}) para pagarla, y mientras tanto el proveedor de pagos ha devuelto dinero de ese pago por su cuenta.`,
    lines: [
      'Si aún no la has enviado, no la envíes: ábrela y di que no la has pagado. Lo que quede por devolver sigue en otra devolución.',
      'Si ya la habías enviado, anota su transacción: el dinero ha salido dos veces, y solo quien lo recibió puede devolverlo.',
    ],
    button: 'Abrir la devolución',
  },
  weeklyReport: {
    subject: (from: string, to: string): string => `La semana en Florka: ${daysOf(from, to, 'es')}`,
    body: 'Estas son las cifras de la semana, de lunes a domingo en UTC, y entre paréntesis las de la anterior.',
    line: (name: string, now: number, before: number): string => `${name}: ${figures(now, before, 'es')}`,
    figures: {
      views: 'Páginas vistas',
      arrivals: 'De ellas, desde fuera del sitio',
      signUps: 'Registros',
      votes: 'Votos',
      posts: 'Publicaciones del foro',
      orders: 'Pedidos pagados',
      revenueUsd: 'Ingresos menos devoluciones (USD)',
    },
    overdue: (promises: number): string => `Promesas vencidas ahora: ${promises}`,
    button: 'Abrir las estadísticas',
  },
};

const en: typeof es = {
  staffEmailAsked: {
    subject: 'Another e-mail was asked for your staff account',
    body: (to) =>
      `Somebody of the staff asked that your account use ${to}. While your account is one of the staff, it changes only if you confirm it here while signed in, or if a second owner asks for the same. The link is valid for 72 hours and works once. If you did not expect this, warn another admin.`,
    button: 'Confirm the change',
  },
  staffAct: {
    subject: (target) => `Change of the staff account ${target}`,
    body: (actor, action, target, to) =>
      `${actor} did this to the account ${target}: ${action}. This notice goes to ${to === 'both' ? 'both accounts' : 'all owners'}. If you did not expect it, warn another admin.`,
    actions: {
      updated: 'change its data, or ask for another e-mail',
      confirmed: 'confirm the account',
      banned: 'close the account',
      unbanned: 'open the account again',
      sessions: 'end its sessions',
      password: 'send a link to choose another password',
      removed: 'delete the account',
      role: 'change its role',
      owner: 'make it an owner',
    },
  },
  staffOverdue: {
    subject: (items) => (items === 1 ? 'One task waits too long' : `${items} tasks wait too long`),
    body: 'This of the inbox waits longer than planned:',
    line: (source, title, hours) =>
      `${title ? `${source}: ${title}` : source} (${hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`})`,
    more: (items) => `And ${items} more.`,
    button: 'Open the inbox',
    titles: namedItems('en'),
    sources: {
      payment: 'Payment to look at',
      unplaced: 'Money without an order',
      request: 'Paid order without a token',
      creation: 'Creation stopped',
      chain: 'Network',
      submission: 'Publication request',
      moderator: 'Moderator request',
      report: 'Report',
      appeal: 'Appeal against a removal',
      review: 'Text that waits for a review',
      vote_cluster: 'Votes under review',
      job: 'Failed job',
      deliverable: 'Promise overdue',
      refund: 'Refund to send',
      settlement: 'Difference with the provider',
      reading: 'Token not as it was made',
      source: 'Source code not verified',
    },
  },
  staffRefundHalted: {
    subject: (number) => `Do not send refund ${number}: the provider gave money back already`,
    body: (number, amount) =>
      `You claimed refund ${number} (${amount}) to pay it, and meanwhile the payment provider gave money of that payment back by itself.`,
    lines: [
      'If you have not sent it yet, do not send it: open it and say that you did not pay it. What is still to go back continues in another refund.',
      'If you had sent it already, note its transaction: the money went out twice, and only whoever got it can give it back.',
    ],
    button: 'Open the refund',
  },
  weeklyReport: {
    subject: (from, to) => `The week on Florka: ${daysOf(from, to, 'en')}`,
    body: 'These are the figures of the week, Monday to Sunday in UTC, and in brackets those of the week before.',
    line: (name, now, before) => `${name}: ${figures(now, before, 'en')}`,
    figures: {
      views: 'Pages shown',
      arrivals: 'Of them, from outside the site',
      signUps: 'Sign-ups',
      votes: 'Votes',
      posts: 'Forum posts',
      orders: 'Orders paid',
      revenueUsd: 'Income minus refunds (USD)',
    },
    overdue: (promises) => `Promises overdue now: ${promises}`,
    button: 'Open the statistics',
  },
};

export const staffTexts = { es, en };
