import { defineMessages } from '../define-messages.ts';

export const adminFindTexts = defineMessages({
  es: {
    find: {
      open: 'Buscar en la administración',
      title: 'Buscar en la administración',
      label: 'Qué buscas',
      placeholder: 'Nombre, correo, número de pedido, título…',
      screens: 'Pantallas',
      kinds: {
        person: 'Personas',
        order: 'Pedidos de tokens',
        refund: 'Devoluciones',
        submission: 'Publicaciones',
        project: 'Proyectos',
        next_project: 'Proyectos NEXT',
        candidate: 'Candidatos',
        news: 'Noticias',
        post: 'Publicaciones del foro',
      },
      count: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
      searching: 'Buscando...',
      none: (terms: string) => `Nada coincide con «${terms}».`,
      failed: 'No se pudo buscar',
      keys: 'Ctrl+K abre esta búsqueda; las flechas recorren los resultados e Intro abre.',
    },
  },
  en: {
    find: {
      open: 'Search the back office',
      title: 'Search the back office',
      label: 'What you look for',
      placeholder: 'Name, mailbox, order number, title…',
      screens: 'Screens',
      kinds: {
        person: 'People',
        order: 'Token orders',
        refund: 'Refunds',
        submission: 'Publication requests',
        project: 'Projects',
        next_project: 'NEXT projects',
        candidate: 'Candidates',
        news: 'News',
        post: 'Forum posts',
      },
      count: (count) => (count === 1 ? '1 result' : `${count} results`),
      searching: 'Searching...',
      none: (terms) => `Nothing matches “${terms}”.`,
      failed: 'The search failed',
      keys: 'Ctrl+K opens this search; arrow keys move through the results, Enter opens one.',
    },
  },
});
