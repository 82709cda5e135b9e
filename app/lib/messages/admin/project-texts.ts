import type { ProjectText } from '#contract/fields/project-texts.ts';
import type { Locale } from '../../format/format.ts';

/** What the texts of a project are called in forms, details and the audit log. */
export const projectTextNames: Record<Locale, Record<ProjectText, string>> = {
  es: {
    description: 'Descripción',
    descriptionFull: 'Descripción completa',
    adminNotes: 'Notas del equipo',
  },
  en: {
    description: 'Description',
    descriptionFull: 'Full description',
    adminNotes: 'Notes of the team',
  },
};
