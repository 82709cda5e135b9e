import { useLocation, useRouteLoaderData } from 'react-router';
import { localeOf, localize, useSite } from '../i18n/i18n.tsx';

interface SeoProps {
  title: string;
  description?: string | null;
  /** Canonical path, when a page has several addresses; default: the current one. */
  path?: string;
  /** Path of the share card that the server draws: 'token/{slug}', 'news/{id}'. */
  card?: string;
  type?: 'website' | 'article';
  /** Excluded from search engines: personal and empty pages. */
  hidden?: boolean;
  /** Structured data of the page (schema.org); URLs in it are made absolute here. */
  about?: (absolute: (path: string) => string) => Record<string, unknown>;
}

/** Title, description, alternate language and preview of a page, for the head of the document. */
export function Seo({ title, description, path, card = 'site', type = 'website', hidden, about }: SeoProps) {
  const { pathname } = useLocation();
  const { origin, assets } = useRouteLoaderData<{ origin: string; assets: string }>('root') ?? {
    origin: '',
    assets: '',
  };
  const { name, languages } = useSite();
  const locale = localeOf(pathname);
  const here = path ?? pathname;
  const address = (language: 'es' | 'en') => origin + localize(here, language);
  const image = `${assets || origin}/og/${locale}/${card}.png`;
  return (
    <>
      <title>{title}</title>
      {description ? <meta name="description" content={description} /> : null}
      {hidden ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={address(locale)} />
          {languages.length > 1 ? (
            <>
              <link rel="alternate" hrefLang="es" href={address('es')} />
              <link rel="alternate" hrefLang="en" href={address('en')} />
              <link rel="alternate" hrefLang="x-default" href={address('es')} />
            </>
          ) : null}
          <meta property="og:site_name" content={name} />
          <meta property="og:type" content={type} />
          <meta property="og:title" content={title} />
          {description ? <meta property="og:description" content={description} /> : null}
          <meta property="og:url" content={address(locale)} />
          <meta property="og:locale" content={locale === 'es' ? 'es_ES' : 'en_US'} />
          <meta property="og:image" content={image} />
          {languages.length > 1 ? (
            <meta property="og:locale:alternate" content={locale === 'es' ? 'en_US' : 'es_ES'} />
          ) : null}
          <meta property="og:image:alt" content={title} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {about && !hidden ? (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON whose '<' is escaped, of a type that never runs.
          dangerouslySetInnerHTML={{
            __html: jsonOf({ '@context': 'https://schema.org', ...about((to) => origin + localize(to, locale)) }),
          }}
        />
      ) : null}
    </>
  );
}

/** Escaped, so that it cannot close the script element. */
const jsonOf = (value: Record<string, unknown>) => JSON.stringify(value).replaceAll('<', '\\u003c');
