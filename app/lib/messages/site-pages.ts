import { ROUND_DAYS, type SITE_PAGES } from '#contract/limits.ts';
import { defineMessages } from './define-messages.ts';
import { sitePageDefaultsEn } from './site-pages-en.ts';
import { sitePageDefaultsEs } from './site-pages-es.ts';

/** The built-in text of a page about the site: what stands while no operator wrote one. */
export type SitePageDefaults = Record<(typeof SITE_PAGES)[number], { title: string; body: string }>;

/** The pages about the site: their built-in texts, and the words around them. */
export const sitePagesTexts = defineMessages({
  es: {
    sitePages: {
      defaults: sitePageDefaultsEs(ROUND_DAYS) as SitePageDefaults,
      updated: (when: string) => `Texto del ${when}`,
      builtIn: 'Texto inicial del programa: quien opera este sitio todavía no lo ha cambiado.',
      failed: 'No se pudo cargar este texto',
      failedText: 'Mostramos el texto en cuanto vuelva la conexión. No te enseñamos otro en su lugar.',
      retry: 'Reintentar',
      loading: 'Cargando...',
      others: 'Más sobre este sitio',
      planPrice: (usd: string) => `${usd} USD`,
      plans: 'Planes',
      write: 'Escríbenos',
      noMail: 'Quien opera este sitio no ha publicado un correo de contacto.',
    },
  },
  en: {
    sitePages: {
      defaults: sitePageDefaultsEn(ROUND_DAYS) as SitePageDefaults,
      updated: (when) => `Text of ${when}`,
      builtIn: 'The text that comes with the program: whoever runs this site has not changed it yet.',
      failed: 'This text could not be loaded',
      failedText: 'It shows as soon as the connection is back. We do not show another one in its place.',
      retry: 'Try again',
      loading: 'Loading...',
      others: 'More about this site',
      planPrice: (usd) => `${usd} USD`,
      plans: 'Plans',
      write: 'Write to us',
      noMail: 'Whoever runs this site has not published an e-mail address for questions.',
    },
  },
});
