import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import {
  type HeadersArgs,
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useRouteLoaderData,
} from 'react-router';
import { loadWithRetry } from '#app/lib/page/later.ts';
import { AssetsBase } from '#app/ui/assets.ts';
import { keepFocusFromFirst } from '#app/ui/controls/keep-focus.ts';
import { themeScript } from '#app/ui/controls/theme-script.ts';
import { fontPreloads } from '#app/ui/font-preloads.ts';
import stylesheet from './app.css?url';
import { apiContext, assetsContext, demoContext, originContext } from './context.ts';
import { queryClient } from './lib/api/query-client.ts';
import { localeOf } from './lib/i18n/i18n.tsx';
import { languageOfferScript } from './lib/i18n/language-choice.ts';
import { followLive } from './lib/live/live.ts';
import { ReleaseNotice } from './lib/live/ReleaseNotice.tsx';
import { leaveOldRelease } from './lib/live/release.ts';
import { endStaleness, PAGE_SHOWN } from './lib/live/stale.ts';
import { DemoBanner } from './lib/page/DemoBanner.tsx';
import { ErrorScreen } from './lib/page/ErrorScreen.tsx';
import { Notices } from './lib/page/Notices.tsx';
import { ScriptMark } from './lib/page/script-mark.ts';
import { trustedTypesScript } from './lib/page/trusted-types.ts';
import { memberHintScript } from './lib/session/member-hint.ts';
import faces from './ui/styles/fonts.css?url';

const headScript = `${trustedTypesScript};${themeScript};${memberHintScript};${languageOfferScript}`;

/** After the first paint and what it loads. Milliseconds. */
const IDLE = 3_000;

/** The origin is for absolute addresses in the head, assets is where images come from; they and the demo stay while a page is open, the notices follow. */
export const loader = async ({ context }: LoaderFunctionArgs) => ({
  origin: context.get(originContext),
  assets: context.get(assetsContext),
  demo: context.get(demoContext),
  notices: await context.get(apiContext).settings.notices(),
});
export const shouldRevalidate = () => false;
/** When a page is refused, the answer says for how long. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const mark = useContext(ScriptMark);
  useEffect(() => {
    // Tests and the curious see here that the page answers to clicks.
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
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {fontPreloads.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        <script
          nonce={mark}
          // It has run in the document. In the browser it is empty: should the page ever be drawn anew there, because it was not what the
          // document says, Trusted Types would refuse the text, and with it the whole page.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours, allowed by their hash.
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? headScript : '' }}
        />
        <Meta />
        <Links />
        {import.meta.env.PROD
          ? null
          : [faces, stylesheet].map((href) => <link key={href} rel="stylesheet" href={href} />)}
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
        {/* What the first paint needs of it, and all faces, are in the head (server/http/pages/critical-styles.ts): the rest makes nobody wait. */}
        {import.meta.env.PROD ? <link rel="stylesheet" href={stylesheet} data-faces={faces} /> : null}
      </body>
    </html>
  );
}

export default function App() {
  const { assets, demo, notices } = useLoaderData<typeof loader>();
  const [queries] = useState(queryClient);
  useEffect(() => endStaleness(queries), [queries]);
  useEffect(() => followLive(queries), [queries]);
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

/** When the page has nothing else to do: that it was shown is counted, and it can then be read without a connection. */
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
  // Not there where it failed itself.
  const name = useRouteLoaderData<typeof loader>('root')?.notices.site.name;
  return <ErrorScreen locale={localeOf(pathname)} status={status} {...(name ? { siteName: name } : {})} />;
}
