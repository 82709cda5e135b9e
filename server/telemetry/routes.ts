import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';

/** Label of every path that matches no route: paths are chosen by clients, so they must not become labels. */
export const UNMATCHED = 'unmatched';

/** Paths outside the contract and the pages; a last segment `*` matches all that follows. */
const OWN = [
  '/live',
  '/healthz',
  '/readyz',
  '/uploads',
  '/unsubscribe',
  '/webhooks/nowpayments',
  '/robots.txt',
  '/sitemap.xml',
  '/news/feed.xml',
  '/en/news/feed.xml',
  '/next/calendar.ics',
  '/en/next/calendar.ics',
  '/api/openapi.json',
  '/assets/*',
  '/media/*',
  '/og/*',
  '/badge/*',
  '/token-metadata/*',
  '/token-files/*',
  '/sandbox/*',
  '/rpc/*',
  '/api/*',
];

/** A route in React Router's build. */
interface PageRoute {
  parentId?: string | undefined;
  path?: string | undefined;
  index?: boolean | undefined;
}

export type PageRoutes = Record<string, PageRoute | undefined>;

interface Branch {
  fixed: Map<string, Branch>;
  /** The branch of a segment with any value. */
  open?: Branch;
  /** The template that ends here. */
  name?: string;
  /** The template that matches everything below. */
  rest?: string;
}

const partsOf = (path: string) => path.split('/').filter(Boolean);

/** Every path of the contract: `/rpc/voting/cast` and `/api/votes`. */
function addressesOf(node: object, names: string[] = []): string[] {
  if (!isContractProcedure(node))
    return Object.entries(node).flatMap(([name, below]) => addressesOf(below as object, [...names, name]));
  const { path } = (node as AnyContractProcedure)['~orpc'].route;
  return [`/rpc/${names.join('/')}`, ...(path ? [`/api${path}`] : [])];
}

/** The catch-all routes for unknown pages. */
const UNKNOWN_PAGE = /^(en\/)?\*$/;

/** Paths of the pages, such as `/token/{slug}`; an optional segment gives two. */
function addressesOfPages(routes: PageRoutes): string[] {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}/${route.path ?? ''}` : '';
  };
  return Object.entries(routes)
    .filter(([, route]) => route?.index || (route?.path !== undefined && !UNKNOWN_PAGE.test(route.path)))
    .flatMap(([id]) => {
      const parts = partsOf(pathOf(id)).map((part) => part.replace(/^:(\w+)(\??)$/, '{$1}$2'));
      const whole = parts.map((part) => part.replace(/\?$/, ''));
      return parts.at(-1)?.endsWith('?') ? [whole, whole.slice(0, -1)] : [whole];
    })
    .map((parts) => `/${parts.join('/')}`);
}

/**
 * Maps a path to its route template, so that metrics and traces never contain what a visitor typed.
 *
 * @param pages the routes of the web app's build.
 * @returns a function from a path without query to its template, such as `/token/{slug}`, or UNMATCHED.
 */
export function createRouteNames(pages: PageRoutes): (pathname: string) => string {
  const root: Branch = { fixed: new Map() };
  for (const template of [...OWN, ...addressesOf(contract), ...addressesOfPages(pages)]) {
    let branch = root;
    for (const part of partsOf(template)) {
      if (part === '*') {
        branch.rest = template;
        break;
      }
      const next: Branch = part.startsWith('{')
        ? (branch.open ?? { fixed: new Map() })
        : (branch.fixed.get(part) ?? { fixed: new Map() });
      if (part.startsWith('{')) branch.open = next;
      else branch.fixed.set(part, next);
      branch = next;
    }
    if (!template.endsWith('*')) branch.name ??= template;
  }

  function find(branch: Branch, parts: string[], at: number): string | undefined {
    const part = parts[at];
    if (part === undefined) return branch.name;
    const fixed = branch.fixed.get(part);
    return (fixed && find(fixed, parts, at + 1)) ?? (branch.open && find(branch.open, parts, at + 1)) ?? branch.rest;
  }
  return (pathname) => {
    // The browser requests a page's data at the page's path with this suffix.
    const page = pathname.endsWith('.data') ? pathname.slice(0, -'.data'.length).replace(/^\/_root$/, '/') : pathname;
    return find(root, partsOf(page), 0) ?? UNMATCHED;
  };
}
