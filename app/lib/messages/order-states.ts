import { PAYMENT_WATCH_DAYS } from '#contract/limits.ts';
import { defineMessages } from './define-messages.ts';

/** What each state of an order is called, and what it says and offers. A part of the texts of an order (orders.ts). */
export const orderStateTexts = defineMessages({
  es: {
    badge: {
      draft: 'Borrador',
      awaiting_payment: 'Pendiente de pago',
      confirming: 'Confirmando',
      partially_paid: 'Pago parcial',
      paid: 'Pagado',
      in_review: 'En revisión',
      expired: 'Vencido',
      failed: 'Fallido',
      refunded: 'Reembolsado',
      creating: 'Creando',
      created: 'Entregado',
      closed: 'Cerrado',
    },
    state: {
      draft: {
        title: 'Aún no hay un pago',
        text: 'Termina el formulario y elige cómo pagar. Lo que has escrito está guardado.',
        action: 'Seguir con el formulario',
      },
      awaiting: {
        title: 'Esperando tu pago',
        text: 'Abre la página de pago, elige tu criptomoneda y envía el importe. Aparecerá aquí cuando lo comunique el proveedor de pagos.',
        action: 'Ir a pagar',
      },
      on_hold: {
        title: 'Espera antes de pagar',
        text: 'Hay dinero en otro pago de este pedido: arriba ves qué pasa con él. No envíes nada más hasta saberlo.',
        action: 'Abrir la página de pago',
      },
      confirming: {
        title: 'Confirmando en la red',
        text: 'Hemos visto tu pago y la red lo está confirmando. Suele tardar unos minutos. No envíes nada más.',
        action: '',
      },
      partially_paid: {
        title: 'Pago parcial: falta una parte',
        text: 'Hemos recibido una parte. En cuanto llegue el resto, seguimos con tu token.',
        action: 'Pagar el resto',
      },
      paid: {
        title: 'Pago recibido',
        text: 'Está todo pagado. Nuestro equipo prepara tu token. Si lo crea el programa, antes te pide aquí que confirmes sus datos: sin eso no se crea.',
        action: 'Imprimir el recibo',
      },
      overpaid: {
        title: 'Pagado de más',
        text: 'Ha llegado más de lo que costaba. Tu pedido sigue adelante. La diferencia consta en tu pedido, donde el equipo puede verla; si te la devuelve, lo lees aquí.',
        action: 'Imprimir el recibo',
      },
      paid_late: {
        title: 'Pagado fuera de plazo',
        text: 'El pago llegó tarde, pero llegó. Nuestro equipo lo revisa: si el precio ha cambiado desde entonces, decide si lo acepta o lo devuelve.',
        action: 'Imprimir el recibo',
      },
      accepted: {
        title: 'Pago aceptado',
        text: 'Nuestro equipo da por bueno lo que ha llegado. No tienes que enviar nada más.',
        action: 'Imprimir el recibo',
      },
      expired: {
        title: 'El plazo para pagar ha terminado',
        text: `Si ya enviaste el dinero, no lo envíes otra vez: lo seguimos buscando hasta ${PAYMENT_WATCH_DAYS} días después del plazo y aparecerá aquí cuando lo comunique el proveedor de pagos. Si no lo enviaste, empieza de nuevo.`,
        action: 'Empezar de nuevo',
      },
      failed: {
        title: 'El pago ha fallado',
        text: 'La red o el proveedor no lo completaron. Si enviaste dinero, espera a ver aquí qué pasó con él antes de pagar otra vez. Si no enviaste nada, o muy poco, empieza de nuevo.',
        action: 'Empezar de nuevo',
      },
      refunded: {
        title: 'Reembolsado',
        text: 'El dinero de este pedido se ha devuelto. Si todavía quieres tu token, puedes empezar de nuevo.',
        action: 'Empezar de nuevo',
      },
      going_back: {
        title: 'Te devolvemos dinero de este pago',
        text: 'Faltaba una parte del pago y el equipo te devuelve dinero: arriba ves qué pasa con él. No envíes el resto. Si todavía quieres tu token, empieza una solicitud nueva.',
        action: 'Escribir a soporte',
      },
      all_going_back: {
        title: 'Te devolvemos el pago',
        text: 'El equipo te devuelve todo lo que llegó: arriba ves qué pasa con ello. No envíes más dinero a este pedido. Si todavía quieres tu token, empieza una solicitud nueva.',
        action: 'Escribir a soporte',
      },
      sent_back: {
        title: 'Reembolsado por el equipo',
        text: 'El equipo dice que ha devuelto todo lo que llegó: arriba tienes la transacción. No envíes más dinero a este pedido. Si todavía quieres tu token, empieza una solicitud nueva.',
        action: 'Empezar otra solicitud',
      },
      under_review: {
        title: 'En revisión',
        text: 'Ha llegado dinero, pero no como esperábamos: otra moneda, otro importe o varios pagos. Una persona lo está mirando. No envíes nada más.',
        action: 'Escribir a soporte',
      },
      creating: {
        title: 'Creando tu token',
        text: 'El equipo ha encargado tu token, y un programa lo crea en la red. Si algo lo detiene, lo ve el equipo. Te avisamos cuando esté.',
        action: '',
      },
      created: {
        title: 'Tu token está creado',
        text: 'Aquí lo tienes. ¡Que empiece la feria!',
        action: 'Verlo en el explorador',
      },
      delivered: {
        title: 'Entregado a mano',
        text: 'El equipo dice que ha creado tu token en esta dirección. Compruébala en el explorador de la red.',
        action: '',
      },
      cancelled: {
        title: 'Pedido cerrado',
        text: 'No se creará el token de este pedido.',
        action: '',
      },
    },
    timeline: {
      heading: 'En qué punto está',
      ordered: 'Pedido hecho',
      paid: 'Pago',
      creating: 'Creando tu token',
      delivered: 'Entregado',
      done: 'hecho',
      now: 'ahora',
      later: 'después',
      stopped: 'parado',
    },
  },
  en: {
    badge: {
      draft: 'Draft',
      awaiting_payment: 'Awaiting payment',
      confirming: 'Confirming',
      partially_paid: 'Partly paid',
      paid: 'Paid',
      in_review: 'Under review',
      expired: 'Expired',
      failed: 'Failed',
      refunded: 'Refunded',
      creating: 'Being created',
      created: 'Delivered',
      closed: 'Closed',
    },
    state: {
      draft: {
        title: 'There is no payment yet',
        text: 'Finish the form and choose how to pay. What you have written is saved.',
        action: 'Go on with the form',
      },
      awaiting: {
        title: 'Waiting for your payment',
        text: 'Open the payment page, choose your cryptocurrency and send the amount. It shows here when the payment provider reports it.',
        action: 'Go and pay',
      },
      on_hold: {
        title: 'Wait before you pay',
        text: 'There is money at another payment of this order: above you see what happens with it. Send nothing else until you know.',
        action: 'Open the payment page',
      },
      confirming: {
        title: 'Confirming on the network',
        text: 'We have seen your payment and the network is confirming it, usually within minutes. Do not send anything else.',
        action: '',
      },
      partially_paid: {
        title: 'Partly paid: something is missing',
        text: 'A part has arrived. As soon as the rest comes, we go on with your token.',
        action: 'Pay the rest',
      },
      paid: {
        title: 'Payment received',
        text: 'All is paid. Our team prepares your token. If the program creates it, you are asked here first to confirm its data: without that it is not created.',
        action: 'Print the receipt',
      },
      overpaid: {
        title: 'Paid too much',
        text: 'More arrived than it cost. Your order goes on. The difference is on record with your order, where the team can see it; if it gives it back, you read so here.',
        action: 'Print the receipt',
      },
      paid_late: {
        title: 'Paid late',
        text: 'The payment came late, but it came. Our team looks at it: if the price has changed since, it decides whether to accept it or to give it back.',
        action: 'Print the receipt',
      },
      accepted: {
        title: 'Payment accepted',
        text: 'Our team accepts the amount received as full payment. You need not send anything else.',
        action: 'Print the receipt',
      },
      expired: {
        title: 'The time to pay is over',
        text: `If you have sent the money, do not send it again: we keep looking until ${PAYMENT_WATCH_DAYS} days after that time, and it shows here when the payment provider reports it. If you have not, start again.`,
        action: 'Start again',
      },
      failed: {
        title: 'The payment failed',
        text: 'The network or the provider did not complete it. If you sent money, wait to see here what happened to it before you pay again. If you sent nothing, or very little, start again.',
        action: 'Start again',
      },
      refunded: {
        title: 'Refunded',
        text: 'The money of this order was given back. If you still want your token, you can start again.',
        action: 'Start again',
      },
      going_back: {
        title: 'Money of this payment goes back to you',
        text: 'A part of the payment was missing, and the team gives money back: above you see what happens to it. Do not send the rest. If you still want your token, start a new request.',
        action: 'Write to support',
      },
      all_going_back: {
        title: 'Your payment goes back to you',
        text: 'The team gives back all that arrived: above you see what happens to it. Send no more money to this order. If you still want your token, start a new request.',
        action: 'Write to support',
      },
      sent_back: {
        title: 'Given back by the team',
        text: 'The team says that it sent back all that arrived: the transaction is above. Send no more money to this order. If you still want your token, begin a new request.',
        action: 'Begin another request',
      },
      under_review: {
        title: 'Under review',
        text: 'Money arrived, but not as expected: another coin, another amount or several payments. A person is looking at it. Do not send anything else.',
        action: 'Write to support',
      },
      creating: {
        title: 'Creating your token',
        text: 'The team ordered your token, and a program creates it on the network. If something stops it, the team sees that. We tell you when it is there.',
        action: '',
      },
      created: {
        title: 'Your token is created',
        text: 'Here it is. Let the fair begin!',
        action: 'See it in the explorer',
      },
      delivered: {
        title: 'Delivered by hand',
        text: 'The team says that it created your token at this address. Check it in the network’s explorer.',
        action: '',
      },
      cancelled: {
        title: 'Order closed',
        text: 'The token of this order will not be created.',
        action: '',
      },
    },
    timeline: {
      heading: 'Where it stands',
      ordered: 'Order made',
      paid: 'Payment',
      creating: 'Creating your token',
      delivered: 'Delivered',
      done: 'done',
      now: 'now',
      later: 'later',
      stopped: 'stopped',
    },
  },
});
