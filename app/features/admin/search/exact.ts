import { normalized } from './tasks.ts';

/** Whether the typed text is this name, without case, accents and spaces at the ends. */
export const isExactly = (typed: string, name: string): boolean =>
  typed.trim() !== '' && normalized(typed.trim()) === normalized(name.trim());

/** What Enter opens: an offered or found item with exactly the typed name, else the first offered one, else the first found one. */
export function firstOf<Offered extends { name: string }, Found extends { title: string }>(
  typed: string,
  offered: readonly Offered[],
  found: readonly Found[],
): Offered | Found | undefined {
  return (
    offered.find(({ name }) => isExactly(typed, name)) ?? exactHit(typed, offered, found) ?? offered[0] ?? found[0]
  );
}

/** The record to be listed first: its title is the typed text, which is no name of a screen, task or setting. */
export function exactHit<Found extends { title: string }>(
  typed: string,
  offered: readonly { name: string }[],
  found: readonly Found[],
): Found | undefined {
  if (offered.some(({ name }) => isExactly(typed, name))) return undefined;
  return found.find(({ title }) => isExactly(typed, title));
}
