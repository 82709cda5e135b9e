// Sentences of notifications, shared by screens, pushes and the bot's messages. Mails have their own (server/mail).

/** Arguments of a notification's sentence. */
export interface NotificationEvent {
  kind: string;
  detail: string;
  actor: string | null;
  /** Of the post, token or request; null for a post that is hidden or deleted, empty for one whose author the reader blocks. */
  title: string | null;
  count: number;
}

/** The event as a Spanish sentence without full stop. */
export const sentenceInSpanish = ({ kind, detail, actor, title, count }: NotificationEvent): string => {
  const who = actor ?? 'Alguien';
  const note = title === null ? 'una nota que ya no está' : title === '' ? 'una nota' : `«${title}»`;
  const ownNote = title === null ? 'una nota tuya que ya no está' : `tu nota «${title}»`;
  const about = title ?? '';
  const sentences: Record<string, string> = {
    'replies.comment': `${who} ha comentado ${ownNote}`,
    'replies.quote': `${who} ha respondido a tu comentario en ${note}`,
    'mentions.post': `${who} te menciona en ${note}`,
    'mentions.comment': `${who} te menciona en un comentario de ${note}`,
    'reactions.post':
      count === 1 ? `${who} ha reaccionado a ${note}` : `${who} y ${count - 1} más han reaccionado a ${note}`,
    'decisions.submission_approved': `Tu solicitud ${about} está aprobada`,
    'decisions.submission_rejected': `Tu solicitud ${about} no se ha aprobado`,
    'decisions.moderator_approved': 'Tu solicitud para moderar está aprobada',
    'decisions.moderator_rejected': 'Tu solicitud para moderar no se ha aprobado',
    'decisions.text_removed': `El equipo ha retirado un texto tuyo en «${about}»: mira por qué, y recurre si no lo ves justo`,
    'decisions.text_declined': `El equipo no ha publicado un texto tuyo en «${about}»: mira por qué, y recurre si no lo ves justo`,
    'decisions.text_released': `Un texto tuyo en «${about}» está publicado`,
    'decisions.appeal_upheld': `Tu recurso por «${about}»: la decisión se mantiene`,
    'decisions.appeal_reversed': `Tu recurso por «${about}»: te damos la razón`,
    'decisions.proof_ends': `Una prueba de que ${about} es tuyo termina pronto: renuévala`,
    'decisions.proof_ended': `Una prueba de que ${about} es tuyo ha terminado: mira por qué`,
    'orders.paid': `Pago recibido de tu pedido ${about}`,
    'orders.short': `Falta una parte del pago de tu pedido ${about}`,
    'orders.review': `Una persona revisa el pago de tu pedido ${about}`,
    'orders.created': `El token de tu pedido ${about} ya existe`,
    'orders.delivered': `El token de tu pedido ${about} está entregado`,
    'orders.cancelled': `Tu pedido ${about} está cerrado`,
    'orders.proposal': `Tu pedido ${about}: confirma los datos de tu token`,
    'orders.item_done': `Hemos entregado algo de tu pedido ${about}: mira qué`,
    'orders.item_late': `Vamos con retraso en tu pedido ${about}: mira en qué`,
    'orders.item_interrupted': `Un espacio contratado de tu pedido ${about} terminó antes de tiempo`,
    'orders.item_withdrawn': `Algo de tu pedido ${about} no se entregará: mira por qué`,
    'orders.refund_opened': `Te devolvemos dinero de tu pedido ${about}: dinos adónde enviarlo`,
    'orders.refund_sent': `Hemos enviado la devolución de tu pedido ${about}`,
    'orders.refund_withdrawn': `Hemos retirado una devolución de tu pedido ${about}: mira por qué`,
    'orders.refund_returned': `El proveedor de pagos ya ha devuelto dinero de tu pedido ${about}`,
    'orders.returned': `El proveedor de pagos ha devuelto dinero de tu pedido ${about}: mira en qué queda`,
    'follows.promoted': `${about} ha ganado la votación y pasa a los próximos lanzamientos`,
    'follows.dateSet': `${about} ya tiene fecha de lanzamiento`,
    'follows.dateWithdrawn': `${about} ya no tiene fecha de lanzamiento`,
    'follows.dateChanged': `La fecha de lanzamiento de ${about} ha cambiado`,
    'follows.launched': `Ha llegado la hora anunciada del lanzamiento de ${about}`,
    'follows.launchedByTeam': `El equipo dice que ${about} ya se ha lanzado`,
    'follows.proven': `El lanzamiento de ${about} está demostrado en la cadena`,
    'follows.provenTest': `El token de ${about} está en una cadena de pruebas`,
    'follows.unverified': `${about} ya no lleva la marca de verificado: comprueba sus datos`,
    'rounds.won': `La ronda ${count} ha terminado: gana ${about}`,
    'rounds.ended': `La ronda ${count} ha terminado sin ganador`,
    'rounds.vote_held': `Tu voto por ${about} está en revisión y por ahora no cuenta`,
    'rounds.vote_void': `Tu voto por ${about} está anulado: no cuenta`,
    'rounds.vote_counted': `Tu voto por ${about} vuelve a contar`,
    'security.password': 'La contraseña de tu cuenta ha cambiado',
    'security.password_gone': 'Tu cuenta ya no tiene contraseña: puedes elegir otra',
    'security.email': 'El correo de tu cuenta ha cambiado',
    'security.second_factor_on': 'La verificación en dos pasos está activada',
    'security.second_factor_off': 'La verificación en dos pasos se ha desactivado',
    'security.passkey_on': 'Se ha añadido una llave de acceso a tu cuenta',
    'security.passkey_off': 'Se ha quitado una llave de acceso de tu cuenta',
    'security.wallet_on': 'Una wallet puede entrar ahora en tu cuenta',
    'security.wallet_off': 'Se ha quitado una wallet de tu cuenta',
    'security.telegram_on': 'Un chat de Telegram recibe ahora tus avisos',
    'security.telegram_off': 'Tus avisos ya no llegan a Telegram',
    'security.signed_in': 'Se ha entrado en tu cuenta desde un navegador nuevo',
    'security.viewed': 'El equipo ha mirado lo que ves en tus páginas, sin poder actuar por ti',
    'staff.overdue':
      count === 1 ? 'Un asunto de la bandeja ha pasado su plazo' : `${count} asuntos de la bandeja han pasado su plazo`,
  };
  return sentences[`${kind}.${detail}`] ?? about;
};

