// Every screen and its states: what `npm run screens` takes pictures of.
import type { Page, Route } from '@playwright/test';
import { mails } from './mails.ts';
import type { Seeded } from './seed.ts';

export interface Screen {
  name: string;
  path: string;
  as?: 'member' | 'admin';
  /** On a server without the demo's content. */
  bare?: boolean;
  /** Instead of an address: a document of its own. */
  html?: string;
  /** What to do before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
  /** What to do before the picture. */
  before?: (page: Page) => Promise<unknown>;
  /** Only what a window shows, not the whole page: for what floats over it. */
  window?: boolean;
  /** The widths at which it exists, if not at all. */
  widths?: readonly number[];
}

const NARROW = [360, 768] as const;

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first();
const press =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await button(page, name).click();
  };
const choose = (opener: RegExp, item: string) => async (page: Page) => {
  await button(page, opener).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
/** Presses at a phone's width, where the button is; the picture follows at its own widths. */
const pressNarrow = (name: string) => async (page: Page) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await button(page, name).click();
};
const answers = (pattern: string, answer: (route: Route) => Promise<unknown>) => (page: Page) =>
  page.route(`**/rpc/${pattern}*`, (route) => void answer(route));
/** The request is never answered: the page stays in its waiting state. */
const held = (pattern: string) => answers(pattern, async () => {});
const failed = (pattern: string) => answers(pattern, (route) => route.fulfill({ status: 500, json: {} }));

