import { defineMessages } from '../define-messages.ts';

export const adminListsTexts = defineMessages({
  es: {
    lists: {
      open: 'Vistas y columnas',
      title: 'Vistas y columnas',
      lead: 'Son tuyas: nadie más las ve, y te siguen a otro navegador.',
      views: 'Vistas guardadas',
      none: 'Todavía no hay ninguna: filtra la lista y ponle nombre.',
      name: 'Nombre de lo que se ve ahora',
      nameNeeded: 'Escribe un nombre.',
      keep: 'Guardar vista',
      forget: (name: string) => `Quitar la vista ${name}`,
      columns: 'Columnas',
      failed: 'No se pudo guardar',
    },
  },
  en: {
    lists: {
      open: 'Views and columns',
      title: 'Views and columns',
      lead: 'They are yours: nobody else sees them, and they follow you to another browser.',
      views: 'Saved views',
      none: 'There is none yet: filter the list and give it a name.',
      name: 'Name of what shows now',
      nameNeeded: 'Write a name.',
      keep: 'Save the view',
      forget: (name) => `Remove the view ${name}`,
      columns: 'Columns',
      failed: 'It could not be saved',
    },
  },
});