/** The event as an English sentence without full stop. */
export const sentenceInEnglish = ({ kind, detail, actor, title, count }: NotificationEvent): string => {
  const who = actor ?? 'Somebody';
  const note = title === null ? 'a note that is not here any more' : title === '' ? 'a note' : `“${title}”`;
  const ownNote = title === null ? 'a note of yours that is not here any more' : `your note “${title}”`;
  const about = title ?? '';
  const sentences: Record<string, string> = {
    'replies.comment': `${who} commented on ${ownNote}`,
    'replies.quote': `${who} answered your comment on ${note}`,
    'mentions.post': `${who} mentions you in ${note}`,
    'mentions.comment': `${who} mentions you in a comment on ${note}`,
    'reactions.post': count === 1 ? `${who} reacted to ${note}` : `${who} and ${count - 1} more reacted to ${note}`,
    'decisions.submission_approved': `Your request ${about} is approved`,
    'decisions.submission_rejected': `Your request ${about} was not approved`,
    'decisions.moderator_approved': 'Your request to moderate is approved',
    'decisions.moderator_rejected': 'Your request to moderate was not approved',
    'decisions.text_removed': `The team removed a text of yours in “${about}”: see why, and appeal if you find it unfair`,
    'decisions.text_declined': `The team did not publish a text of yours in “${about}”: see why, and appeal if you find it unfair`,
    'decisions.text_released': `A text of yours in “${about}” is published`,
    'decisions.appeal_upheld': `Your appeal about “${about}”: the decision stands`,
    'decisions.appeal_reversed': `Your appeal about “${about}”: we agree with you`,
    'decisions.proof_ends': `A proof that ${about} is yours ends soon: renew it`,
    'decisions.proof_ended': `A proof that ${about} is yours has ended: see why`,
    'orders.paid': `Payment received for your order ${about}`,
    'orders.short': `A part of the payment for your order ${about} is missing`,
    'orders.review': `A person is looking at the payment for your order ${about}`,
    'orders.created': `The token of your order ${about} exists`,
    'orders.delivered': `The token of your order ${about} is delivered`,
    'orders.cancelled': `Your order ${about} is closed`,
    'orders.proposal': `Your order ${about}: confirm the data of your token`,
    'orders.item_done': `We delivered something of your order ${about}: see what`,
    'orders.item_late': `We are late with your order ${about}: see with what`,
    'orders.item_interrupted': `A paid placement of your order ${about} ended before its time`,
    'orders.item_withdrawn': `Something of your order ${about} will not be delivered: see why`,
    'orders.refund_opened': `We give money of your order ${about} back: say where it goes`,
    'orders.refund_sent': `We sent the refund of your order ${about}`,
    'orders.refund_withdrawn': `We withdrew a refund of your order ${about}: see why`,
    'orders.refund_returned': `The payment provider gave money of your order ${about} back already`,
    'orders.returned': `The payment provider gave money of your order ${about} back: see where it stands`,
    'follows.promoted': `${about} won the vote and moves on to the upcoming launches`,
    'follows.dateSet': `${about} has a launch date now`,
    'follows.dateWithdrawn': `${about} has no launch date any more`,
    'follows.dateChanged': `The launch date of ${about} has changed`,
    'follows.launched': `The announced hour of the launch of ${about} has come`,
    'follows.launchedByTeam': `The team says that ${about} has launched`,
    'follows.proven': `The launch of ${about} is proven on the chain`,
    'follows.provenTest': `The token of ${about} is on a test chain`,
    'follows.unverified': `${about} does not wear the mark of a verified creator any more: check its details`,
    'rounds.won': `Round ${count} is over: ${about} wins`,
    'rounds.ended': `Round ${count} is over without a winner`,
    'rounds.vote_held': `Your vote for ${about} is under review and does not count for now`,
    'rounds.vote_void': `Your vote for ${about} is void: it does not count`,
    'rounds.vote_counted': `Your vote for ${about} counts again`,
    'security.password': "Your account's password has changed",
    'security.password_gone': 'Your account has no password any more: you can choose another one',
    'security.email': "Your account's e-mail has changed",
    'security.second_factor_on': 'Two-step verification is on',
    'security.second_factor_off': 'Two-step verification was turned off',
    'security.passkey_on': 'A passkey was added to your account',
    'security.passkey_off': 'A passkey was removed from your account',
    'security.wallet_on': 'A wallet can sign in to your account now',
    'security.wallet_off': 'A wallet was removed from your account',
    'security.telegram_on': 'A Telegram chat gets your notifications now',
    'security.telegram_off': 'Your notifications do not go to Telegram any more',
    'security.signed_in': 'Your account was signed in to from a new browser',
    'security.viewed': 'The team looked at what you see on your pages, and could not act for you',
    'staff.overdue':
      count === 1 ? 'An item of the inbox is past its deadline' : `${count} items of the inbox are past their deadline`,
  };
  return sentences[`${kind}.${detail}`] ?? about;
};
