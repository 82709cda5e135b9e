/** What the catalogues call the site; an installation with another name reads them with its own. */
export const STANDARD_NAME = 'Florka';
export const SITE_NAME_MAX = 40;
/** Signs of what stands beside the price of a plan. */
export const PLAN_NOTE_MAX = 200;

/** The languages that the program has. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Which of them a site offers; the first one has the addresses without a prefix where it is Spanish. */
export const LANGUAGE_CHOICES = ['both', ...LANGUAGES] as const;

/** The languages of a choice, in their order. */
export const languagesOf = (choice: (typeof LANGUAGE_CHOICES)[number]): readonly Language[] =>
  choice === 'both' ? LANGUAGES : [choice];

/** The language in which somebody is written to: theirs where it is offered. */
export const offeredLanguage = (wanted: Language, offered: readonly Language[]): Language =>
  offered.includes(wanted) ? wanted : (offered[0] ?? wanted);

/** Stands in what is handed to a text, so that only the catalogue's own words are renamed. */
const SHIELDED = `${STANDARD_NAME.slice(0, 3)}\u2060${STANDARD_NAME.slice(3)}`;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function shield(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(STANDARD_NAME, SHIELDED);
  if (Array.isArray(value)) return value.map(shield);
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shield(one)])) : value;
}

function renamed(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value.replaceAll(STANDARD_NAME, () => name);
  if (typeof value === 'function')
    return (...given: unknown[]) => {
      const sentence: unknown = value(...given.map(shield));
      return typeof sentence === 'string'
        ? String(renamed(sentence, name)).replaceAll(SHIELDED, STANDARD_NAME)
        : sentence;
    };
  if (Array.isArray(value)) return value.map((one) => renamed(one, name));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, name)]));
}

/** Each catalogue with the last name it was asked for: a process shows one site. */
const made = new WeakMap<object, { name: string; texts: object }>();

/**
 * A catalogue with the name of this site in the place of the standard one. What people wrote and what is handed to a text keeps
 * its words.
 */
export function withSiteName<Texts extends object>(texts: Texts, name: string): Texts {
  if (name === STANDARD_NAME) return texts;
  const known = made.get(texts);
  if (known?.name === name) return known.texts as Texts;
  const own = renamed(texts, name) as Texts;
  made.set(texts, { name, texts: own });
  return own;
}
