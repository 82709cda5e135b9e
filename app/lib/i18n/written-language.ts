import type { Locale } from '../format/format.ts';
import { useLocale } from './i18n.tsx';

/** Words that stand in almost every sentence of one language and in none of the other. */
const WORDS: Record<Locale, ReadonlySet<string>> = {
  es: new Set(
    'el la los las de del que y un una en es son con por para se su sus al lo como más pero sin ya muy'.split(' '),
  ),
  en: new Set(
    'the of and to is are was in it that for with on you this be not your from or by at we they have'.split(' '),
  ),
};
/** By how many words more a text must be of one language. */
const CLEARLY = 2;

/** The language that a text was written in, where its words say so clearly; names and single words say nothing. */
export function languageOf(text: string): Locale | undefined {
  let balance = /[ñ¿¡]/i.test(text) ? 1 : 0;
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u))
    balance += WORDS.es.has(word) ? 1 : WORDS.en.has(word) ? -1 : 0;
  return balance >= CLEARLY ? 'es' : balance <= -CLEARLY ? 'en' : undefined;
}

/** The `lang` of a text that somebody wrote, where it is not the page's: read aloud with its own voice (WCAG 3.1.2). */
export function useWrittenLang(): (text: string) => Locale | undefined {
  const locale = useLocale();
  return (text) => {
    const language = languageOf(text);
    return language === locale ? undefined : language;
  };
}
