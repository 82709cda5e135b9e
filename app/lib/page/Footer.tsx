import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { Marquee } from '#app/ui/art/Marquee.tsx';
import { fragment } from '#app/ui/fragment.ts';
import { SITE_PAGES } from '#contract/limits.ts';
import { SiteLogo } from './SiteLogo.tsx';

const FOOTER_LINK = 'link inline-flex min-h-11 min-w-11 items-center';

/** Footer of every public page: its links. */
export const Footer = fragment(() => {
  const text = useText();
  const href = useHref();
  return (
    <footer className="mt-16 border-t border-line">
      <Marquee />
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-8 text-sm text-quiet">
        <div className="flex items-center gap-3">
          <SiteLogo size={36} decorative className="flex-none text-text" />
          <p>
            {text.brand.name} · {text.nav.footer}
          </p>
        </div>
        <nav aria-label={text.nav.about}>
          <ul className="grid grid-cols-2 gap-x-6 xs:flex xs:flex-wrap">
            {SITE_PAGES.map((page) => (
              <li key={page}>
                <Link to={href(`/${page}`)} className={FOOTER_LINK}>
                  {text.nav.pages[page]}
                </Link>
              </li>
            ))}
            <li>
              <Link to={href('/saved')} className={FOOTER_LINK}>
                {text.nav.saved}
              </Link>
            </li>
            <li>
              <Link to={href('/ledger')} className={FOOTER_LINK}>
                {text.nav.ledger}
              </Link>
            </li>
            <li>
              <Link to={href('/moderation')} className={FOOTER_LINK}>
                {text.nav.moderation}
              </Link>
            </li>
            <li>
              <a href="/api/docs" className={FOOTER_LINK}>
                {text.nav.apiDocs}
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
});
