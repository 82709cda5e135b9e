// Texts of mails about refunds.

const es = {
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
      `El proveedor de pagos dice que ha devuelto por su cuenta dinero de tu pedido ${order}, a la dirección que él conoce. Por eso no se envía otra vez: la devolución de ${amount} queda retirada.`,
    rest: {
      ready: (amount: string, number: string): string =>
        `Queda por devolver ${amount}: sigue como devolución ${number}, a la dirección que confirmaste.`,
      address: (amount: string, number: string): string =>
        `Queda por devolver ${amount}: sigue como devolución ${number}. En la página de tu pedido dices adónde enviarla.`,
    },
    address: (address: string) => `Dirección: ${address}`,
    transaction: (transaction: string) => `Transacción: ${transaction}`,
    byProvider: 'La ha enviado el proveedor de pagos a la dirección que él conoce.',
    notYou: (mailbox: string | null): string =>
      `Si no has sido tú, no escribas el código en ningún sitio: sin él no se envía nada. Alguien tiene el enlace de tu pedido: cámbialo en su página privada, y el de ahora deja de valer. El de su formulario, si lo compartiste, sigue valiendo.${mailbox ? ` Y escríbenos a ${mailbox}.` : ''}`,
    reopened: 'Hemos reabierto el pedido y seguimos con él. Por eso no se envía esta devolución.',
    note: 'Lo que dice el equipo:',
  },
};

const en: typeof es = {
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
      `The payment provider says that it gave money of your order ${order} back by itself, to the address it knows. So it is not sent again: the refund of ${amount} is withdrawn.`,
    rest: {
      ready: (amount, number) =>
        `${amount} is still to go back: as refund ${number}, to the address that you confirmed.`,
      address: (amount, number) =>
        `${amount} is still to go back: as refund ${number}. On the page of your order you say where it goes.`,
    },
    address: (address) => `Address: ${address}`,
    transaction: (transaction) => `Transaction: ${transaction}`,
    byProvider: 'The payment provider sent it to the address it knows.',
    notYou: (mailbox) =>
      `If it was not you, type the code nowhere: without it nothing is sent. Somebody has the link of your order: replace it on its private page, and the present one ends. The link of its form, if you shared it, still works.${mailbox ? ` And write to us at ${mailbox}.` : ''}`,
    reopened: 'We opened the order again and go on with it. So this refund is not sent.',
    note: 'What the team says:',
  },
};

export const refundsTexts = { es, en };
