import { readFileSync } from 'node:fs';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { asciiSource } from './scripts/lib/ascii-source.mjs';
import { iconFiles, withIconFiles } from './scripts/lib/icon-imports.mjs';
import { leftOutOf, withoutParts } from './scripts/lib/library-parts.mjs';

/** Libraries that every page needs: in one file they compress a tenth better than in many. */
const EVERY_PAGE = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(react-query|query-core)|@orpc)\//;

/** Where the first visit begins: the document, the layouts of the two languages, home. */
const FIRST_VISIT = /\/app\/(root|entry\.client|routes\/public\/(es|en|home))\.tsx/;
/** Loaded with its page or its language. */
const APART =
  /\/app\/(routes\/(?!public\/language-layout)|lib\/messages\/(?!define-messages)|ui\/(first-fonts|fonts\/))/;

/** Whether the first visit can't do without a module, by the imports that lead to it. */
function firstVisitNeeds(id: string, graph: Rolldown.ChunkingContext): boolean {
  const seen = new Set([id]);
  for (const one of seen) {
    if (FIRST_VISIT.test(one)) return true;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return false;
}

/** The pages of visitors and members, whose shared parts are no business of the back office and the other way round. */
const PUBLIC_PAGE = /\/app\/routes\/public\/(?!language-layout|es\.|en\.)[\w-]+\.tsx$/;
const ADMIN_PAGE = /\/app\/routes\/admin\/[\w-]+\.tsx$/;
/** So many pages make something common. */
const MANY = 3;

/** The file for what many pages of one side can't do without, by the imports that lead to it; null for what few need at once. */
function commonOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  const seen = new Set([id]);
  let pages = 0;
  let screens = 0;
  for (const one of seen) {
    if (PUBLIC_PAGE.test(one)) pages++;
    if (ADMIN_PAGE.test(one)) screens++;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  if (pages >= MANY) return 'common';
  return pages === 0 && screens >= MANY ? 'admin-common' : null;
}

/**
 * What the pages of one area share is one file each, because every small file costs a request with its headers and compresses worse.
 * A part brings what it imports unless an earlier one has it: first what many areas need.
 */
export const AREAS: readonly (readonly [name: string, modules: RegExp])[] = [
  ['field', /\/app\/ui\/controls\/Field\./],
  ['small-parts', /\/app\/lib\/(api\/challenge|session\/order-keys|i18n\/Quoted)\./],
  ['links', /\/(app\/lib\/messages\/links|contract\/fields\/links)\./],
  // Home reads the ranking without the controls.
  ['ranking', /\/app\/features\/voting\/(ranking\.queries|my-votes-channel)\./],
  [
    'voting',
    /\/app\/(features\/(voting\/(VoteControl|voting\.queries|live-counts)|race\/LazyVoteTicket)\.|lib\/messages\/(vote|explore-link)\.|ui\/(charts\/(AreaChart|Chart|Curve|line-path|marks|ticks)|layout\/Countdown)\.)/,
  ],
  // News and lists need these texts too, but not the facts.
  ['sharing', /\/app\/(features\/tokens\/ShareButton|lib\/messages\/token)\./],
  ['launch', /\/app\/lib\/(messages\/launch|format\/Launch(Countdown|Proof))\./],
  [
    'facts',
    /\/(app\/(features\/(saved\/(saved\.queries|browser-list)|tokens\/(FigureSource|tokens\.queries)|next-projects\/launch-window)|ui\/controls\/Copyable)|contract\/text\/launch-time)\./,
  ],
  [
    'board',
    /\/app\/(features\/(forum\/(board\/(Board|useLiveBoard)|comments\/(Comments|QuoteOf|LinkedComment|collapsed-comments)|posts\/(PostNote|PostLabels|NewPost|post-draft)|writing\/(autolink|UserText)|moderation\/MyWaiting|Author|useReactions|mutation-queue|Reactions|lazy-parts|JoinPrompt|forum\.queries)|media\/forum-image)|lib\/(messages\/(forum|discussion)|session\/restrictions))\./,
  ],
  [
    'forms',
    /\/(app\/(features\/media\/ImageUpload|lib\/(messages\/media|api\/image-accept|forms\/(as-link|random-key|useChecksum))|ui\/controls\/UploadField)|contract\/fields\/(token-form|draft-fields|wallets))\./,
  ],
  [
    'wizard',
    /\/(app\/(features\/token-requests\/wizard\/(draft-sync|draft-store|stored-draft|useDraft|draft-state|Fields|field-errors|payment-mode)|lib\/(messages\/create|page\/LazyDialog))|node_modules\/lucide-react\/dist\/esm\/icons\/(chevron-down|arrow-right|link-2|lock))\./,
  ],
];

/** Files of which a first visit runs most functions, each large enough to be compiled while it arrives. */
const RUN_AT_ONCE = ['base', 'shell'];
/** Has Chromium compile all functions of a file on another thread, instead of each on the main thread at its first call. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad';

/** The server's bundle in ASCII: half the memory for its source. */
const asciiServer: Plugin = {
  name: 'ascii-server',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'ssr',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = asciiSource(file.code);
  },
};

