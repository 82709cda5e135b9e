import { defineMessages } from './define-messages.ts';

/** What a sentence about a notification is made of. */
interface Told {
  kind: string;
  detail: string;
  actor: string | null;
  title: string | null;
  count: number;
}

const sayInSpanish = ({ kind, detail, actor, title, count }: Told): string => {
  const who = actor ?? 'Alguien';
  const note = title === null ? 'una nota que ya no está' : `«${title}»`;
  const about = title ?? '';
  const said: Record<string, string> = {
    'replies.comment': `${who} ha comentado tu nota ${note}`,
    'mentions.post': `${who} te menciona en ${note}`,
    'mentions.comment': `${who} te menciona en un comentario de ${note}`,
    'reactions.post':
      count === 1 ? `${who} ha reaccionado a ${note}` : `${who} y ${count - 1} más han reaccionado a ${note}`,
    'decisions.submission_approved': `Tu solicitud ${about} está aprobada`,
    'decisions.submission_rejected': `Tu solicitud ${about} no se ha aprobado`,
    'decisions.moderator_approved': 'Tu solicitud para moderar está aprobada',
    'decisions.moderator_rejected': 'Tu solicitud para moderar no se ha aprobado',
    'orders.paid': `Pago recibido de tu pedido ${about}`,
    'orders.short': `Falta una parte del pago de tu pedido ${about}`,
    'orders.review': `Una persona revisa el pago de tu pedido ${about}`,
    'orders.created': `El token de tu pedido ${about} ya existe`,
    'orders.delivered': `El token de tu pedido ${about} está entregado`,
    'orders.cancelled': `Tu pedido ${about} está cerrado`,
    'follows.promoted': `${about} ha ganado la votación y pasa a los próximos lanzamientos`,
    'follows.dateChanged': `La fecha de lanzamiento de ${about} ha cambiado`,
    'follows.launched': `Ha llegado la hora anunciada del lanzamiento de ${about}`,
    'rounds.won': `La ronda ${count} ha terminado: gana ${about}`,
    'rounds.ended': `La ronda ${count} ha terminado sin ganador`,
    'rounds.vote_held': `Tu voto por ${about} está en revisión y por ahora no cuenta`,
    'rounds.vote_void': `Tu voto por ${about} está anulado: no cuenta`,
    'rounds.vote_counted': `Tu voto por ${about} vuelve a contar`,
    'security.password': 'La contraseña de tu cuenta ha cambiado',
    'security.email': 'El correo de tu cuenta ha cambiado',
    'security.second_factor_on': 'La verificación en dos pasos está activada',
    'security.second_factor_off': 'La verificación en dos pasos se ha desactivado',
    'security.viewed': 'El equipo ha mirado lo que ves en tus páginas, sin poder actuar por ti',
  };
  return said[`${kind}.${detail}`] ?? about;
};

const sayInEnglish = ({ kind, detail, actor, title, count }: Told): string => {
  const who = actor ?? 'Somebody';
  const note = title === null ? 'a note that is not here any more' : `“${title}”`;
  const about = title ?? '';
  const said: Record<string, string> = {
    'replies.comment': `${who} commented on your note ${note}`,
    'mentions.post': `${who} mentions you in ${note}`,
    'mentions.comment': `${who} mentions you in a comment on ${note}`,
    'reactions.post': count === 1 ? `${who} reacted to ${note}` : `${who} and ${count - 1} more reacted to ${note}`,
    'decisions.submission_approved': `Your request ${about} is approved`,
    'decisions.submission_rejected': `Your request ${about} was not approved`,
    'decisions.moderator_approved': 'Your request to moderate is approved',
    'decisions.moderator_rejected': 'Your request to moderate was not approved',
    'orders.paid': `Payment received for your order ${about}`,
    'orders.short': `A part of the payment for your order ${about} is missing`,
    'orders.review': `A person is looking at the payment for your order ${about}`,
    'orders.created': `The token of your order ${about} exists`,
    'orders.delivered': `The token of your order ${about} is delivered`,
    'orders.cancelled': `Your order ${about} is closed`,
    'follows.promoted': `${about} won the vote and moves on to the upcoming launches`,
    'follows.dateChanged': `The launch date of ${about} has changed`,
    'follows.launched': `The announced hour of the launch of ${about} has come`,
    'rounds.won': `Round ${count} is over: ${about} wins`,
    'rounds.ended': `Round ${count} is over without a winner`,
    'rounds.vote_held': `Your vote for ${about} is under review and does not count for now`,
    'rounds.vote_void': `Your vote for ${about} is void: it does not count`,
    'rounds.vote_counted': `Your vote for ${about} counts again`,
    'security.password': "Your account's password has changed",
    'security.email': "Your account's e-mail has changed",
    'security.second_factor_on': 'Two-step verification is on',
    'security.second_factor_off': 'Two-step verification was turned off',
    'security.viewed': 'The team looked at what you see on your pages, and could not act for you',
  };
  return said[`${kind}.${detail}`] ?? about;
};

