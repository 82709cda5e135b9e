import { Link, useLocation } from 'react-router';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { CloseIcon } from '#app/ui/controls/frame-icons.tsx';
import { languageOfferTexts } from '../messages/language-offer.ts';
import { localeOf, localize, useText } from './i18n.tsx';
import { closeLanguageOffer, rememberLanguage } from './language-choice.ts';

/** Offers the page in the other language to readers who prefer it, in that language. */
export function LanguageOfferContent() {
  const messages = useText(languageOfferTexts).languageOffer;
  const { pathname, search, hash, state } = useLocation();
  const other = localeOf(pathname) === 'es' ? 'en' : 'es';
  return (
    <aside lang={other} aria-label={messages.label} className="page flex items-center justify-between gap-3 text-sm">
      <Link
        to={localize(`${pathname}${search}${hash}`, other)}
        hrefLang={other}
        className="link inline-flex min-h-11 items-center"
        onClick={() => rememberLanguage(other)}
        state={state}
        replace
        preventScrollReset
      >
        {messages.action}
      </Link>
      <IconButton label={messages.close} className="flex-none" onClick={closeLanguageOffer}>
        <CloseIcon />
      </IconButton>
    </aside>
  );
}
