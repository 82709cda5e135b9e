import { defineMessages } from './define-messages.ts';

export const previewTexts = defineMessages({
  es: {
    preview: {
      title: 'Vista previa · Florka',
      heading: 'Vista previa',
      lead: 'Así se verá en el sitio. Solo lo ve quien tiene este enlace.',
      state: 'Estado',
      hidden: 'Ahora no es público',
      shown: 'Ya se ve en el sitio',
      kinds: { news: 'Noticia', next_project: 'Lanzamiento', announcement: 'Anuncio en todas las páginas' },
      appears: 'Se publica',
      goes: 'Se retira',
      until: 'Este enlace vale hasta',
      missing: 'Este enlace ya no muestra nada',
      missingText: 'Caducó, lo retiraron, o lo que mostraba se eliminó. Pide otro a quien te lo envió.',
      home: 'Ir al inicio',
      error: 'No se pudo cargar la vista previa',
      retry: 'Reintentar',
    },
  },
  en: {
    preview: {
      title: 'Preview · Florka',
      heading: 'Preview',
      lead: 'This is how it will look on the site. Only who has this link sees it.',
      state: 'State',
      hidden: 'Not public now',
      shown: 'On the site already',
      kinds: { news: 'News', next_project: 'Launch', announcement: 'Announcement on every page' },
      appears: 'Publish at',
      goes: 'Unpublish at',
      until: 'This link works until',
      missing: 'This link shows nothing any more',
      missingText: 'It has ended or was withdrawn, or what it showed was deleted. Ask whoever sent it for another one.',
      home: 'Go to the start',
      error: 'The preview could not be loaded',
      retry: 'Try again',
    },
  },
});
