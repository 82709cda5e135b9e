/** The site's name in the catalogues; an installation with another name replaces it. */
export const DEFAULT_SITE_NAME = 'Florka';
export const SITE_NAME_MAX = 40;
/** Maximum length of a plan's price note, in characters. */
export const PLAN_NOTE_MAX = 200;

/** URL of the square PNG of the site's image, for browser tabs and home screens. @param mark URL of its largest WebP. */
export const markIcon = (mark: string): string => mark.replace(/\.webp$/, '-512.png');
/** URL of its copy of 96 pixels, for a line of text. */
export const smallMark = (mark: string): string => mark.replace(/\.webp$/, '-96.webp');

/** The languages that the program has. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Languages that a site can offer; the first one has URLs without a prefix when it is Spanish. */
export const LANGUAGE_CHOICES = ['both', ...LANGUAGES] as const;

/** The languages of a choice, in their order. */
export const languagesOf = (choice: (typeof LANGUAGE_CHOICES)[number]): readonly Language[] =>
  choice === 'both' ? LANGUAGES : [choice];

/** Language of messages to a person: the preferred one when the site offers it. */
export const offeredLanguage = (wanted: Language, offered: readonly Language[]): Language =>
  offered.includes(wanted) ? wanted : (offered[0] ?? wanted);

/** Placeholder in the arguments of a text, so that only the catalogue's own words are replaced. */
const SHIELDED = `${DEFAULT_SITE_NAME.slice(0, 3)}\u2060${DEFAULT_SITE_NAME.slice(3)}`;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function shield(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(DEFAULT_SITE_NAME, SHIELDED);
  if (Array.isArray(value)) return value.map(shield);
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shield(one)])) : value;
}

function renamed(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value.replaceAll(DEFAULT_SITE_NAME, () => name);
  if (typeof value === 'function')
    return (...given: unknown[]) => {
      const sentence: unknown = value(...given.map(shield));
      return typeof sentence === 'string'
        ? String(renamed(sentence, name)).replaceAll(SHIELDED, DEFAULT_SITE_NAME)
        : sentence;
    };
  if (Array.isArray(value)) return value.map((one) => renamed(one, name));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, name)]));
}

/** Cache of each catalogue with the last requested name: a process serves one site. */
const made = new WeakMap<object, { name: string; texts: object }>();

/** A catalogue with the name of this site instead of the default one. User texts and the arguments of a text are not changed. */
export function withSiteName<Texts extends object>(texts: Texts, name: string): Texts {
  if (name === DEFAULT_SITE_NAME) return texts;
  const known = made.get(texts);
  if (known?.name === name) return known.texts as Texts;
  const own = renamed(texts, name) as Texts;
  made.set(texts, { name, texts: own });
  return own;
}
