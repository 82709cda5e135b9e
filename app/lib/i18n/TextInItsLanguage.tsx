import { useTextLanguage } from './text-language.ts';

/** Text of a user, marked with its language when that is not the page's. */
export function TextInItsLanguage({ children }: { children: string }) {
  const lang = useTextLanguage()(children);
  return lang ? <span lang={lang}>{children}</span> : children;
}
