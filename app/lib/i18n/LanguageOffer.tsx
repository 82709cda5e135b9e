import { type ComponentType, useEffect, useState } from 'react';
import { loadWithRetry } from '../page/lazy-loading.ts';
import { useLocale, useSite } from './i18n.tsx';

/**
 * The offer to read a page in the language that the browser prefers. It is in every document, hidden; `languageOfferScript` opens it
 * before the first paint, so that the layout does not shift, and its content is loaded only where it is open.
 */
export function LanguageOffer() {
  const [Content, setContent] = useState<ComponentType | null>(null);
  const locale = useLocale();
  const offered = useSite().languages.length > 1;
  useEffect(() => {
    const { offer } = document.documentElement.dataset;
    if (!offered || !offer || offer === locale) return;
    void loadWithRetry(() => import('./LanguageOfferContent.tsx')).then((module) =>
      setContent(() => module.LanguageOfferContent),
    );
  }, [locale, offered]);
  if (!offered) return null;
  return <div className="language-offer">{Content ? <Content /> : null}</div>;
}
