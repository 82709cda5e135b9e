import path from 'node:path';

/** Common variables of the system that are similar to ours. */
const OTHERS = new Set(['HOSTS', 'HOME', 'LANG', 'TERM', 'USER', 'SHELL', 'PATH', 'PWD', 'OLDPWD', 'HOSTNAME']);
/** Parts of placeholders that are common in examples. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|placeholder|example|secret|password|contraseña|your.?|<.*>|\.\.\.|…|^(?:x+|0+|1+|a+)$|1234567|abcdef|qwerty/i;
const SECRETS = ['AUTH_SECRET', 'ADMIN_PASSWORD', 'NOWPAYMENTS_IPN_SECRET', 'S3_SECRET_ACCESS_KEY'];
/** Values with fewer distinct characters do not count as random. */
const MIN_VARIETY = 8;

/** Edit distance: characters left out, added, changed or swapped. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [(old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + same];
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps.push((older[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    older = old;
    old = row;
  }
  return old[b.length] ?? 0;
}

/** The known name that was most likely meant; undefined for names that resemble none. */
function meant(name: string, known: readonly string[]): string | undefined {
  if (name.length < 4 || OTHERS.has(name) || known.includes(name) || !/^[a-z][a-z0-9_]*$/i.test(name)) return undefined;
  const near = known
    .map((one) => ({ one, off: distance(name.toUpperCase(), one) }))
    .filter(({ one, off }) => off <= (one.length < 8 ? 1 : 2))
    .toSorted((a, b) => a.off - b.off);
  return near[0]?.one;
}

function isPlaceholder(name: string, value: string): boolean {
  const placeholder = PLACEHOLDER.test(value);
  return name === 'ADMIN_PASSWORD' ? placeholder : placeholder || new Set(value).size < MIN_VARIETY;
}

/**
 * Warnings about probable mistakes in the configuration; no value is quoted.
 *
 * @param known names of all variables.
 */
export function warningsOf(source: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const given = Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const misspelt = given.flatMap(([name]) => {
    const right = meant(name, known);
    return right ? [`The variable ${name} is unknown and not read; was ${right} meant?`] : [];
  });
  const placeholders = given
    .filter(([name, value]) => SECRETS.includes(name) && isPlaceholder(name, value))
    .map(([name]) => `${name} looks like a placeholder: it can be guessed. Set a random one.`);
  const folder = source['DATA_DIR'] || 'data';
  const versioned =
    source['PUBLIC_URL']?.startsWith('https:') && !path.isAbsolute(folder)
      ? [
          `DATA_DIR is ${path.resolve(folder)}, inside of the program's folder: another version in another folder does not find it. Set an absolute path.`,
        ]
      : [];
  return [...misspelt, ...placeholders, ...versioned];
}
