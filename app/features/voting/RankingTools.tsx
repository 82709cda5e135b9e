import { Link } from 'react-router';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreLinkTexts } from '#app/lib/messages/explore-link.ts';

/** Actions on the ranking: filter, print, embed on another site. */
export function RankingTools() {
  const { explore: text } = useText(exploreLinkTexts);
  const href = useHref();
  const linkClass = 'link inline-flex min-h-10 items-center';
  return (
    <>
      <Link to={href('/tokens?kind=candidate')} className={linkClass}>
        {text.link}
      </Link>
      <button type="button" className={linkClass} onClick={() => print()}>
        {text.print}
      </button>
      <a href={useLocale() === 'en' ? '/embed/en/ranking' : '/embed/ranking'} className={linkClass}>
        {text.embed}
      </a>
    </>
  );
}
