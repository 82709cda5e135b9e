import { defineMessages } from './define-messages.ts';

/** Money of an order: what arrived, is missing, went back; other payments, and the receipt. A part of the texts of an order (orders.ts). */
export const orderMoneyTexts = defineMessages({
  es: {
    back: { label: 'Dinero de este pago', received: 'Pagado', returned: 'Devuelto', remaining: 'Queda' },
    rest: {
      heading: 'Para completar el pago',
      amount: 'Envía exactamente',
      address: 'a la misma dirección',
      note: 'En la misma moneda y red que la primera vez.',
      missing: (missing: string) => `Faltan ${missing}.`,
      noAmount:
        'Aquí no podemos darte un importe exacto en una moneda. Si otro pago tuyo está en camino, espera a que llegue. La página de pago puede pedirte otra vez el precio entero: envía solo lo que falta. Si el resto llega como otro pago, una persona del equipo lo revisa.',
      copyAmount: 'Copiar el importe',
      copyAddress: 'Copiar la dirección',
    },
    others: {
      label: 'Otro pago de este pedido',
      price: (plan: string, price: string) => `Plan ${plan} · ${price}`,
      replaced: {
        title: 'Ha llegado dinero a tu pago anterior',
        text: 'Cambiaste de plan y otro pago ocupó el lugar de este, así que no paga tu pedido por sí solo. El dinero no se ha perdido.',
        next: [
          'Una persona del equipo lo mira y decide si lo acepta o lo devuelve.',
          'Si lo acepta, tu pedido sigue con el plan de este pago.',
          'Hasta entonces no pagues nada más de este pedido. Aquí ves en qué queda.',
        ],
      },
      underWay: {
        title: 'Tu pago anterior está en camino',
        text: 'Cambiaste de plan y otro pago ocupó el lugar de este. Cuando la red lo confirme, una persona del equipo decide si lo acepta o lo devuelve. Hasta entonces no pagues nada más de este pedido.',
      },
      earlier: {
        title: 'Otro pago tuyo está en camino',
        text: 'Cuando la red lo confirme, cuenta para este pedido y lo ves aquí. Hasta entonces no pagues nada más de este pedido.',
      },
      odd: {
        title: 'Otro pago está en revisión',
        text: 'Ha llegado dinero, pero no como esperábamos. Una persona del equipo decide si lo acepta o lo devuelve. Hasta entonces no envíes nada más.',
      },
      twice: {
        title: 'También se ha pagado otra vez',
        text: 'Ha llegado dinero a dos pagos del mismo pedido. El equipo lo tiene señalado y decide qué te devuelve. Guarda los dos números.',
      },
      refunded: { title: 'El dinero de otro pago se ha devuelto', text: 'Según el proveedor de pagos.' },
      sentBack: {
        title: 'Otro pago está reembolsado por el equipo',
        text: 'El equipo dice que ha devuelto todo lo que llegó: la transacción está entre las devoluciones de esta página. Ese pago ya no cuenta para tu pedido.',
      },
      ended: { title: 'Otro pago no salió adelante', text: 'El proveedor lo da por fallido o vencido.' },
    },
    deposits: {
      heading: 'Pagos que han llegado',
      none: 'Todavía no ha llegado ninguno.',
      of: (amount: string) => `de ${amount}`,
      odd: 'Lo revisa el equipo',
      unknownTime: 'sin hora',
      status: {
        waiting: 'Esperando',
        confirming: 'Confirmando',
        confirmed: 'Confirmado',
        sending: 'Casi listo',
        partially_paid: 'Parcial',
        finished: 'Completo',
        failed: 'Fallido',
        refunded: 'Devuelto',
        expired: 'Vencido',
        unknown: 'En revisión',
      },
    },
    receipt: {
      headings: { full: 'Recibo', part: 'Recibo de un pago parcial', accepted: 'Recibo de un pago aceptado' },
      notes: {
        part: 'El pedido no está pagado del todo. El token se crea cuando llegue el resto o el equipo dé por bueno lo recibido.',
        ended: 'El pedido no está pagado del todo. No envíes el resto.',
        accepted: 'El equipo da por bueno lo que ha llegado.',
      },
      waived: 'Falta, y no hace falta enviarlo',
      date: 'Fecha',
      token: 'Token',
      received: 'Recibido',
      missing: 'Falta',
      paidWith: 'Pagado con',
      reference: 'Referencia del proveedor',
      print: 'Imprimir',
      issuer: 'Florka · La feria de los lanzamientos justos',
    },
  },
  en: {
    back: { label: 'Money of this payment', received: 'Paid', returned: 'Given back', remaining: 'Left' },
    rest: {
      heading: 'To complete the payment',
      amount: 'Send exactly',
      address: 'to the same address',
      note: 'In the same coin and network as the first time.',
      missing: (missing) => `${missing} are missing.`,
      noAmount:
        'We cannot name an exact amount in one coin here. If another payment of yours is on its way, wait until it arrives. The payment page may ask for the whole price again: send only what is missing. If the rest comes as another payment, a person of the team reviews it.',
      copyAmount: 'Copy the amount',
      copyAddress: 'Copy the address',
    },
    others: {
      label: 'Another payment of this order',
      price: (plan, price) => `${plan} plan · ${price}`,
      replaced: {
        title: 'Money arrived at your earlier payment',
        text: 'You changed the plan and another payment took the place of this one, so it does not pay for your order by itself. The money is not lost.',
        next: [
          'A person of the team looks at it and decides whether to accept it or to give it back.',
          'If it is accepted, your order goes on with the plan of this payment.',
          'Until then pay nothing else of this order. Here you see how it ends.',
        ],
      },
      underWay: {
        title: 'Your earlier payment is on its way',
        text: 'You changed the plan and another payment took the place of this one. When the network has confirmed it, a person of the team decides whether to accept it or to give it back. Until then pay nothing else of this order.',
      },
      earlier: {
        title: 'Another payment of yours is on its way',
        text: 'Once the network has confirmed it, it counts for this order and you see it here. Until then pay nothing else of this order.',
      },
      odd: {
        title: 'Another payment is under review',
        text: 'Money arrived, but not as expected. A person of the team decides whether to accept it or to give it back. Until then send nothing else.',
      },
      twice: {
        title: 'It was paid another time as well',
        text: 'Money arrived at two payments of the same order. The team has it marked and decides what to give back. Keep both numbers.',
      },
      refunded: { title: 'The money of another payment was given back', text: 'According to the payment provider.' },
      sentBack: {
        title: 'The team refunded another payment',
        text: 'The team states that it gave back everything that arrived: the transaction is among the refunds of this page. That payment no longer counts for your order.',
      },
      ended: { title: 'Another payment did not go through', text: 'The provider calls it failed or expired.' },
    },
    deposits: {
      heading: 'Payments that arrived',
      none: 'None has arrived yet.',
      of: (amount) => `of ${amount}`,
      odd: 'The team looks at it',
      unknownTime: 'no time',
      status: {
        waiting: 'Waiting',
        confirming: 'Confirming',
        confirmed: 'Confirmed',
        sending: 'Nearly done',
        partially_paid: 'Partial',
        finished: 'Complete',
        failed: 'Failed',
        refunded: 'Given back',
        expired: 'Expired',
        unknown: 'In review',
      },
    },
    receipt: {
      headings: { full: 'Receipt', part: 'Receipt of a part payment', accepted: 'Receipt of an accepted payment' },
      notes: {
        part: 'The order is not paid in full. The token is made when the rest arrives or the team accepts the amount received as full payment.',
        ended: 'The order is not paid in full. Do not send the rest.',
        accepted: 'The team accepts the amount received as full payment.',
      },
      waived: 'Missing, and not to be sent',
      date: 'Date',
      token: 'Token',
      received: 'Received',
      missing: 'Missing',
      paidWith: 'Paid with',
      reference: "Provider's reference",
      print: 'Print',
      issuer: 'Florka · The fair of fair launches',
    },
  },
});
