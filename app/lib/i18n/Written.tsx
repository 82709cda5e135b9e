import { useWrittenLang } from './written-language.ts';

/** What somebody wrote, marked with its language where that is not the page's. */
export function Written({ children }: { children: string }) {
  const lang = useWrittenLang()(children);
  return lang ? <span lang={lang}>{children}</span> : children;
}
