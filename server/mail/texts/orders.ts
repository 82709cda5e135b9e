// Texts of mails to payers about their orders.
import { PLAN_NAMES } from '#contract/text/plan-names.ts';

const es = {
  order: {
    button: 'Ver mi pedido',
    simulation: 'SIMULACIÓN',
    simulationNote: 'Es una simulación: no se mueve dinero.',
    notArrived: (order: string, mailbox: string | null): string =>
      mailbox
        ? `Si no te ha llegado, escríbenos a ${mailbox} con el número de tu pedido, ${order}.`
        : `Si no te ha llegado: este sitio no tiene un correo de ayuda. Guarda el número de tu pedido, ${order}: con él se encuentra tu pago.`,
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
    over: (order: string, price: string, received: string) =>
      `Hemos recibido el pago de tu pedido ${order}: ${price}. Ha llegado más: ${received}, al cambio de cada ingreso; la diferencia consta en tu pedido. El recibo y los siguientes pasos están en su página privada.`,
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
    plan: PLAN_NAMES.es as Record<keyof typeof PLAN_NAMES.es, string>,
    replaced: (order: string, received: string | null, plan: string, price: string): string =>
      `Ha llegado dinero${received ? ` (${received})` : ''} al pago ${order}, el del plan ${plan} por ${price}. Habías cambiado de plan y otro pago ocupa su lugar, así que este no paga tu pedido por sí solo. El dinero no se ha perdido.`,
    nextReplaced:
      'Una persona del equipo decide si lo acepta, y entonces tu pedido sigue con el plan de este pago, o si lo devuelve. Hasta entonces no pagues nada más de este pedido. En su página privada ves en qué queda.',
    odd: (order: string, received: string | null): string =>
      `Ha llegado dinero${received ? ` (${received})` : ''} a tu pedido ${order}, pero no como esperábamos: por ejemplo en otra moneda, con otro importe o en varios pagos.`,
    nextOdd:
      'Una persona del equipo lo mira y decide si lo acepta o lo devuelve. Hasta entonces no envíes nada más. En la página privada de tu pedido ves en qué queda.',
  },
  orderReturned: {
    subject: (order: string) => `El proveedor de pagos ha devuelto dinero de tu pedido ${order}`,
    body: (order: string, all: boolean): string =>
      `El proveedor de pagos dice que ha devuelto por su cuenta ${all ? 'todo el dinero' : 'una parte del dinero'} del pago ${order}, a la dirección que él conoce. En la página privada de tu pedido ves en qué queda.`,
  },
  orderLink: {
    subject: (order: string) => `El nuevo enlace de tu pedido${order ? ` ${order}` : ''}`,
    body: 'El enlace privado de tu pedido ha cambiado. El de antes ya no vale. Quien tiene el nuevo puede ver y pagar el pedido, responder sobre los datos del token y cambiar el enlace: no lo compartas.',
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
};

const en: typeof es = {
  order: {
    button: 'See my order',
    simulation: 'SIMULATION',
    simulationNote: 'This is a simulation: no money moves.',
    notArrived: (order, mailbox) =>
      mailbox
        ? `If it did not reach you, write to us at ${mailbox} with the number of your order, ${order}.`
        : `If it did not reach you: this site has no help mailbox. Keep the number of your order, ${order}: your payment is found by it.`,
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
    over: (order, price, received) =>
      `We have received the payment of your order ${order}: ${price}. More arrived: ${received}, at the rate of each deposit; the difference is on record with your order. Its private page has the receipt and what happens next.`,
    accepted: (order, price, received, missing) =>
      `The team accepts the amount received for your order ${order} as full payment: ${received} of ${price}. You need not send the missing ${missing}. Its private page has the receipt and what happens next.`,
  },
  orderShort: {
    subject: (order) => `Part payment of your order ${order}`,
    body: (order, price, received, missing) =>
      `We have received a part of the payment of your order ${order}: ${received} of ${price}. ${missing} are missing; you can pay them from its private page. Your token is made when the rest arrives or the team accepts the amount received as full payment.`,
  },
  orderReview: {
    subject: (order) => `A person has to look at your payment ${order}`,
    plan: PLAN_NAMES.en,
    replaced: (order, received, plan, price) =>
      `Money arrived${received ? ` (${received})` : ''} at the payment ${order}, the one of the ${plan} plan for ${price}. You had changed the plan and another payment took its place, so this one does not pay for your order by itself. The money is not lost.`,
    nextReplaced:
      'A person of the team decides whether to accept it, and then your order goes on with the plan of this payment, or to give it back. Until then pay nothing else of this order. Its private page shows how it ends.',
    odd: (order, received) =>
      `Money arrived${received ? ` (${received})` : ''} for your order ${order}, but not as expected: for instance in another coin, another amount or several payments.`,
    nextOdd:
      'A person of the team looks at it and decides whether to accept it or to give it back. Until then send nothing else. The private page of your order shows how it ends.',
  },
  orderReturned: {
    subject: (order) => `The payment provider gave money of your order ${order} back`,
    body: (order, all) =>
      `The payment provider says that it gave ${all ? 'all' : 'a part'} of the money of the payment ${order} back by itself, to the address it knows. The private page of your order shows where it stands.`,
  },
  orderLink: {
    subject: (order) => `The new link of your order${order ? ` ${order}` : ''}`,
    body: 'The private link of your order was replaced. The former one works no more. Whoever has the new one can see and pay the order, answer about the data of the token and replace the link: do not share it.',
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
};

export const ordersTexts = { es, en };