export const notificationTexts = defineMessages({
  es: {
    notifications: {
      say: sayInSpanish,
      title: 'Avisos · Florka',
      heading: 'Avisos',
      lead: 'Lo que te concierne: respuestas, decisiones, pedidos y lanzamientos que sigues.',
      bell: (unread: string) => (unread === '0' ? 'Avisos' : `Avisos: ${unread} sin leer`),
      list: 'Tus avisos',
      unread: 'Sin leer',
      markAll: 'Marcar todo como leído',
      more: 'Ver más avisos',
      loading: 'Cargando avisos...',
      error: 'No se pudieron cargar tus avisos',
      retry: 'Reintentar',
      empty: 'Ningún aviso todavía',
      emptyText: 'Cuando alguien te responda, tu pedido avance o se lance lo que sigues, lo verás aquí.',
      emptyAction: 'Ver los tokens',
      visitor: 'Entra para ver tus avisos',
      visitorText: 'Los avisos son de cada miembro.',
      signIn: 'Entrar',
      settings: 'Cómo te llegan',
      settingsText:
        'Los pedidos, las decisiones y la seguridad tienen además su propio correo, que no se puede apagar.',
      kinds: {
        replies: 'Respuestas',
        mentions: 'Menciones',
        reactions: 'Reacciones',
        decisions: 'Decisiones sobre tus solicitudes',
        orders: 'Tus pedidos',
        follows: 'Tokens que sigues',
        rounds: 'Rondas y tus votos',
        security: 'Seguridad',
      },
      channels: { inApp: 'En la lista', mail: 'Correo', push: 'Navegador' },
      channelOf: (channel: string, kind: string) => `${channel}: ${kind}`,
      mails: { off: 'No', now: 'En un minuto', daily: 'Una vez al día' },
      ownMail: 'Correo propio',
      followMail: 'El correo se elige además en cada token guardado.',
      unverified: 'Los correos llegan cuando confirmas tu dirección en tu cuenta.',
      saved: 'Guardado',
      saveFailed: 'No se pudo guardar',
      pushHeading: 'Este navegador',
      pushText: 'Te avisa aunque no tengas Florka abierta, mientras dure tu sesión en este navegador.',
      pushOn: 'Avisarme en este navegador',
      pushOff: 'Dejar de avisarme aquí',
      pushDenied: 'El navegador tiene bloqueados los avisos de este sitio: permítelos en su configuración.',
      pushUnsupported: 'Este navegador no puede mostrar avisos.',
      pushFailed: 'El navegador no pudo activar los avisos',
      quietHeading: 'Horas de silencio',
      quietText: (zone: string) =>
        `Ni correos ni avisos del navegador entre estas horas de ${zone}; llegan después. El correo diario sale a las nueve.`,
      quietOn: 'Guardar silencio',
      quietFrom: 'Desde',
      quietTo: 'Hasta',
      quietSame: 'Elige dos horas distintas.',
      quietFormat: 'hh:mm, de 00:00 a 23:59',
      quietNoTime: 'Escribe una hora, por ejemplo 23:00.',
      save: 'Guardar',
    },
  },
  en: {
    notifications: {
      say: sayInEnglish,
      title: 'Notifications · Florka',
      heading: 'Notifications',
      lead: 'What concerns you: replies, decisions, orders and launches that you follow.',
      bell: (unread) => (unread === '0' ? 'Notifications' : `Notifications: ${unread} unread`),
      list: 'Your notifications',
      unread: 'Unread',
      markAll: 'Mark all as read',
      more: 'See more notifications',
      loading: 'Loading notifications...',
      error: 'Your notifications could not be loaded',
      retry: 'Try again',
      empty: 'No notification yet',
      emptyText: 'When somebody answers you, your order moves on or what you follow launches, you will see it here.',
      emptyAction: 'See the tokens',
      visitor: 'Sign in to see your notifications',
      visitorText: 'Notifications belong to each member.',
      signIn: 'Sign in',
      settings: 'How they reach you',
      settingsText: 'Orders, decisions and security have a mail of their own as well, which cannot be turned off.',
      kinds: {
        replies: 'Replies',
        mentions: 'Mentions',
        reactions: 'Reactions',
        decisions: 'Decisions on your requests',
        orders: 'Your orders',
        follows: 'Tokens that you follow',
        rounds: 'Rounds and your votes',
        security: 'Security',
      },
      channels: { inApp: 'In the list', mail: 'Mail', push: 'Browser' },
      channelOf: (channel, kind) => `${channel}: ${kind}`,
      mails: { off: 'No', now: 'Within a minute', daily: 'Once a day' },
      ownMail: 'A mail of its own',
      followMail: 'Mails are chosen at each saved token as well.',
      unverified: 'Mails arrive once you confirm your address in your account.',
      saved: 'Saved',
      saveFailed: 'Could not be saved',
      pushHeading: 'This browser',
      pushText: 'Notifies you while Florka is not open, for as long as your session in this browser lasts.',
      pushOn: 'Notify me in this browser',
      pushOff: 'Stop notifying me here',
      pushDenied: 'The browser blocks notifications of this site: allow them in its settings.',
      pushUnsupported: 'This browser cannot show notifications.',
      pushFailed: 'The browser could not turn notifications on',
      quietHeading: 'Quiet hours',
      quietText: (zone) =>
        `Neither mails nor browser notifications between these hours of ${zone}; they come afterwards. The daily mail goes at nine.`,
      quietOn: 'Keep quiet hours',
      quietFrom: 'From',
      quietTo: 'To',
      quietSame: 'Choose two different hours.',
      quietFormat: 'hh:mm, from 00:00 to 23:59',
      quietNoTime: 'Write a time, for example 23:00.',
      save: 'Save',
    },
  },
});
