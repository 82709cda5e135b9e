import { X } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { IconButton } from '#app/ui/Button.tsx';
import { localeOf, localize, useText } from './i18n.tsx';
import { closeLanguageOffer, rememberLanguage } from './language-choice.ts';

/**
 * Tells readers who prefer the other language, in it, that the page exists there. It stands in every document, hidden;
 * `languageOfferScript` shows it before the first paint, so that nothing moves.
 */
export function LanguageOffer() {
  const words = useText().nav.languageOffer;
  const { pathname, search, state } = useLocation();
  const other = localeOf(pathname) === 'es' ? 'en' : 'es';
  return (
    <aside lang={other} aria-label={words.label} className="language-offer">
      <div className="page flex items-center gap-3 text-sm">
        <p className="flex-1">
          {words.text}{' '}
          <Link
            to={localize(`${pathname}${search}`, other)}
            hrefLang={other}
            className="link inline-flex min-h-11 items-center"
            onClick={() => rememberLanguage(other)}
            state={state}
            replace
            preventScrollReset
          >
            {words.action}
          </Link>
        </p>
        <IconButton label={words.close} className="flex-none" onClick={closeLanguageOffer}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
    </aside>
  );
}
