import { defineMessages } from './define-messages.ts';

/** Above every page where the demo was asked for; it stands outside of the catalogues of pages. */
export const demoTexts = defineMessages({
  es: {
    title: 'Sitio de demostración.',
    text: 'Personas, proyectos y pagos son de ejemplo: no envíes dinero ni datos personales.',
  },
  en: {
    title: 'Demo site.',
    text: 'People, projects and payments are examples: send no money and no personal data.',
  },
});
