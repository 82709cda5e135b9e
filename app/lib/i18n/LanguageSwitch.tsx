import { Link, useLocation } from 'react-router';
import { cx } from '#app/ui/cx.ts';
import { useMounted } from '../live/clock.ts';
import { localeOf, localize, useSite, useText } from './i18n.tsx';
import { rememberLanguage } from './language-choice.ts';

/**
 * Link to the same page in the other language, which is remembered; renders nothing when the site offers one language only. A plain
 * link: without scripts the server stores the choice.
 */
export function LanguageSwitch({ className }: { className?: string }) {
  return useSite().languages.length > 1 ? <OtherLanguage className={className} /> : null;
}

/** The link itself; the back office has it independently of the languages that the site offers. */
export function OtherLanguage({ className }: { className?: string | undefined }) {
  const text = useText();
  const { pathname, search, hash, state } = useLocation();
  // The key of a private page is after '#', which the server does not receive.
  const mounted = useMounted();
  const other = localeOf(pathname) === 'es' ? 'en' : 'es';
  return (
    <Link
      to={localize(`${pathname}${search}${mounted ? hash : ''}`, other)}
      lang={other}
      hrefLang={other}
      title={text.nav.otherLanguage}
      className={cx('btn btn-ghost btn-icon font-semibold uppercase', className)}
      onClick={() => rememberLanguage(other)}
      state={state}
      replace
      preventScrollReset
    >
      <span aria-hidden="true">{other}</span>
      <span className="visually-hidden">{text.nav.otherLanguage}</span>
    </Link>
  );
}