const ROUTER_ON_SERVER = `${import.meta.dirname}/app/lib/page/server-router.tsx`;

/** The server draws links with less than browsers need for them. */
const serverRouter: Plugin = {
  name: 'server-router',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  resolveId(source, importer = '') {
    const isFromApp = importer.startsWith(`${import.meta.dirname}/app/`) && importer !== ROUTER_ON_SERVER;
    return source === 'react-router' && isFromApp ? ROUTER_ON_SERVER : null;
  },
};

/** Browsers get React and the router without what this app never uses of them. */
const librariesInBrowser: Plugin = {
  name: 'libraries-in-browser',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    const parts = leftOutOf(id);
    return parts ? { code: withoutParts(code, (text) => this.parse(text), parts), map: null } : null;
  },
};

const BUNDLED_DRAWINGS = `${import.meta.dirname}/app/ui/art/drawings/bundled.ts`;

/** Browsers leave drawings as the document has them, and load the code of others: app/ui/art/Drawn.tsx. */
const drawingsInBrowser: Plugin = {
  name: 'drawings-in-browser',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) => (id === BUNDLED_DRAWINGS ? 'export const bundledDrawing = null;' : null),
};

const ALL_ICONS = `${import.meta.dirname}/node_modules/lucide-react/dist/esm/lucide-react.mjs`;

const ICON = `${import.meta.dirname}/app/ui/art/icon.ts`;

/** Icons are imported from their own files, so that each page gets those that it shows, and created by less code. */
const iconsInBrowser: Plugin = {
  name: 'icons-in-browser',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: (source, importer = '') =>
    source === '../createLucideIcon.mjs' && importer.includes('/lucide-react/dist/esm/icons/') ? ICON : null,
  transform(code, id) {
    if (!id.startsWith(`${import.meta.dirname}/app/`) || !code.includes("from 'lucide-react'")) return null;
    icons ??= iconFiles(readFileSync(ALL_ICONS, 'utf8'));
    return { code: withIconFiles(code, icons), map: null };
  },
};
let icons: Map<string, string> | undefined;

export default defineConfig(({ command }) => ({
  plugins: [
    serverRouter,
    librariesInBrowser,
    drawingsInBrowser,
    iconsInBrowser,
    tailwindcss(),
    reactRouter(),
    asciiServer,
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            postBanner: ({ name }: { name: string }) => (RUN_AT_ONCE.includes(name) ? COMPILE_AHEAD : ''),
            codeSplitting: {
              groups: [
                { name: 'base', test: EVERY_PAGE, priority: 40 },
                // Only the forms of the back office check with the contract's schemas.
                { name: 'zod', test: /node_modules\/zod\//, priority: 40 },
                {
                  // What other pages share with home, so that home loads nothing that it does not need.
                  name: (id, graph) => (!APART.test(id) && firstVisitNeeds(id, graph) ? 'shell' : null),
                  debugName: 'shell',
                  minShareCount: 2,
                  priority: 30,
                },
                {
                  name: commonOf,
                  debugName: 'common',
                  priority: 20,
                  // What many pages need but home; a part brings all that it imports, so those with dialogs and forms stay
                  // outside, and so do the back office and the wizard, whose many modules share much.
                  test: /\/(app|contract)\/(?!lib\/(messages\/|session\/(?!sign-in-return)|api\/(upload|challenge)|format\/Launch|page\/(Markup|RiskNotice)|i18n\/LanguageOfferContent)|features\/|routes\/|admin\/|fields|draft-fields|submission-fields|each|links|plan-items|project-texts|token-form|wallets|text\/(markup|plan-items|comment-anchor)|ui\/(layout\/Countdown|first-fonts|fonts|controls\/(Dialog|Menu|Tabs|UploadField|Field|Pagination|Copyable|Toaster)))|node_modules\/lucide-react\//,
                  minShareCount: MANY,
                },
                ...AREAS.map(([name, test], at) => ({ name, test, minShareCount: 2, priority: AREAS.length - at })),
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Build only (the development runner can't inline CommonJS): one bundle starts in a third of the time. Native packages
      // and the job queue, which reads files beside itself, stay outside.
      resolve:
        command === 'build'
          ? { noExternal: true, external: ['@node-rs/argon2', 'pg-native', 'pino', 'pg-boss', 'sharp'] }
          : {},
      // Or the bundle holds React twice, once for development.
      ...(command === 'build' ? { define: { 'process.env.NODE_ENV': JSON.stringify('production') } } : {}),
      build: {
        target: 'node24',
        minify: false,
        rolldownOptions: {
          input: { index: './server/main.ts' },
          // Node keeps the source of a module in memory: a seventh of it was comments.
          output: { comments: { legal: true, annotation: false, jsdoc: false } },
        },
      },
    },
  },
}));
