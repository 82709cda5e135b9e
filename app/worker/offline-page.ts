import { offlineTexts } from '#app/lib/messages/offline.ts';
import { themeScript } from '#app/ui/controls/theme-script.ts';
import { DEFAULT_SITE_NAME, withSiteName } from '#contract/site.ts';

/** A page that can be read offline. */
export interface CachedPage {
  path: string;
  title: string;
  /** When it was read. Milliseconds. */
  at: number;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Applies the chosen theme, and reloads as soon as a network is available. */
const SCRIPT = `${themeScript};addEventListener('online',()=>location.reload())`;

const STYLE = `:root{color-scheme:dark light;--ink:#0e0f1a;--panel:#171927;--line:#2a2d42;--text:#f4f1ea;--quiet:#a9a7b8;--lead:#ffb627}
@media (prefers-color-scheme:light){:root:not([data-theme=dark]){--ink:#fbf7ef;--panel:#fff;--line:#e6decf;--text:#1b1a24;--quiet:#4d4a59}}
:root[data-theme=light]{color-scheme:light;--ink:#fbf7ef;--panel:#fff;--line:#e6decf;--text:#1b1a24;--quiet:#4d4a59}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;min-height:100svh;background:var(--ink);color:var(--text);font:1rem/1.6 Inter,system-ui,sans-serif;display:grid;place-items:center;padding:1.5rem}
main{width:100%;max-width:36rem}main>svg,main>img{width:4rem;height:4rem;object-fit:contain}h1{margin:1rem 0 .5rem;font-size:1.75rem;line-height:1.2}p{margin:.5rem 0;max-width:60ch}.quiet{color:var(--quiet);font-size:.9375rem}
.go{display:inline-flex;align-items:center;min-height:2.75rem;margin:1rem 0 1.5rem;padding:0 1.25rem;border-radius:10px;background:var(--lead);color:#1d1503;font-weight:700;text-decoration:none}
ul{list-style:none;margin:.75rem 0 0;padding:0;border:1px solid var(--line);border-radius:14px;background:var(--panel)}li+li{border-top:1px solid var(--line)}
li a{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.625rem 1rem;min-height:2.75rem;color:inherit;overflow-wrap:anywhere}a:focus-visible{outline:3px solid var(--lead);outline-offset:3px}`;

/** The puppet with its crown, as on every page. */
const LOGO =
  '<svg viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M7.2 14.4 5.6 5.6l5.5 4L16 2.8l4.9 6.8 5.5-4-1.6 8.8z" fill="#ffb627" stroke="#ffb627" stroke-width="1.6"/><path d="M6.6 18.2v2.2a9.4 9.4 0 0 0 18.8 0v-2.2M12.2 29v-4.3h7.6V29M12 20.2h.01M20 20.2h.01" stroke="currentColor" stroke-width="2.6"/></svg>';

/**
 * What is shown where the browser would show its own error page: what happened, a way to try again, and the pages that can
 * be read. Whole in itself; it loads nothing.
 *
 * @param siteName as the newest of those pages has it. @param mark of the site in this page, as a data URL; null where it has one that is not
 * there. Without it: the drawn one.
 */
export async function offlinePage(
  locale: 'es' | 'en',
  stored: readonly CachedPage[],
  siteName: string = DEFAULT_SITE_NAME,
  mark?: string | null,
): Promise<Response> {
  const text = withSiteName(offlineTexts[locale], siteName);
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const items = stored.map(
    ({ path, title, at }) =>
      `<li><a href="${escaped(path)}"><span>${escaped(title)}</span> <span class="quiet">${escaped(text.cachedAt(when.format(at)))}</span></a></li>`,
  );
  const logo = mark === undefined ? LOGO : mark ? `<img alt="" src="${escaped(mark)}">` : '';
  const html = `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${text.title} · ${escaped(siteName)}</title><style>${STYLE}</style><script>${SCRIPT}</script></head><body><main id="content">${logo}<h1>${text.title}</h1><p>${escaped(text.text)}</p><a class="go" href="">${text.retry}</a>${
    items.length > 0 ? `<p>${text.stored}</p><ul>${items.join('')}</ul>` : `<p class="quiet">${text.none}</p>`
  }</main></body></html>`;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(SCRIPT));
  const source = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${source}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  });
}
