// Sends markup in every text that the API accepts, and checks every page that shows it, as bytes and in a browser.
import { type Browser, chromium, type Page } from '@playwright/test';
import { isSignedIn } from './access.ts';
import { type AttackContext, readKnown } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { nameOf, type Operation, targetOf } from './operations.ts';
import { clearLimits, type HttpClient, newPerson } from './people.ts';
import type { Random } from './random.ts';
import { sampleOf } from './values.ts';

const PAYLOADS = [
  `"'><img src=x onerror=attackRan()>`,
  '</script><script>attackRan()</script>',
  '<svg onload=attackRan()>',
  '[x](javascript:attackRan()) <a href="javascript:attackRan()">x</a>',
  '<iframe srcdoc="<script>parent.attackRan()</script>">',
  '--></title><script>attackRan()</script>',
];
/** An element of ours that came from a payload would begin like this; as text it is escaped. */
const ALIVE = /<(img src=x onerror|script>attackRan|svg onload|iframe srcdoc|a href="javascript:)/i;
/** A payload as escaped text. */
const SHOWN = /attackRan\(\)/;
export const PATHS = [
  '/',
  '/vote',
  '/next',
  '/news',
  '/forum',
  '/ledger',
  '/search?q=attackRan',
  '/about',
  '/en',
  '/en/forum',
];
export const SCREENS = [
  '/admin',
  '/admin/news',
  '/admin/projects',
  '/admin/users',
  '/admin/forum',
  '/admin/submissions',
  '/admin/audit',
  '/admin/inbox',
];
/** Would delete the account that the run writes with. */
const NOT_CALLED = /sign-out|\/account\/(remove|password|email)|ban|\/roles|\/users/;

/**
 * @param browser path of a Chromium; undefined checks the bytes only.
 * @param max maximum number of pages that are checked.
 */
export async function attackByMarkup(
  context: AttackContext,
  operations: Operation[],
  random: Random,
  findings: Findings,
  { browser, max }: { browser: string | undefined; max: number },
): Promise<string> {
  const writes = operations.filter(({ method, body, path }) => method !== 'GET' && body && !NOT_CALLED.test(path));
  let admin = await newPerson(context.target, 'admin');
  let member = await newPerson(context.target, 'member');
  let taken = 0;
  for (const payload of PAYLOADS) {
    const known = { ...(await readKnown(context.target, [])), text: (length: number) => payload.slice(0, length) };
    await clearLimits(context.target);
    for (const operation of writes) {
      const who = operation.path.startsWith('/admin/') ? admin : member;
      const target = `/api${targetOf(operation, random, known, 0)}`;
      const answer = await who.send(operation.method, target, sampleOf(operation.body, random, known, 0));
      checkResponse(findings, who.kind, nameOf(operation), answer, context.secrets);
      if (answer.status === 200) taken++;
      // Some of these operations end the session; the following ones would only be refused.
      if (answer.status !== 401 || (await isSignedIn(who))) continue;
      if (who === admin) admin = await newPerson(context.target, 'admin');
      else member = await newPerson(context.target, 'member');
    }
    const post = { title: payload, content: `${payload}${random.below(1e9)}` };
    const author = await newPerson(context.target, 'member');
    const posted = await author.send('POST', '/api/forum/posts', post);
    checkResponse(findings, author.kind, 'POST /api/forum/posts', posted, context.secrets);
  }
  if (!(await isSignedIn(admin))) admin = await newPerson(context.target, 'admin');
  const pages = await pagesOf(new Set(PATHS), admin, max, findings);
  for (const [path, html] of pages)
    if (ALIVE.test(html)) findings.add('script execution', `${path}: a payload is an element`);
  // A page that shows none of the payloads tests nothing. The search page has its own check.
  if (![...pages].some(([path, html]) => !path.startsWith('/search') && SHOWN.test(html)))
    findings.add('other', `none of ${pages.size} pages shows a payload`);
  const opened = browser ? await open(browser, context, admin, [...pages.keys(), ...SCREENS], findings) : 0;
  return `${writes.length} operations × ${PAYLOADS.length} payloads, ${taken} taken; ${pages.size} pages as bytes, ${opened} in a browser`;
}

/** Visits documents from these on, following the links of the site. */
async function pagesOf(
  waiting: Set<string>,
  who: HttpClient,
  max: number,
  findings: Findings,
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const path of waiting) {
    if (pages.size >= max) break;
    const answer = await who.request('GET', path);
    const { text, headers } = answer;
    checkResponse(findings, who.kind, `GET ${path}`, answer, []);
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    pages.set(path, text);
    for (const [, link = ''] of text.matchAll(/href="(\/(?:token|news|forum)\/[^"#?]+)"/g)) waiting.add(link);
  }
  return pages;
}

async function open(
  executablePath: string,
  { target }: AttackContext,
  admin: HttpClient,
  paths: string[],
  findings: Findings,
) {
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    await context.exposeFunction('attackRan', () => findings.add('script execution', 'a payload ran in a browser'));
    context.on('page', (page) => page.on('dialog', (dialog) => void dialog.dismiss()));
    await context.addCookies(
      admin.cookie.split('; ').map((pair) => {
        const mark = pair.indexOf('=');
        return { name: pair.slice(0, mark), value: pair.slice(mark + 1), url: target.url };
      }),
    );
    const page: Page = await context.newPage();
    for (const path of paths) {
      await page.goto(target.url + path, { waitUntil: 'load' });
      await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 15_000 });
      // No link may run a script.
      const code = await page.locator('a[href^="javascript:" i]').count();
      if (code > 0) findings.add('script execution', `${path}: a link that runs`);
    }
    return paths.length;
  } finally {
    await browser.close();
  }
}
