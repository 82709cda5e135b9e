// Texts of a project. Browsers run this file too.

import { REQUEST_MAX } from '../limits.ts';
import { each } from './each.ts';

interface TextField {
  /** Characters. */
  max: number;
  /** Lines of its field in a form; a field of one line takes no line breaks. */
  rows: number;
  /** Only the team sees it. */
  team?: true;
}

/**
 * Texts of projects on home and of NEXT projects that people may leave empty. Tables, contracts, forms, checks, details,
 * the audit log and the CSV exports follow this list; their names stand in app/lib/messages/admin/project-texts.ts.
 */
export const PROJECT_TEXTS = {
  description: { max: REQUEST_MAX.description, rows: 2 },
  descriptionFull: { max: REQUEST_MAX.description, rows: 4 },
  adminNotes: { max: REQUEST_MAX.description, rows: 3, team: true },
} as const satisfies Record<string, TextField>;

export type ProjectText = keyof typeof PROJECT_TEXTS;
/** Limits and looks of one of them. */
export const textField = (name: ProjectText): TextField => PROJECT_TEXTS[name];

const names = Object.keys(PROJECT_TEXTS) as ProjectText[];
/** In the order of the forms: those that readers see, and those of the team. */
export const PUBLIC_TEXTS: readonly ProjectText[] = names.filter((name) => !textField(name).team);
export const TEAM_TEXTS: readonly ProjectText[] = names.filter((name) => textField(name).team);
/** The same value or function for each text. */
export const eachProjectText = <Value>(make: (name: ProjectText) => Value): Record<ProjectText, Value> =>
  each(names, make);
