import { defineMessages } from './define-messages.ts';

/** Said above a page of an earlier release; it stands outside of the pages, so its few texts stand alone. */
export const releaseTexts = defineMessages({
  es: {
    text: 'Esta página es de una versión anterior de Florka, y una parte suya ya no se puede cargar.',
    typed: 'Recárgala cuando hayas enviado o copiado lo que escribiste: al recargar se pierde.',
    again: 'Recargarla no ha bastado: prueba de nuevo dentro de un momento.',
    reload: 'Recargar',
  },
  en: {
    text: 'This page is of an earlier version of Florka, and a part of it can’t be loaded any more.',
    typed: 'Reload it once you have sent or copied what you wrote: reloading loses it.',
    again: 'Reloading it was not enough: try again in a moment.',
    reload: 'Reload',
  },
});
