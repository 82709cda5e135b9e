import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { DEFAULT_SITE_NAME, withSiteName } from '#contract/site.ts';
import type { Locale } from '../format/format.ts';
import { localize, type Site, SiteProvider, useSite } from '../i18n/i18n.tsx';
import { errorScreen } from '../messages/error-screen.ts';
import { SiteIcons } from './SiteIcons.tsx';
import { SiteLogo } from './SiteLogo.tsx';

interface ErrorProps {
  locale: Locale;
  status: number;
}

/** Shown when not even the frame of a page could be rendered; the name of the site may be unknown too. */
export function ErrorScreen({ site, ...props }: ErrorProps & { site?: Pick<Site, 'name' | 'mark'> }) {
  const { name, mark } = site ?? { name: DEFAULT_SITE_NAME, mark: null };
  return (
    <SiteProvider value={{ name, mark, languages: [props.locale], planNotes: {} }}>
      <SiteIcons />
      <main className="min-h-svh py-4" id="content">
        <div className="page">
          <SiteLogo wordmark />
        </div>
        <ErrorContent {...props} />
      </main>
    </SiteProvider>
  );
}

/** The specified error screen of an unknown address and a crash; that of a refused search, which is no error, has its own heading. */
export function ErrorContent({ locale, status }: ErrorProps) {
  const { name } = useSite();
  const text = withSiteName(errorScreen[locale], name);
  return (
    <div className="page flex min-h-[calc(100svh-12rem)] flex-col py-8">
      <title>{`${status} · ${name}`}</title>
      <EmptyState
        className="m-auto"
        level={1}
        role="alert"
        scene={<SceneNotFound />}
        title={status === 429 ? text.refusedTitle : <span lang="en">{text.title}</span>}
        text={`${status} · ${status === 404 ? text.notFound : status === 429 ? text.tooMany : text.failed}`}
        action={
          <ButtonLink to={localize('/', locale)} variant="primary" reloadDocument>
            {text.home}
          </ButtonLink>
        }
      />
    </div>
  );
}
