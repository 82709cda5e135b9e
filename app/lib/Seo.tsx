import { useLocation } from 'react-router';
import { localize } from './i18n.tsx';

/** Title, description and the page's twin in the other language, for the head of the document. */
export function Seo({ title, description }: { title: string; description?: string | null }) {
  const { pathname } = useLocation();
  return (
    <>
      <title>{title}</title>
      {description ? <meta name="description" content={description} /> : null}
      <link rel="alternate" hrefLang="es" href={localize(pathname, 'es')} />
      <link rel="alternate" hrefLang="en" href={localize(pathname, 'en')} />
    </>
  );
}
