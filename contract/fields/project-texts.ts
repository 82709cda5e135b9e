// Texts of a project. Browsers run this file too.

import { REQUEST_MAX } from '../limits.ts';
import { each } from './each.ts';

interface TextField {
  /** Characters. */
  max: number;
  /** Rows of its form field; a field with one row does not accept line breaks. */
  rows: number;
  /** Visible to the team only. */
  team?: true;
}

/**
 * Optional texts of projects on home and of NEXT projects. Tables, contracts, forms, checks, details, the audit log and the CSV
 * exports follow this list; their labels are in app/lib/messages/admin/project-texts.ts.
 */
export const PROJECT_TEXTS = {
  description: { max: REQUEST_MAX.description, rows: 2 },
  descriptionFull: { max: REQUEST_MAX.description, rows: 4 },
  adminNotes: { max: REQUEST_MAX.description, rows: 3, team: true },
} as const satisfies Record<string, TextField>;

export type ProjectText = keyof typeof PROJECT_TEXTS;
/** Limits and layout of one text. */
export const textField = (name: ProjectText): TextField => PROJECT_TEXTS[name];

const names = Object.keys(PROJECT_TEXTS) as ProjectText[];
/** In the order of the forms: the public texts, and the internal ones of the team. */
export const PUBLIC_TEXTS: readonly ProjectText[] = names.filter((name) => !textField(name).team);
export const TEAM_TEXTS: readonly ProjectText[] = names.filter((name) => textField(name).team);
/** The same value or function for each text. */
export const eachProjectText = <Value>(make: (name: ProjectText) => Value): Record<ProjectText, Value> =>
  each(names, make);
