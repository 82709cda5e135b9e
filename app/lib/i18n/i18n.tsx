import { createContext, type ReactNode, use, useMemo } from 'react';
import { useLocation } from 'react-router';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { DEFAULT_SITE_NAME, LANGUAGES, withSiteName } from '#contract/site.ts';
import type { Locale } from '../format/format.ts';
import type { Widen } from '../messages/define-messages.ts';
import type { Catalogue } from '../messages/es.ts';

/** A language of the pages with its messages. */
export interface Language {
  locale: Locale;
  text: Catalogue;
}

// A context, never a module variable: the server renders several languages at once.
/** Read through `useText` and `useLocale`; null outside of the pages of a language. */
export const LanguageContext = createContext<Language | null>(null);

export function LanguageProvider({ locale, text, children }: Language & { children: ReactNode }) {
  // The same object in every render: a new one would rerender parts that still wait for their code.
  const language = useMemo(() => ({ locale, text }), [locale, text]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

function useLanguage(): Language {
  const language = use(LanguageContext);
  if (!language) throw new Error('useText needs a LanguageProvider above it');
  return language;
}

/** What the site is called and looks like, and the languages that it offers. */
export type Site = SiteNotices['site'];
const SiteContext = createContext<Site>({
  name: DEFAULT_SITE_NAME,
  mark: null,
  languages: [...LANGUAGES],
  planNotes: {},
});
export const SiteProvider = SiteContext;
export const useSite = (): Site => use(SiteContext);

type Texts = Readonly<Record<Locale, object>>;
type Union<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never;
/** The messages of every page, with those of some namespaces. */
export type TextOf<One extends Texts> = Catalogue & Widen<Union<One['es']>>;

/** The messages of the page's language, with those of the given namespaces. */
export function useText(): Catalogue;
export function useText<Namespaces extends Texts[]>(...namespaces: Namespaces): TextOf<Namespaces[number]>;
export function useText(...namespaces: Texts[]): Catalogue {
  const { locale, text } = useLanguage();
  const { name } = useSite();
  return withSiteName(
    namespaces.reduce<object>((sum, one) => merge(sum, one[locale]), text),
    name,
  ) as Catalogue;
}

/** Cache of merged catalogues: a list uses the same messages in each of its rows. */
const mergedTexts = new WeakMap<object, WeakMap<object, object>>();

function merge(base: object, more: object): object {
  const known = mergedTexts.get(base) ?? new WeakMap<object, object>();
  mergedTexts.set(base, known);
  let made = known.get(more);
  if (!made) {
    const sum: Record<string, unknown> = { ...base };
    // A namespace in two files, of which a page loads the second one later.
    for (const [namespace, texts] of Object.entries(more))
      sum[namespace] = sum[namespace] ? { ...sum[namespace], ...texts } : texts;
    known.set(more, sum);
    made = sum;
  }
  return made;
}

export const useLocale = (): Locale => useLanguage().locale;

const PREFIX: Record<Locale, string> = { es: '', en: '/en' };

/** Language of a path: /en and everything below it is English. */
export const localeOf = (pathname: string): Locale => (/^\/en(\/|$)/.test(pathname) ? 'en' : 'es');

/** The same page in a language: '/vote' to '/en/vote'. */
export function localize(path: string, locale: Locale): string {
  const rest = path.replace(/^\/en(?=\/|$|\?|#)/, '');
  const bare = rest.startsWith('/') ? rest : `/${rest}`;
  // The home page has no slash after its language prefix, whatever follows.
  return PREFIX[locale] ? `${PREFIX[locale]}${bare.replace(/^\/(?=[?#]|$)/, '')}` : bare;
}

/** Creates links to pages of the site in the reader's language. */
export function useHref(): (path: string) => string {
  const { pathname } = useLocation();
  const locale = localeOf(pathname);
  return (path) => localize(path, locale);
}
