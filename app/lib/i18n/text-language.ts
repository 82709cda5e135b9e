import type { Locale } from '../format/format.ts';
import { useLocale } from './i18n.tsx';

/** Words that occur in almost every sentence of one language and never in the other. */
const WORDS: Record<Locale, ReadonlySet<string>> = {
  es: new Set(
    'el la los las de del que y un una en es son con por para se su sus al lo como más pero sin ya muy'.split(' '),
  ),
  en: new Set(
    'the of and to is are was in it that for with on you this be not your from or by at we they have'.split(' '),
  ),
};
/** Minimum difference of word counts between the languages. */
const CLEARLY = 2;

/** The language of a text, when its words show it clearly; undefined for names and single words. */
export function languageOf(text: string): Locale | undefined {
  let balance = /[ñ¿¡]/i.test(text) ? 1 : 0;
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u))
    balance += WORDS.es.has(word) ? 1 : WORDS.en.has(word) ? -1 : 0;
  return balance >= CLEARLY ? 'es' : balance <= -CLEARLY ? 'en' : undefined;
}

/** The `lang` of a user's text, when it is not the page's: screen readers then use the matching voice (WCAG 3.1.2). */
export function useTextLanguage(): (text: string) => Locale | undefined {
  const locale = useLocale();
  return (text) => {
    const language = languageOf(text);
    return language === locale ? undefined : language;
  };
}
