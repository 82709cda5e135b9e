import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { accountTexts } from './account-texts.ts';
import { notificationTexts, savedTokenTexts } from './notification-texts.ts';
import { PROPOSAL_EN, PROPOSAL_ES } from './proposal-texts.ts';
import { removalTexts } from './removal-texts.ts';
import { staffTexts } from './staff-texts.ts';

/** Formats US dollars with cents: 1.500,00 or 1,500.00. */
const cents = (locale: string) => {
  const format = new Intl.NumberFormat(locale, {
    useGrouping: 'always',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (usd: number): string => format.format(usd);
};

/** Formats an amount of a coin with all digits: 0,01 or 0.01. */
const amountIn = (locale: string) => {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 20 });
  // As a string: a number would lose digits.
  return (amount: string): string => format.format(amount as Intl.StringNumericLiteral);
};

/** Formats the UTC day of a moment: 3 de enero de 2027. */
const dayIn = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return (moment: string): string => format.format(new Date(moment));
};

/** Texts of mails, per language. */
const es = {
  ...staffTexts.es,
  ...removalTexts.es,
  usd: cents('es-ES'),
  amount: amountIn('es-ES'),
  coinOn: (symbol: string, network: string) => `${symbol} en la red ${network}`,
  greeting: 'Hola:',
  goodbye: 'El equipo de Florka',
  ignore: 'Si no has sido tú, puedes ignorar este mensaje: sin el enlace o el código no pasa nada.',
  button: 'Abrir',
  orPaste: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  test: { subject: 'Prueba de correo de Florka', body: 'Si lees esto, el correo de Florka funciona.' },
  verifyEmail: {
    subject: 'Confirma tu correo',
    body: 'Confirma que este correo es tuyo. El enlace vale durante 24 horas y sirve una sola vez.',
    button: 'Confirmar mi correo',
  },
  changeEmail: {
    subject: 'Confirma tu nuevo correo',
    body: 'Alguien con acceso a tu cuenta de Florka quiere usar este correo. El enlace vale durante 24 horas.',
    button: 'Usar este correo',
  },
  emailChanged: {
    subject: 'El correo de tu cuenta ha cambiado',
    body: (to: string) =>
      `El correo de tu cuenta de Florka es ahora ${to}. Con el de antes ya no se entra. Si no has sido tú, avisa al equipo del sitio.`,
  },
  resetPassword: {
    subject: 'Restablece tu contraseña',
    body: 'Elige una contraseña nueva. El enlace vale durante 15 minutos y sirve una sola vez.',
    button: 'Elegir contraseña',
  },
  accountCreated: {
    subject: 'Tienes una cuenta en Florka',
    body: 'Un administrador te ha creado una cuenta con este correo. Elige tu contraseña para entrar: el enlace vale durante 24 horas y sirve una sola vez. Después puedes pedir otro en la página de acceso.',
    button: 'Elegir contraseña',
  },
  passwordChanged: {
    subject: 'Tu contraseña ha cambiado',
    body: 'La contraseña de tu cuenta de Florka acaba de cambiar y las demás sesiones se han cerrado. Si no has sido tú, restablécela ahora.',
  },
  signInCode: {
    subject: (code: string) => `${code} es tu código de acceso`,
    body: (code: string) =>
      `Tu código de acceso a Florka es ${code}. Vale durante 10 minutos, una sola vez, y solo en el navegador en el que lo pediste.`,
  },
  secondFactorChanged: {
    subject: 'Cambio en la verificación en dos pasos',
    body: (on: boolean): string =>
      on
        ? 'La verificación en dos pasos de tu cuenta está activada.'
        : 'La verificación en dos pasos de tu cuenta se ha desactivado. Si no has sido tú, cambia tu contraseña.',
  },
  ...accountTexts.es,
  savedToken: savedTokenTexts.es,
  notification: notificationTexts.es,
  order: {
    button: 'Ver mi pedido',
    simulation: 'SIMULACIÓN',
    simulationNote: 'Es una simulación: no se mueve dinero.',
  },
  orderOpened: {
    subject: (order: string) => `Tu pedido ${order}`,
    body: (order: string, price: string) =>
      `Hemos preparado tu pedido ${order} por ${price}. En esta página privada ves en qué punto está y puedes pagarlo. No compartas el enlace.`,
  },
  orderPaid: {
    subject: (order: string) => `Recibo de tu pedido ${order}`,
    body: (order: string, price: string) =>
      `Hemos recibido el pago de tu pedido ${order}: ${price}. El recibo y los siguientes pasos están en su página privada.`,
    accepted: (order: string, price: string, received: string, missing: string) =>
      `El equipo da por bueno lo que ha llegado a tu pedido ${order}: ${received} de ${price}. No tienes que enviar los ${missing} que faltan. El recibo y los siguientes pasos están en su página privada.`,
  },
  orderShort: {
    subject: (order: string) => `Pago parcial de tu pedido ${order}`,
    body: (order: string, price: string, received: string, missing: string) =>
      `Hemos recibido una parte del pago de tu pedido ${order}: ${received} de ${price}. Faltan ${missing}; puedes completarlos desde su página privada. Tu token se crea cuando llegue el resto o el equipo dé por bueno lo recibido.`,
  },
  orderReview: {
    subject: (order: string) => `Una persona debe revisar tu pago ${order}`,
    plan: { entry: 'Entrada', basic: 'Básico', standard: 'Estándar', complete: 'Completo' },
    replaced: (order: string, received: string | null, plan: string, price: string): string =>
      `Ha llegado dinero${received ? ` (${received})` : ''} al pago ${order}, el del plan ${plan} por ${price}. Habías cambiado de plan y otro pago ocupa su lugar, así que este no paga tu pedido por sí solo. El dinero no se ha perdido.`,
    nextReplaced:
      'Una persona del equipo decide si lo acepta, y entonces tu pedido sigue con el plan de este pago, o si lo devuelve. Hasta entonces no pagues nada más de este pedido. En su página privada ves en qué queda.',
    odd: (order: string, received: string | null): string =>
      `Ha llegado dinero${received ? ` (${received})` : ''} a tu pedido ${order}, pero no como esperábamos: por ejemplo en otra moneda, con otro importe o en varios pagos.`,
    nextOdd:
      'Una persona del equipo lo mira y decide si lo acepta o lo devuelve. Hasta entonces no envíes nada más. En la página privada de tu pedido ves en qué queda.',
  },
  tokenCreated: {
    subject: (token: string) => `Tu token ${token} ya existe`,
    body: (token: string, order: string) =>
      `Hemos creado ${token}, el token de tu pedido ${order}, y todo su suministro está en tu wallet. Lo hemos leído de la red para comprobarlo.`,
    owner: (owner: string) => `Wallet que recibió el suministro: ${owner}`,
    address: (address: string) => `Dirección del token: ${address}`,
    explorer: (url: string) => `En el explorador de la red: ${url}`,
    test: 'Pagado en la simulación: existe solo en una red de prueba y no tiene valor.',
  },
  tokenProposal: PROPOSAL_ES,
  orderLink: {
    subject: (order: string) => `El nuevo enlace de tu pedido${order ? ` ${order}` : ''}`,
    body: 'El enlace privado de tu pedido ha cambiado. El de antes ya no vale. Quien tiene el nuevo ve el pedido: no lo compartas.',
  },
  requestClosed: {
    subject: {
      delivered: (order: string) => `Tu pedido ${order}: token entregado`,
      cancelled: (order: string) => `Tu pedido ${order} está cerrado`,
    },
    delivered: (order: string) =>
      `El equipo ha creado a mano el token de tu pedido ${order}. Comprueba su dirección en el explorador de la red.`,
    cancelled: (order: string) => `Hemos cerrado tu pedido ${order}: no se creará su token.`,
    note: 'Lo que dice el equipo:',
  },
  deliverables: {
    item: PLAN_ITEM_NAMES.es as Record<string, string>,
    day: dayIn('es-ES'),
    subject: {
      done: (order: string) => `Entregado: novedades de tu pedido ${order}`,
      late: (order: string) => `Vamos con retraso en tu pedido ${order}`,
      interrupted: (order: string) => `Un espacio contratado de tu pedido ${order} terminó antes de tiempo`,
      withdrawn: (order: string) => `Algo de tu pedido ${order} no se entregará`,
    },
    done: (order: string) => `De tu pedido ${order} está hecho:`,
    late: (order: string) => `De tu pedido ${order} ha pasado la fecha prometida y todavía no está hecho:`,
    interrupted: (order: string) =>
      `En tu pedido ${order} un espacio contratado terminó antes de tiempo. No cuenta como entregado y sigue pendiente:`,
    withdrawn: (order: string) => `De tu pedido ${order} hemos retirado:`,
    due: (name: string, day: string) => `${name}: prometido para el ${day}`,
    evidence: (what: string) => `La prueba: ${what}`,
    ran: (time: string) => `Estuvo en su sitio: ${time}`,
    withRefund: (number: string) =>
      `Con ello se abre la devolución ${number}. En la página de tu pedido dices adónde enviarla.`,
    withoutRefund: 'El equipo no abre una devolución por esto.',
    note: 'Lo que dice el equipo:',
  },
  refund: {
    subject: {
      opened: (number: string) => `Devolución ${number}: dinos adónde enviarla`,
      confirm: (number: string) => `Código para tu devolución ${number}`,
      sent: (number: string) => `Devolución ${number} enviada`,
      withdrawn: (number: string) => `Devolución ${number} retirada`,
      returned: (number: string) => `Devolución ${number} retirada: el proveedor de pagos ya devolvió dinero`,
    },
    opened: (amount: string, order: string) =>
      `Te devolvemos ${amount} de tu pedido ${order}. En su página privada escribe la dirección a la que va; después te enviamos un código para confirmarla.`,
    confirm: (amount: string, order: string, code: string, minutes: number) =>
      `Alguien con el enlace de tu pedido ${order} quiere que su devolución de ${amount} vaya a esta dirección. Si eres tú y es la tuya, escribe el código ${code} en la página de tu pedido. Vale durante ${minutes} minutos.`,
    sent: (amount: string, order: string): string => `Hemos devuelto ${amount} de tu pedido ${order}.`,
    withdrawn: (amount: string, order: string): string =>
      `Hemos retirado la devolución de ${amount} de tu pedido ${order}: no se enviará.`,
    returned: (amount: string, order: string): string =>
      `El proveedor de pagos dice que ha devuelto por su cuenta dinero de tu pedido ${order}, a la dirección que él conoce. Por eso no se envía otra vez: la devolución de ${amount} queda retirada. Si no te ha llegado, escríbenos.`,
    rest: {
      ready: (amount: string, number: string): string =>
        `Queda por devolver ${amount}: sigue como devolución ${number}, a la dirección que confirmaste.`,
      address: (amount: string, number: string): string =>
        `Queda por devolver ${amount}: sigue como devolución ${number}. En la página de tu pedido dices adónde enviarla.`,
    },
    address: (address: string) => `Dirección: ${address}`,
    transaction: (transaction: string) => `Transacción: ${transaction}`,
    byProvider: 'La ha enviado el proveedor de pagos a la dirección que él conoce.',
    notYou: 'Si no has sido tú, no escribas el código en ningún sitio y avísanos: sin él no se envía nada.',
    note: 'Lo que dice el equipo:',
  },
  submissionReceived: {
    subject: (reference: string) => `Tu solicitud ${reference}`,
    body: (reference: string) =>
      `Hemos recibido tu solicitud de publicación ${reference}. En esta página privada ves en qué punto está.`,
    button: 'Ver mi solicitud',
  },
  submissionDecided: {
    subject: {
      approved: (reference: string) => `Tu solicitud ${reference} está aprobada`,
      rejected: (reference: string) => `Tu solicitud ${reference} no se ha aprobado`,
    },
    approved: (reference: string) =>
      `Hemos aprobado tu solicitud de publicación ${reference}. Preparamos la ficha de tu proyecto y la publicamos en Florka.`,
    rejected: (reference: string) =>
      `Hemos revisado tu solicitud de publicación ${reference} y esta vez no la publicamos. Puedes corregirla y enviarla de nuevo.`,
    answer: 'Lo que dice el equipo:',
  },
};
export type MailTexts = typeof es;

