import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Logger } from 'pino';
import { domainOf } from '#contract/live.ts';
import type { Migration } from '#server/db/migrate.ts';
import { readTokenMetadata } from '#server/domains/token-creation/creations.service.ts';
import { readListedSlugs } from '#server/domains/tokens/listed-slugs.service.ts';
import type { Env } from '#server/env.ts';
import { createApi, createVisitorApi } from '#server/http/api/api.ts';
import { API_DOCS } from '#server/http/api/api-docs.ts';
import { parseTrustedProxies, type TrustedProxies } from '#server/http/client-address.ts';
import { createEmulatorPages } from '#server/http/endpoints/emulator-pages.ts';
import { createLedgerFiles, ledgerFileLimit } from '#server/http/endpoints/ledger-files.ts';
import { createPageViewsEndpoint } from '#server/http/endpoints/page-views.ts';
import { createPlainForms } from '#server/http/endpoints/plain-forms.ts';
import { createWebhooks } from '#server/http/endpoints/webhooks.ts';
import { createListener } from '#server/http/listener.ts';
import { criticalStyles } from '#server/http/pages/critical-styles.ts';
import { publicDomains } from '#server/http/pages/pages.ts';
import { openReadCache } from '#server/http/pages/read-cache.ts';
import { type AppBuild, createRenderer } from '#server/http/pages/renderer.ts';
import { MICRO_CACHED, PURGED, type Purger, startPurger } from '#server/http/pages/shared-cache.ts';
import { loadStaticFiles } from '#server/http/pages/static-files.ts';
import { createReadiness } from '#server/http/readiness.ts';
import { drawingLimit } from '#server/http/share/card-drawing.ts';
import { openCardStore } from '#server/http/share/card-store.ts';
import { imagesOf } from '#server/http/share/share.ts';
import { MAX_PAGES } from '#server/http/share/site-lists.ts';
import { guestsMayUpload } from '#server/http/uploads/guest-uploads.ts';
import { createUploads } from '#server/http/uploads/uploads.ts';
import { pageSearchLimit } from '#server/lib/rate-limits/search-limits.ts';
import { openFilesLimit, streamsWithin } from '#server/live/stream-limit.ts';
import { createLiveStreams } from '#server/live/streams.ts';
import type { RequestLog } from '#server/log.ts';
import type { CachePurge } from '#server/providers/cache/port.ts';
import type { Payments } from '#server/providers/payments/open.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import type { Services } from '#server/services.ts';

/** Resolved through its package.json; importing the package itself would bundle it needlessly. */
const swaggerUi = path.dirname(
  createRequire(path.join(process.cwd(), 'package.json')).resolve('swagger-ui-dist/package.json'),
);

interface Options {
  /** The web app's build. */
  build: AppBuild;
  mode: 'production' | 'development';
  /** Folder with the built client files; undefined in development, where Vite serves them. */
  clientDir?: string;
  migrations: Migration[];
  /** Folder for uploads in progress. */
  spoolDir: string;
  /** Folder for drawn preview cards. */
  cardsDir: string;
  publicUrl: string;
  /** Origin from which browsers load images, instead of the site itself. */
  assetsUrl?: string | undefined;
  /** Origin of the bucket to which browsers upload. */
  bucketOrigin?: string | undefined;
  trustProxy: TrustedProxies;
  /** Every page is marked as a demo. */
  demoNotice: boolean;
  cachePages: boolean;
  /** Rendered pages share short-lived reads; by default as `cachePages`. */
  cacheReads?: boolean;
  /** The cache in front of the site that is purged on changes. */
  cachePurge?: CachePurge | null;
  /** Origin of the payment provider's emulator, when it runs. */
  emulator?: (() => Promise<string>) | undefined;
  log: Logger;
  logRequest: RequestLog;
  /** True during shutdown. */
  isStopping: () => boolean;
}

/** The options that the configuration decides, the same in production and development. */
export const configuredOptions = async (env: Env, storage: Storage, payments: Payments | null) => ({
  spoolDir: path.join(env.DATA_DIR, 'incoming'),
  cardsDir: path.join(env.DATA_DIR, 'cards'),
  publicUrl: env.PUBLIC_URL,
  assetsUrl: env.ASSETS_URL,
  bucketOrigin: await storage.direct?.origin(),
  trustProxy: parseTrustedProxies(env.TRUST_PROXY) ?? { hops: 0, listed: null },
  demoNotice: env.DEMO_REQUESTED,
  emulator: payments?.emulator?.origin,
});

