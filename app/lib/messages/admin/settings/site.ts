import { defineMessages } from '../../define-messages.ts';

/** The settings of the site and of the announcement on every page. */
export const siteSettingTexts = defineMessages({
  es: {
    siteName: {
      label: 'Nombre del sitio',
      hint: 'En páginas, correos, tarjetas, feeds y en la app instalada. Vacío: el nombre inicial. Hasta 40 caracteres.',
      error: 'Escribe un nombre de una línea, con 40 caracteres como mucho.',
    },
    siteMark: {
      label: 'Marca del sitio',
      hint: 'Junto al nombre, en la pestaña del navegador, la app instalada, los avisos y las tarjetas para compartir. JPG, PNG, WebP o GIF que no se mueva, máximo 5 MB; mejor cuadrada y con fondo transparente. Sin ella, la de siempre.',
      error: 'Sube una imagen que no se mueva.',
    },
    siteLanguages: {
      label: 'Idiomas del sitio',
      hint: 'Con uno solo no hay cambio de idioma, las direcciones del otro llevan a él y los correos salen en él. La administración conserva los dos.',
      error: 'Elige los idiomas.',
    },
    supportEmail: {
      label: 'Buzón de ayuda',
      hint: 'Se muestra en pedidos, publicación y contacto; las respuestas a los correos llegan ahí.',
      error: 'Escribe una dirección de correo.',
    },
    publicSubmissions: {
      label: 'Quién puede pedir una publicación',
      hint: 'Activado: cualquiera puede enviar su proyecto. Desactivado: la página dice que llegará pronto.',
      error: 'Elige activado o desactivado.',
    },
    bannerEs: {
      label: 'Aviso en español',
      hint: 'Sobre todas las páginas. Hace falta en los dos idiomas.',
      error: 'Escribe el aviso en los dos idiomas, con 300 caracteres como mucho.',
    },
    bannerEn: {
      label: 'Aviso en inglés',
      hint: 'Sobre todas las páginas en inglés.',
      error: 'Escribe el aviso en los dos idiomas, con 300 caracteres como mucho.',
    },
    bannerShown: {
      label: 'Anuncio publicado',
      hint: 'Apagado es un borrador: solo lo ve quien tenga su enlace de vista previa.',
      error: 'Este valor no es válido.',
    },
    bannerFrom: { label: 'Se muestra desde', hint: 'Vacío: enseguida.', error: 'Escribe un día y una hora.' },
    bannerUntil: {
      label: 'Se muestra hasta',
      hint: 'Vacío: hasta que lo quites.',
      error: 'Escribe un día y una hora después del comienzo.',
    },
  },
  en: {
    siteName: {
      label: 'Name of the site',
      hint: 'On pages, in mails, cards, feeds and the installed app. Empty: the initial name. Up to 40 characters.',
      error: 'Write a name of one line, with 40 characters at most.',
    },
    siteMark: {
      label: 'Mark of the site',
      hint: 'Beside the name, in the tab of the browser, the installed app, notices and cards for sharing. JPG, PNG, WebP or a GIF that does not move, up to 5 MB; best square and with a transparent background. Without one, the usual mark.',
      error: 'Upload an image that does not move.',
    },
    siteLanguages: {
      label: 'Languages of the site',
      hint: 'With one alone there is no switch, addresses of the other one lead to it, and mails go out in it. The back office keeps both.',
      error: 'Choose the languages.',
    },
    supportEmail: {
      label: 'Help mailbox',
      hint: 'Shown on orders, publication and contact; answers to mails go there.',
      error: 'Write a mail address.',
    },
    publicSubmissions: {
      label: 'Who may ask for a publication',
      hint: 'On: everybody may send their project. Off: the page says that it comes soon.',
      error: 'Choose on or off.',
    },
    bannerEs: {
      label: 'Announcement in Spanish',
      hint: 'Above every page. It is needed in both languages.',
      error: 'Write the announcement in both languages, with 300 characters at most.',
    },
    bannerEn: {
      label: 'Announcement in English',
      hint: 'Above every English page.',
      error: 'Write the announcement in both languages, with 300 characters at most.',
    },
    bannerShown: {
      label: 'Announcement published',
      hint: 'Off makes it a draft: only who has its preview link sees it.',
      error: 'This value is not valid.',
    },
    bannerFrom: { label: 'Shown from', hint: 'Empty: at once.', error: 'Write a day and an hour.' },
    bannerUntil: {
      label: 'Shown until',
      hint: 'Empty: until you remove it.',
      error: 'Write a day and an hour after the beginning.',
    },
  },
});
