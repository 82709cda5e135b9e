import type { AdminSetting } from '#contract/admin/settings.ts';
import { normalized } from './tasks.ts';

/** How many settings are listed at most: records come below them. */
const SHOWN = 5;
/** Shorter text is part of too many labels. */
const TYPED_MIN = 3;

/** The settings whose label contains the typed text, or whose name in the API it is, with the part of their screen. */
export function settingsFor(
  typed: string,
  stored: readonly Pick<AdminSetting, 'name' | 'group'>[],
  texts: Readonly<Record<AdminSetting['name'], { label: string }>>,
): { name: AdminSetting['name']; path: string }[] {
  const wanted = normalized(typed.trim());
  if (wanted.length < TYPED_MIN) return [];
  return stored
    .filter(({ name }) => normalized(texts[name].label).includes(wanted) || name.toLowerCase() === wanted)
    .slice(0, SHOWN)
    .map(({ name, group }) => ({ name, path: `/admin/settings#${group}` }));
}
