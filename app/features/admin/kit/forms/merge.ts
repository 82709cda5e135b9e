/** Values of a form of the back office. */
export type Values = Record<string, string | number | boolean | null>;
/** The side whose value of a field is used. */
export type Side = 'theirs' | 'mine';

interface MergeInput {
  /** The initial values of the form. */
  base: Values;
  /** The current values of the form. */
  mine: Values;
  /** The record as somebody else saved it. */
  current: Record<string, unknown>;
  /** Fields that belong together: when both sides changed one of them, the user decides about all that differ. */
  together?: readonly (readonly string[])[] | undefined;
}

export interface Merge {
  /** The saved record as values of the form; a field that the record does not have has the form's value. */
  theirs: Values;
  /** Fields that both sides changed differently: the user decides for each. */
  conflicting: string[];
  /** Fields that only the other side changed: their value is used. */
  fromTheirs: string[];
  /** Fields that only this form changed. */
  fromMine: string[];
}

/** A number without an exponent while it stays readable; forms store numbers as text. */
export const typedNumber = (value: number): string =>
  Math.abs(value) >= 1e-12 && Math.abs(value) < 1e21
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : String(value);

/** A value of the record in the type that the form uses. */
function typedAs(example: Values[string] | undefined, value: unknown): Values[string] {
  if (typeof example === 'boolean') return value === true;
  if (typeof value === 'number' && typeof example === 'string') return typedNumber(value);
  return value === null || value === undefined ? '' : (value as Values[string]);
}

/** null and '' are both empty; numbers are compared by value: '0' and '0.0' are equal. */
function isSame(one: Values[string] | undefined, other: Values[string] | undefined, figure: boolean): boolean {
  const [a, b] = [String(one ?? '').trim(), String(other ?? '').trim()];
  if (a === b) return true;
  return figure && a !== '' && b !== '' && Number(a.replace(',', '.')) === Number(b.replace(',', '.'));
}

/** Three-way merge: the changes of each side since the form was opened. */
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

/** The values to save, once every conflicting field has a choice. */
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
