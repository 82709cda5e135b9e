import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, useContext, useEffect, useState } from 'react';
import {
  type HeadersArgs,
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { LazyDrawing } from '#app/ui/art/Drawn.tsx';
import { AssetsBase } from '#app/ui/assets.ts';
import { keepFocusFromFirst } from '#app/ui/controls/keep-focus.ts';
import { themeScript } from '#app/ui/controls/theme-script.ts';
import { firstFontsScript } from '#app/ui/first-fonts.ts';
import stylesheet from './app.css?url';
import { apiContext, assetsContext, demoContext, originContext } from './context.ts';
import { queryClient } from './lib/api/query-client.ts';
import { localeOf } from './lib/i18n/i18n.tsx';
import { languageOfferScript } from './lib/i18n/language-choice.ts';
import { connectLive } from './lib/live/live.ts';
import { ReleaseNotice } from './lib/live/ReleaseNotice.tsx';
import { leaveOldRelease } from './lib/live/release.ts';
import { endStaleness, PAGE_SHOWN } from './lib/live/stale.ts';
import { DemoBanner } from './lib/page/DemoBanner.tsx';
import { ErrorScreen } from './lib/page/ErrorScreen.tsx';
import { Notices } from './lib/page/Notices.tsx';
import { ScriptNonce } from './lib/page/script-nonce.ts';
import { trustedTypesScript } from './lib/page/trusted-types.ts';
import { memberHintScript } from './lib/session/member-hint.ts';
import faces from './ui/styles/fonts.css?url';

/** Empty in browsers: it has already run in the document. If the page were ever rendered again there, because of a hydration mismatch,
 * Trusted Types would refuse the text, and with it the whole page. */
const headScript = import.meta.env.SSR
  ? `${trustedTypesScript};${firstFontsScript};${themeScript};${memberHintScript};${languageOfferScript}`
  : '';

/** Loaded for the first drawing that is not in the document. */
const Drawing = lazy(() => loadWithRetry(() => import('#app/ui/art/drawings/Drawing.tsx')));

/** After the first paint and the code it loads. Milliseconds. */
const IDLE = 3_000;

/**
 * The origin is used for absolute URLs in the head, assets is the origin of images; they and the demo flag stay while a page is open,
 * the notices are updated.
 */
export const loader = async ({ context }: LoaderFunctionArgs) => ({
  origin: context.get(originContext),
  assets: context.get(assetsContext),
  demo: context.get(demoContext),
  notices: await context.get(apiContext).settings.notices(),
});
export const shouldRevalidate = () => false;
/** A refused page has a Retry-After header. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const nonce = useContext(ScriptNonce);
  useEffect(() => {
    // Marks for tests that the page is hydrated.
    document.documentElement.dataset['hydrated'] = 'yes';
  }, []);
  return (
    <html lang={localeOf(pathname)} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e0f1a" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf7ef" />
        <link rel="manifest" href="/site.webmanifest" />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours, allowed by their hash.
          dangerouslySetInnerHTML={{ __html: headScript }}
        />
        <Links />
        {import.meta.env.PROD
          ? null
          : [faces, stylesheet].map((href) => <link key={href} rel="stylesheet" href={href} />)}
      </head>
      <body>
        <LazyDrawing value={Drawing}>{children}</LazyDrawing>
        <ScrollRestoration />
        <Scripts />
        {/* The head has the styles of the first paint and all font faces (server/http/pages/critical-styles.ts); this does not block rendering. */}
        {import.meta.env.PROD ? <link rel="stylesheet" href={stylesheet} data-faces={faces} /> : null}
      </body>
    </html>
  );
}

export default function App() {
  const { assets, demo, notices } = useLoaderData<typeof loader>();
  const [queries] = useState(queryClient);
  useEffect(() => endStaleness(queries), [queries]);
  useEffect(() => connectLive(queries), [queries]);
  useEffect(() => keepFocusFromFirst(() => loadWithRetry(() => import('#app/ui/controls/focus.ts'))), []);
  useEffect(() => leaveOldRelease(), []);
  useEffect(() => afterFirstLoad(), []);
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address is another page.
  useEffect(() => void dispatchEvent(new Event(PAGE_SHOWN)), [pathname, search]);
  return (
    <QueryClientProvider client={queries}>
      <AssetsBase value={assets}>
        <Notices first={notices} above={demo ? <DemoBanner /> : null}>
          <ReleaseNotice />
          <Outlet />
        </Notices>
      </AssetsBase>
    </QueryClientProvider>
  );
}

/** When the page is idle: counts the view, and registers the service worker for offline reading. */
function afterFirstLoad(): () => void {
  if (!import.meta.env.PROD) return () => {};
  const timer = setTimeout(
    () =>
      void import('./lib/page/after-first-load.ts').then(
        ({ start }) => start(),
        () => {},
      ),
    IDLE,
  );
  return () => clearTimeout(timer);
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const { pathname } = useLocation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  // Undefined when the loader of the root itself failed.
  const site = useRouteLoaderData<typeof loader>('root')?.notices.site;
  return <ErrorScreen locale={localeOf(pathname)} status={status} {...(site ? { site } : {})} />;
}