const en: MailTexts = {
  ...staffTexts.en,
  ...removalTexts.en,
  usd: cents('en-US'),
  amount: amountIn('en-US'),
  coinOn: (symbol, network) => `${symbol} on the ${network} network`,
  greeting: 'Hello,',
  goodbye: 'The Florka team',
  ignore: 'If this was not you, ignore this message: without the link or the code nothing happens.',
  button: 'Open',
  orPaste: 'If the button does not work, copy this address into your browser:',
  test: { subject: 'Florka mail test', body: "If you read this, Florka's mail works." },
  verifyEmail: {
    subject: 'Confirm your e-mail',
    body: 'Confirm that this mailbox is yours. The link is valid for 24 hours and works once.',
    button: 'Confirm my e-mail',
  },
  changeEmail: {
    subject: 'Confirm your new e-mail',
    body: 'Somebody with access to your Florka account wants to use this mailbox. The link is valid for 24 hours.',
    button: 'Use this e-mail',
  },
  emailChanged: {
    subject: "Your account's e-mail has changed",
    body: (to) =>
      `The e-mail of your Florka account is now ${to}. The former one signs in no more. If this was not you, write to the site's team.`,
  },
  resetPassword: {
    subject: 'Reset your password',
    body: 'Choose a new password. The link is valid for 15 minutes and works once.',
    button: 'Choose a password',
  },
  accountCreated: {
    subject: 'You have an account at Florka',
    body: 'An administrator made an account for this mailbox. Choose your password to come in: the link is valid for 24 hours and works once. After that you can ask for another one on the sign-in page.',
    button: 'Choose a password',
  },
  passwordChanged: {
    subject: 'Your password has changed',
    body: 'The password of your Florka account has just changed and other sessions were closed. If this was not you, reset it now.',
  },
  signInCode: {
    subject: (code) => `${code} is your sign-in code`,
    body: (code) =>
      `Your Florka sign-in code is ${code}. It is valid for 10 minutes, once, and only in the browser in which you asked for it.`,
  },
  secondFactorChanged: {
    subject: 'Two-step verification changed',
    body: (on) =>
      on
        ? 'Two-step verification is now on for your account.'
        : 'Two-step verification was turned off for your account. If this was not you, change your password.',
  },
  ...accountTexts.en,
  savedToken: savedTokenTexts.en,
  notification: notificationTexts.en,
  order: {
    button: 'See my order',
    simulation: 'SIMULATION',
    simulationNote: 'This is a simulation: no money moves.',
  },
  orderOpened: {
    subject: (order) => `Your order ${order}`,
    body: (order, price) =>
      `Your order ${order} for ${price} is ready. Its private page shows where it stands and lets you pay. Do not share the link.`,
  },
  orderPaid: {
    subject: (order) => `Receipt of your order ${order}`,
    body: (order, price) =>
      `We have received the payment of your order ${order}: ${price}. Its private page has the receipt and what happens next.`,
    accepted: (order, price, received, missing) =>
      `The team takes what arrived for your order ${order} for enough: ${received} of ${price}. You need not send the missing ${missing}. Its private page has the receipt and what happens next.`,
  },
  orderShort: {
    subject: (order) => `Part payment of your order ${order}`,
    body: (order, price, received, missing) =>
      `We have received a part of the payment of your order ${order}: ${received} of ${price}. ${missing} are missing; you can pay them from its private page. Your token is made when the rest arrives or the team takes what arrived for enough.`,
  },
  orderReview: {
    subject: (order) => `A person has to look at your payment ${order}`,
    plan: { entry: 'Entry', basic: 'Basic', standard: 'Standard', complete: 'Complete' },
    replaced: (order, received, plan, price) =>
      `Money arrived${received ? ` (${received})` : ''} at the payment ${order}, the one of the ${plan} plan for ${price}. You had changed the plan and another payment took its place, so this one does not pay for your order by itself. The money is not lost.`,
    nextReplaced:
      'A person of the team decides whether to accept it, and then your order goes on with the plan of this payment, or to give it back. Until then pay nothing else of this order. Its private page shows how it ends.',
    odd: (order, received) =>
      `Money arrived${received ? ` (${received})` : ''} for your order ${order}, but not as expected: for instance in another coin, another amount or several payments.`,
    nextOdd:
      'A person of the team looks at it and decides whether to accept it or to give it back. Until then send nothing else. The private page of your order shows how it ends.',
  },
  tokenCreated: {
    subject: (token) => `Your token ${token} exists`,
    body: (token, order) =>
      `We made ${token}, the token of your order ${order}, and its whole supply is in your wallet. We read it back from the network to be sure.`,
    owner: (owner) => `Wallet that received the supply: ${owner}`,
    address: (address) => `Address of the token: ${address}`,
    explorer: (url) => `In the network’s explorer: ${url}`,
    test: 'Paid in the simulation: it exists on a test network only and is worth nothing.',
  },
  tokenProposal: PROPOSAL_EN,
  orderLink: {
    subject: (order) => `The new link of your order${order ? ` ${order}` : ''}`,
    body: 'The private link of your order was replaced. The former one works no more. Whoever has the new one sees the order: do not share it.',
  },
  requestClosed: {
    subject: {
      delivered: (order) => `Your order ${order}: token delivered`,
      cancelled: (order) => `Your order ${order} is closed`,
    },
    delivered: (order) =>
      `The team created the token of your order ${order} by hand. Check its address in the network’s explorer.`,
    cancelled: (order) => `We closed your order ${order}: its token will not be created.`,
    note: 'What the team says:',
  },
  deliverables: {
    item: PLAN_ITEM_NAMES.en,
    day: dayIn('en-GB'),
    subject: {
      done: (order) => `Delivered: news of your order ${order}`,
      late: (order) => `We are late with your order ${order}`,
      interrupted: (order) => `A paid placement of your order ${order} ended before its time`,
      withdrawn: (order) => `Something of your order ${order} will not be delivered`,
    },
    done: (order) => `Of your order ${order} this is done:`,
    late: (order) => `Of your order ${order} the promised date has passed, and this is not done yet:`,
    interrupted: (order) =>
      `In your order ${order} a paid placement ended before its time. It does not count as delivered, and is still due:`,
    withdrawn: (order) => `Of your order ${order} we have withdrawn:`,
    due: (name, day) => `${name}: promised for ${day}`,
    evidence: (what) => `The evidence: ${what}`,
    ran: (time) => `It was in its place: ${time}`,
    withRefund: (number) => `With it refund ${number} is opened. On the page of your order you say where it goes.`,
    withoutRefund: 'The team opens no refund for this.',
    note: 'What the team says:',
  },
  refund: {
    subject: {
      opened: (number) => `Refund ${number}: say where it goes`,
      confirm: (number) => `Code for your refund ${number}`,
      sent: (number) => `Refund ${number} sent`,
      withdrawn: (number) => `Refund ${number} withdrawn`,
      returned: (number) => `Refund ${number} withdrawn: the payment provider gave money back already`,
    },
    opened: (amount, order) =>
      `We give back ${amount} of your order ${order}. On its private page, write the address it goes to; then we send you a code to confirm it.`,
    confirm: (amount, order, code, minutes) =>
      `Somebody with the link of your order ${order} wants its refund of ${amount} to go to this address. If that is you and it is yours, type the code ${code} on the page of your order. It is good for ${minutes} minutes.`,
    sent: (amount, order) => `We gave back ${amount} of your order ${order}.`,
    withdrawn: (amount, order) => `We withdrew the refund of ${amount} of your order ${order}: it will not be sent.`,
    returned: (amount, order) =>
      `The payment provider says that it gave money of your order ${order} back by itself, to the address it knows. So it is not sent again: the refund of ${amount} is withdrawn. If it did not reach you, write to us.`,
    rest: {
      ready: (amount, number) =>
        `${amount} is still to go back: as refund ${number}, to the address that you confirmed.`,
      address: (amount, number) =>
        `${amount} is still to go back: as refund ${number}. On the page of your order you say where it goes.`,
    },
    address: (address) => `Address: ${address}`,
    transaction: (transaction) => `Transaction: ${transaction}`,
    byProvider: 'The payment provider sent it to the address it knows.',
    notYou: 'If it was not you, type the code nowhere and write to us: without it nothing is sent.',
    note: 'What the team says:',
  },
  submissionReceived: {
    subject: (reference) => `Your request ${reference}`,
    body: (reference) =>
      `We have received your publication request ${reference}. Its private page shows where it stands.`,
    button: 'See my request',
  },
  submissionDecided: {
    subject: {
      approved: (reference) => `Your request ${reference} is approved`,
      rejected: (reference) => `Your request ${reference} was not approved`,
    },
    approved: (reference) =>
      `We have approved your publication request ${reference}. We are preparing your project's page and will publish it on Florka.`,
    rejected: (reference) =>
      `We have reviewed your publication request ${reference} and will not publish it this time. You can correct it and send it again.`,
    answer: 'What the team says:',
  },
};

export const mailTexts = { es, en };
