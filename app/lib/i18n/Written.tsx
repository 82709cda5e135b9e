import { useWrittenLang } from './written-language.ts';

/** Text of a user, marked with its language when that is not the page's. */
export function Written({ children }: { children: string }) {
  const lang = useWrittenLang()(children);
  return lang ? <span lang={lang}>{children}</span> : children;
}
