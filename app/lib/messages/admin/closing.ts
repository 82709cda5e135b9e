import { defineMessages } from '../define-messages.ts';

export const adminClosingTexts = defineMessages({
  es: {
    closing: {
      heading: 'Cierre',
      text: 'Cuando el equipo ya ha entregado el token a mano, o no lo va a entregar. Quien pagó recibe un correo con lo que escribas.',
      close: 'Cerrar la solicitud',
      as: 'Cómo termina',
      kinds: { delivered: 'Entregado a mano', cancelled: 'No se entrega' },
      address: 'Dirección del token',
      addressNeeded: 'Escribe la dirección del token entregado.',
      note: 'Para quien pagó',
      noteHint: 'Lo lee en su pedido y en el correo: qué se hizo, y qué pasa con el dinero.',
      noteNeeded: 'Escribe qué se hizo y qué pasa con el dinero.',
      confirm: 'Cerrar y avisar',
      busy: 'Cerrando...',
      closed: 'Solicitud cerrada',
      closeFailed: 'No se pudo cerrar la solicitud',
      closedAs: (kind: string, when: string) => `${kind} · cerrada el ${when}`,
      reopen: 'Reabrir',
      reopening: 'Reabriendo...',
      reopened: 'Solicitud reabierta',
      reopenFailed: 'No se pudo reabrir la solicitud',
      reopenHint:
        'Vuelven las entregas. Si al cerrar se abrió una devolución sin enviar, se retira y quien pagó recibe un correo.',
    },
  },
  en: {
    closing: {
      heading: 'Closing',
      text: 'When the team has delivered the token by hand, or will not deliver it. Whoever paid gets a mail with what you write.',
      close: 'Close the request',
      as: 'How it ends',
      kinds: { delivered: 'Delivered by hand', cancelled: 'Not delivered' },
      address: 'Address of the token',
      addressNeeded: 'Write the address of the delivered token.',
      note: 'For whoever paid',
      noteHint: 'They read it in their order and in the mail: what was done, and what happens with the money.',
      noteNeeded: 'Write what was done and what happens with the money.',
      confirm: 'Close and tell them',
      busy: 'Closing...',
      closed: 'Request closed',
      closeFailed: 'The request could not be closed',
      closedAs: (kind, when) => `${kind} · closed on ${when}`,
      reopen: 'Reopen',
      reopening: 'Reopening...',
      reopened: 'Request reopened',
      reopenFailed: 'The request could not be reopened',
      reopenHint:
        'The deliverables come back. A refund that was opened with the closing and not sent is withdrawn, of which whoever paid gets a mail.',
    },
  },
});