async function fillWizard(page: Page): Promise<void> {
  const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
  await fill('Name', 'Ajolote de plata');
  await fill('Ticker', 'AJO');
  await fill('Description', 'Un token de lago para quien cuida el agua.');
  await page.getByLabel('Red blockchain', { exact: true }).selectOption({ label: 'Ethereum' });
  await fill('Wallet del propietario', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  await fill('Correo electrónico', 'ana@florka.test');
  await fill('Usuario de Telegram', '@ana');
}
const STEPS = ['Mercado', 'Redes y contacto', 'Plan', 'Pago'];
const wizardStep = (steps: number) => async (page: Page) => {
  await fillWizard(page);
  for (const name of STEPS.slice(0, steps)) {
    await button(page, 'Next').click();
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
  }
};
const pay = (action?: string) => async (page: Page) => {
  await wizardStep(4)(page);
  const opened = page.context().waitForEvent('page');
  await button(page, 'Crear pago').click();
  const tab = await opened;
  await tab.waitForURL(/\/sandbox\/pay\/\d+$/);
  await page.getByText('Esperando pago', { exact: true }).waitFor();
  if (!action) return;
  await tab.getByRole('button', { name: action, exact: true }).click();
  await page.bringToFront();
  await page.getByText('Payment Confirmed!').first().waitFor({ timeout: 30_000 });
};

/** Ids and slugs of what the demo's content shows. */
interface Content {
  next: string | undefined;
  news: string | undefined;
  project: string | undefined;
  candidate: string | undefined;
}

async function readContent(base: string): Promise<Content> {
  const read = async <T>(address: string) => (await (await fetch(base + address)).json()) as T;
  const slugOf = async (address: string) =>
    (await read<{ items: { tokenSlug: string }[] }>(address)).items[0]?.tokenSlug;
  const next = (await read<{ items: { id: string }[] }>('/api/next-projects')).items[0]?.id;
  const news = (await read<{ items: { id: string }[] }>('/api/news')).items[0]?.id;
  const project = await slugOf('/api/projects');
  const candidate = await slugOf('/api/candidates');
  return { next, news, project, candidate };
}

const contentScreens = ({ next, news, project, candidate }: Content): Screen[] => [
  { name: 'home', path: '/' },
  { name: 'home-new', path: '/?tab=new' },
  { name: 'home-en', path: '/en' },
  { name: 'home-bare', path: '/', bare: true },
  { name: 'menu', path: '/vote', before: pressNarrow('Abrir menú'), window: true, widths: NARROW },
  { name: 'menu-member', path: '/', as: 'member', before: pressNarrow('Abrir menú'), window: true, widths: NARROW },
  { name: 'vote', path: '/vote' },
  { name: 'vote-member', path: '/vote', as: 'member', before: press(/^Votar por/), window: true },
  { name: 'vote-bare', path: '/vote', bare: true },
  { name: 'token-project', path: `/token/${project}` },
  { name: 'token-candidate', path: `/token/${candidate}` },
  { name: 'token-next', path: `/token/${next}` },
  { name: 'token-missing', path: '/token/nobody' },
  { name: 'next', path: '/next' },
  { name: 'next-bare', path: '/next', bare: true },
  { name: 'news', path: '/news' },
  { name: 'news-empty', path: '/news?q=zzzz' },
  { name: 'news-item', path: `/news/${news}`, window: true },
  { name: 'news-bare', path: '/news', bare: true },
  { name: 'search', path: '/search?q=luna' },
  { name: 'search-empty', path: '/search?q=zzzzqq' },
  { name: 'ledger', path: '/ledger' },
  { name: 'notifications', path: '/notifications', as: 'member' },
  { name: 'about', path: '/about' },
  { name: 'prices', path: '/prices' },
  { name: 'forum', path: '/forum' },
  { name: 'forum-member', path: '/forum', as: 'member' },
  { name: 'forum-found', path: '/forum?q=zzzz' },
  { name: 'forum-bare', path: '/forum', bare: true, as: 'member' },
  {
    name: 'forum-emoji',
    path: '/forum',
    as: 'member',
    before: async (page) => {
      await page.getByLabel('Título').fill('¿Quién viene al lanzamiento?');
      await page.getByLabel('Contenido').fill('Llevo mate y paciencia.');
    },
    window: true,
  },
  { name: 'forum-report', path: '/forum', as: 'member', before: press(/^Denunciar/), window: true },
];

const orderScreens = (seeded: Seeded): Screen[] => [
  { name: 'create-1', path: '/create' },
  {
    name: 'create-1-advanced',
    path: '/create',
    before: (page) => page.getByText('Advanced', { exact: true }).click(),
  },
  { name: 'create-1-faults', path: '/create', before: press('Next') },
  { name: 'create-2', path: '/create', before: wizardStep(1) },
  { name: 'create-3', path: '/create', before: wizardStep(2) },
  { name: 'create-4', path: '/create', before: wizardStep(3) },
  { name: 'create-5', path: '/create', before: wizardStep(4) },
  { name: 'create-5-waiting', path: '/create', before: pay() },
  { name: 'create-5-part', path: '/create', before: pay('Pagar una parte (40 %)') },
  { name: 'create-5-paid', path: '/create', before: pay('Pagar todo') },
  { name: 'order-waiting', path: seeded.waiting },
  { name: 'order-part', path: seeded.part },
  { name: 'order-paid', path: seeded.paid },
  { name: 'order-failed', path: seeded.failed },
  { name: 'order-missing', path: '/order/nonsense#x' },
  { name: 'publish', path: '/publish' },
  { name: 'publish-faults', path: '/publish', before: press('Enviar a revisión') },
  { name: 'submission', path: seeded.submission },
  { name: 'submission-missing', path: '/submission/nonsense#x' },
];

const accountScreens = (base: string, { project, candidate }: Content): Screen[] => [
  { name: 'auth', path: '/auth' },
  { name: 'auth-register', path: '/auth', before: (page) => page.getByRole('tab', { name: 'Registrarse' }).click() },
  {
    name: 'auth-faults',
    path: '/auth',
    before: async (page) => {
      await page.getByRole('tab', { name: 'Registrarse' }).click();
      await page.getByLabel('Correo electrónico').fill('ana@');
      await page.getByLabel('Contraseña').fill('corta');
      await page.locator('form').getByRole('button', { name: 'Registrarse' }).click();
    },
  },
  { name: 'auth-forgot', path: '/auth', before: press('¿Olvidaste tu contraseña?') },
  { name: 'auth-code', path: '/auth', before: press('Entrar con un código de un solo uso') },
  { name: 'auth-member', path: '/auth', as: 'member' },
  { name: 'reset', path: '/reset#nothing' },
  { name: 'verify', path: '/verify#nothing' },
  { name: 'unsubscribe', path: '/unsubscribe#nothing' },
  { name: 'saved', path: '/saved' },
  {
    name: 'saved-some',
    path: `/token/${project}`,
    before: async (page) => {
      await button(page, 'Guardar').click();
      await page.goto(`${base}/token/${candidate}`);
      await button(page, 'Guardar').click();
      await page.goto(`${base}/saved`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  { name: 'account', path: '/account', as: 'member' },
  { name: 'account-delete', path: '/account', as: 'member', before: press('Eliminar mi cuenta'), window: true },
];

const otherScreens = (base: string, seeded: Seeded, { next, news, project, candidate }: Content): Screen[] => [
  { name: 'not-found', path: '/nowhere' },
  {
    name: 'failed',
    path: '/news',
    // An answer that no screen can show.
    prepare: answers('news/', (route) =>
      route.fulfill({ json: { json: { items: [null], total: 1, nextCursor: null } } }),
    ),
    before: async (page) => {
      await page.getByRole('searchbox').fill('feria');
      await page.getByRole('searchbox').press('Enter');
      await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    },
  },
  {
    name: 'order-offline',
    path: seeded.waiting,
    before: async (page) => {
      await page.getByRole('heading', { name: 'Esperando tu pago' }).waitFor();
      await page.context().setOffline(true);
      await button(page, 'Check Status').click();
      await page.getByText(/^Sin conexión:/).waitFor({ timeout: 30_000 });
    },
  },
  {
    name: 'brand',
    path: '/',
    html: brand(
      base,
      [
        '/og/es/site.png',
        '/og/en/site.png',
        `/og/es/token/${project}.png`,
        `/og/es/token/${candidate}.png`,
        `/og/es/news/${news}.png`,
      ],
      [project, candidate, next].map((slug) => `/badge/${slug}.svg`),
    ),
    widths: [1280],
  },
];

/** What other sites show: cards, badges, icons. */
const brand = (base: string, cards: string[], badges: string[]) =>
  `<!doctype html><html data-hydrated=yes style="color-scheme:light dark"><body style="display:flex;flex-wrap:wrap;gap:20px;align-items:center">
  ${['/favicon.svg', '/apple-touch-icon.png'].map((at) => `<img src="${base}${at}" width=16><img src="${base}${at}" width=32><img src="${base}${at}" width=128>`).join('')}
  ${badges.map((at) => `<img src="${base}${at}" height=28>`).join('')}
  ${cards.map((at) => `<img src="${base}${at}" width=600>`).join('')}</body></html>`;

const adminScreen = (name: string, address: string, over: Partial<Screen> = {}): Screen => ({
  name: `admin-${name}`,
  path: `/admin${address && `/${address}`}`,
  as: 'admin',
  ...over,
});
const open = (name: string, address: string, before: Screen['before']) =>
  adminScreen(name, address, { ...(before ? { before } : {}), window: true });

/** The menu of a member of the demo: on one's own row most actions are closed. */
const OF_MEMBER = /^Más acciones para miembro/;

const adminScreens = (seeded: Seeded): Screen[] => [
  { name: 'admin', path: '/admin', as: 'admin' },
  { name: 'admin-login', path: '/admin-login' },
  { name: 'admin-refused', path: '/admin', as: 'member' },
  {
    name: 'admin-menu',
    path: '/admin',
    as: 'admin',
    before: pressNarrow('Abrir menú de administración'),
    window: true,
    widths: NARROW,
  },
  adminScreen('inbox', 'inbox'),
  adminScreen('inbox-bare', 'inbox', { bare: true }),
  adminScreen('audit', 'audit'),
  adminScreen('projects', 'projects'),
  adminScreen('projects-bare', 'projects', { bare: true }),
  adminScreen('projects-found', 'projects?q=zzzz'),
  adminScreen('projects-waiting', 'projects', { prepare: held('admin/projects/list') }),
  adminScreen('projects-failed', 'projects', {
    prepare: failed('admin/projects/list'),
    before: (page) => page.getByRole('alert').first().waitFor(),
  }),
  open('project-form', 'projects', press('Nuevo Proyecto')),
  open('project-faults', 'projects', press('Nuevo Proyecto', 'Crear')),
  open('project-details', 'projects', press(/^Ver /)),
  open('project-history', 'projects', press(/^Historial de /)),
  open('project-delete', 'projects', press(/^Eliminar /)),
  adminScreen('next', 'next-projects'),
  open('next-form', 'next-projects', press('Nuevo Proyecto NEXT')),
  open('next-details', 'next-projects', press(/^Ver /)),
  adminScreen('news', 'news'),
  adminScreen('news-bare', 'news', { bare: true }),
  open('news-form', 'news', press('Nueva Noticia')),
  open('news-details', 'news', press(/^Ver /)),
  adminScreen('votes', 'votes'),
  adminScreen('votes-bare', 'votes', { bare: true }),
  open('votes-form', 'votes', press('Nuevo Candidato')),
  open('votes-close-early', 'votes', press('Cerrar antes de tiempo')),
  open('votes-closing', 'votes', press('Mover el cierre')),
  open('votes-reset', 'votes', press(/^Reiniciar votos de/)),
  adminScreen('rounds', 'votes/rounds'),
  adminScreen('vote-review', 'vote-review'),
  adminScreen('deliverables', 'deliverables'),
  open('deliverables-withdraw', 'deliverables', press(/^Retirar/)),
  adminScreen('terms', 'deliverable-terms'),
  adminScreen('refunds', 'refunds'),
  adminScreen('money', 'money'),
  adminScreen('site-pages', 'site-pages'),
  adminScreen('media', 'media'),
  adminScreen('forum', 'forum'),
  open('forum-hide', 'forum', press(/^Ocultar/)),
  adminScreen('moderators', 'moderator-requests'),
  open('moderators-approve', 'moderator-requests', press(/^Aprobar a/)),
  adminScreen('roles', 'users'),
  adminScreen('users', 'complete-users'),
  open('users-menu', 'complete-users', press(OF_MEMBER)),
  open('users-edit', 'complete-users', choose(OF_MEMBER, 'Editar')),
  open('users-block', 'complete-users', choose(OF_MEMBER, 'Bloquear o desactivar')),
  open('users-form', 'complete-users', press('Nuevo usuario')),
  adminScreen('submissions', 'submissions'),
  adminScreen('submissions-bare', 'submissions', { bare: true }),
  open('submission', 'submissions', press(/^Ver /)),
  adminScreen('requests', 'token-creation'),
  open('request', `token-creation?request=${seeded.paid.split(/[/#]/)[2]}`, (page) =>
    page.getByRole('dialog').waitFor(),
  ),
  open('request-part', `token-creation?request=${seeded.part.split(/[/#]/)[2]}`, (page) =>
    page.getByRole('dialog').waitFor(),
  ),
  adminScreen('creation', 'token-creation?tab=create'),
  adminScreen('networks', 'networks'),
  adminScreen('settings', 'settings'),
  adminScreen('doctor', 'doctor'),
  open('networks-edit', 'networks', press(/^Editar /)),
  open('networks-toast', 'networks', press(/^Desactivar /)),
  open('networks-history', 'networks', press('Desactivar Polygon', 'Historial de Polygon')),
];

export async function screensOf(base: string, seeded: Seeded): Promise<Screen[]> {
  const content = await readContent(base);
  return [
    ...contentScreens(content),
    ...orderScreens(seeded),
    ...accountScreens(base, content),
    ...otherScreens(base, seeded, content),
    ...adminScreens(seeded),
    ...mails(base).map((mail): Screen => ({ ...mail, path: '', widths: NARROW })),
  ];
}