export interface Site {
  listener: RequestListener;
  /** Renders the most visited pages before the first visitor. */
  warm: () => Promise<void>;
  /** Read by the metrics. */
  streams: { readonly size: number; readonly max: number };
  pages: { readonly size: number; readonly hits: number; readonly misses: number };
  /** Purges the cache in front of the site; null without one. */
  purger: Purger | null;
  /** Ends the live streams, which would stay open otherwise. */
  close: () => void;
}

/** Version of this program, from package.json. */
export const readVersion = (): string =>
  (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

/** Creates everything that answers over HTTP; the same in production and development. */
export function openSite(services: Services, options: Options): Site {
  const { publicUrl, migrations, log } = options;
  const { hub, now, readSession } = services;
  const streams = createLiveStreams({ hub, now, readSession, max: streamsWithin(openFilesLimit()) });
  const reads = (options.cacheReads ?? options.cachePages) ? openReadCache(services) : null;
  let purger: Purger | null = null;
  const api = createApi({
    makeContext: (request, resHeaders, visitor) => services.contextOf(request.headers, resHeaders, visitor),
    publicUrl,
    log,
    version: readVersion(),
  });
  const { listener, warm, cache } = createListener({
    api,
    render: createRenderer(
      options.build,
      (request) => {
        const context = () =>
          request ? services.contextOf(request.headers) : services.contextOf(new Headers(), new Headers(), 'visitor');
        return createVisitorApi(context, log);
      },
      options.mode,
      publicUrl,
      {
        demo: options.demoNotice,
        assets: options.assetsUrl,
        readCache: () => (services.hub.ready ? reads : null),
      },
    ),
    statics: loadStaticFiles(
      [
        ...(options.clientDir ? [{ dir: options.clientDir }] : []),
        { dir: swaggerUi, prefix: '/api/docs', only: ['swagger-ui.css', 'swagger-ui-bundle.js'], later: true },
      ],
      API_DOCS,
      publicUrl.startsWith('https:'),
    ),
    hub: services.hub,
    settings: services.settings,
    streams,
    replicaState: () => services.replica?.state ?? null,
    readiness: createReadiness({ services: services, migrations, isStopping: options.isStopping }),
    uploads: createUploads({
      services: services,
      publicUrl,
      log,
      spoolDir: options.spoolDir,
      mayUpload: guestsMayUpload(services.guestForms),
      imagesMayStay: () => purger?.trusted ?? false,
    }),
    pageViews: createPageViewsEndpoint({ views: services.pageViews, publicUrl, now: services.now }),
    ledger: createLedgerFiles({
      ledger: services.ledger,
      take: ledgerFileLimit(services),
      secure: publicUrl.startsWith('https:'),
      log,
    }),
    readImage: imagesOf(services.media),
    readMetadata: (requestId) => readTokenMetadata(services.db, requestId),
    readListedSlugs: () => readListedSlugs(services.db, MAX_PAGES),
    cards: openCardStore(options.cardsDir),
    consumeDrawingLimit: drawingLimit(services),
    consumeSearchLimit: pageSearchLimit(services),
    forms: createPlainForms(services, (request) => api.fetch(request), publicUrl),
    webhook: createWebhooks(services.payments, log),
    emulator: options.emulator ? createEmulatorPages(options.emulator, publicUrl) : null,
    publicUrl,
    origins: { assets: options.assetsUrl, bucket: options.bucketOrigin },
    ...(options.clientDir ? { stylesOf: criticalStyles(options.clientDir) } : {}),
    trustProxy: options.trustProxy,
    log,
    logRequest: options.logRequest,
    cachePages: options.cachePages,
    sharedCacheLifetime: () => (purger?.trusted ? PURGED : MICRO_CACHED),
  });
  if (options.cachePurge)
    purger = startPurger({
      purge: options.cachePurge,
      domains: publicDomains,
      changes: {
        onEvent: (listener) => hub.onEvent((event) => listener(domainOf(event))),
        onImageGone: (listener) => hub.onImageGone(listener),
        onUncertainty(listener) {
          hub.onResync(listener);
          hub.onLost(listener);
          // Every page may depend on settings.
          services.settings.onChange(listener);
        },
      },
      warn: (err, message) => log.warn({ err }, message),
      onTrustChange: () => cache.clear(),
    });
  return {
    listener,
    warm,
    streams,
    pages: cache,
    purger,
    close() {
      purger?.stop();
      streams.close();
    },
  };
}
