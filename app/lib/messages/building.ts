import { defineMessages } from './define-messages.ts';

export const buildingTexts = defineMessages({
  es: {
    building: {
      title: 'En construcción · Florka',
      heading: 'En construcción',
      text: 'Estamos levantando esta carpa. Vuelve pronto: se abrirá en cuanto esté lista de verdad.',
      action: 'Volver al inicio',
      pages: {
        create: 'CREATE YOUR TOKEN',
        news: 'News',
        forum: 'Foro de la Comunidad',
        next: 'Next',
        publish: 'Publish Your Project',
        admin: 'Panel de Administración',
      },
    },
  },
  en: {
    building: {
      title: 'Under construction · Florka',
      heading: 'Under construction',
      text: 'We are putting up this tent. Come back soon: it opens when it is really ready.',
      action: 'Back to home',
      pages: {
        create: 'CREATE YOUR TOKEN',
        news: 'News',
        forum: 'Community Forum',
        next: 'Next',
        publish: 'Publish Your Project',
        admin: 'Administration',
      },
    },
  },
});
