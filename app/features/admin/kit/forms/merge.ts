/** Values of a form of the back office. */
export type Values = Record<string, string | number | boolean | null>;
/** Whose value of a field stays. */
export type Side = 'theirs' | 'mine';

interface MergeInput {
  /** What the form began with. */
  base: Values;
  /** What is typed in it now. */
  mine: Values;
  /** The record as somebody else saved it. */
  current: Record<string, unknown>;
  /** Fields that say one thing together: when both sides changed one of them, all that differ are asked. */
  together?: readonly (readonly string[])[] | undefined;
}

export interface Merge {
  /** The saved record in the form of the form; a field that the record does not have is the form's own. */
  theirs: Values;
  /** Both sides changed these, each in another way: the person decides, field by field. */
  conflicting: string[];
  /** Only the other side changed these: their value stays. */
  fromTheirs: string[];
  /** Only this form changed these. */
  fromMine: string[];
}

/** Figures without an exponent as long as people can read it; forms hold them as text. */
export const typedNumber = (value: number): string =>
  Math.abs(value) >= 1e-12 && Math.abs(value) < 1e21
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : String(value);

/** A value of the record as the form holds it. */
function typedAs(example: Values[string] | undefined, value: unknown): Values[string] {
  if (typeof example === 'boolean') return value === true;
  if (typeof value === 'number' && typeof example === 'string') return typedNumber(value);
  return value === null || value === undefined ? '' : (value as Values[string]);
}

/** null and '' are both nothing; of a figure, '0' and '0.0' are the same. */
function isSame(one: Values[string] | undefined, other: Values[string] | undefined, figure: boolean): boolean {
  const [a, b] = [String(one ?? '').trim(), String(other ?? '').trim()];
  if (a === b) return true;
  return figure && a !== '' && b !== '' && Number(a.replace(',', '.')) === Number(b.replace(',', '.'));
}

/** What each side did to a record since the form was opened. */
export function mergeOf({ base, mine, current, together = [] }: MergeInput): Merge {
  const names = Object.keys(mine) as string[];
  const theirs: Values = Object.fromEntries(
    names.map((name) => [name, name in current ? typedAs(base[name], current[name]) : (mine[name] ?? null)]),
  );
  const isChanged = (from: Values, to: Values, name: string) =>
    !isSame(from[name], to[name], typeof current[name] === 'number' || typeof base[name] === 'number');
  const byThem = new Set(names.filter((name) => name in current && isChanged(base, theirs, name)));
  const byMe = new Set(names.filter((name) => isChanged(base, mine, name)));
  const differs = (name: string) => isChanged(mine, theirs, name);
  const linked = new Set(
    together
      .filter((group) => group.some((name) => byThem.has(name)) && group.some((name) => byMe.has(name)))
      .filter((group) => group.some((name) => differs(name)))
      .flat(),
  );
  const conflicting = names.filter(
    (name) => differs(name) && ((byThem.has(name) && byMe.has(name)) || linked.has(name)),
  );
  return {
    theirs,
    conflicting: conflicting,
    fromTheirs: names.filter((name) => byThem.has(name) && !byMe.has(name) && !conflicting.includes(name)),
    fromMine: names.filter((name) => byMe.has(name) && !byThem.has(name) && !conflicting.includes(name)),
  };
}

/** The values to save, once every asked field has its answer. */
export function mergedValues(
  { theirs, fromTheirs, conflicting }: Merge,
  mine: Values,
  choices: Partial<Record<string, Side>>,
): Values {
  const taken = (name: string) =>
    fromTheirs.includes(name) || (conflicting.includes(name) && choices[name] === 'theirs');
  return Object.fromEntries(
    Object.entries(mine).map(([name, value]) => [name, taken(name) ? (theirs[name] ?? null) : value]),
  );
}
