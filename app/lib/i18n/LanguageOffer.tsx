import { type ComponentType, useEffect, useState } from 'react';
import { later } from '../page/later.ts';

/**
 * The place of the offer to read a page in the language that the browser prefers. It stands in every document, hidden;
 * `languageOfferScript` opens it before the first paint, so that nothing moves, and its content loads where it is open.
 */
export function LanguageOffer() {
  const [Content, setContent] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!document.documentElement.dataset['offer']) return;
    void later(() => import('./LanguageOfferContent.tsx')).then((module) =>
      setContent(() => module.LanguageOfferContent),
    );
  }, []);
  return <div className="language-offer">{Content ? <Content /> : null}</div>;
}
