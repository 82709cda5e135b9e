import type { Ranking } from '#contract/domains/voting.ts';
import { EMBED } from '#contract/embed.ts';
import { cardTextsOf, type Language } from './card-texts.ts';

/** Number of candidates on the embedded ranking. */
export const EMBED_SHOWN = 10;

const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITY[sign] ?? '');

const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#fbf7ef,#0e0f1a);--panel:light-dark(#fff,#171927);
--line:light-dark(#e6decf,#2a2d42);--text:light-dark(#1b1a24,#f4f1ea);--quiet:light-dark(#4d4a59,#b9b7c6);--link:light-dark(#694200,#ffb627)}
*{box-sizing:border-box}body{margin:0;padding:14px;background:var(--ink);color:var(--text);
font:16px/1.4 Inter,system-ui,sans-serif}h1{margin:0;font-size:18px}p{margin:4px 0 10px;color:var(--quiet);font-size:14px}
ol{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:14px;background:var(--panel)}
li{display:flex;flex-wrap:wrap;gap:0 10px;align-items:baseline;padding:8px 12px}li+li{border-top:1px solid var(--line)}
li a{flex:1 1 6em;min-width:0;overflow-wrap:anywhere;color:inherit;font-weight:600;text-decoration:none}
li a:hover,li a:focus-visible{text-decoration:underline}.n{width:2em;color:var(--quiet);font-variant-numeric:tabular-nums}
.v{margin-left:auto;font-variant-numeric:tabular-nums;white-space:nowrap}footer{margin-top:10px;font-size:14px}footer a{color:var(--link)}`;

/** The current ranking as a page without scripts, for frames on other sites. Its links open in a new tab. */
export function writeEmbed(
  ranking: Ranking,
  { language, siteName }: { language: Language; siteName: string },
  absolute: (path: string) => string,
): string {
  const text = cardTextsOf(language, siteName);
  const home = language === 'en' ? '/en' : '';
  const rows = ranking.items
    .slice(0, EMBED_SHOWN)
    .map(
      ({ tokenName, tokenSlug, totalVotes }, i) =>
        `<li><span class="n">${i + 1}</span><a href="${html(absolute(`${home}/token/${encodeURIComponent(tokenSlug)}/candidate`))}" target="_blank" rel="noopener" dir="auto">${html(tokenName)}</a><span class="v">${html(`${text.whole(totalVotes)} ${text.votes(totalVotes)}`)}</span></li>`,
    );
  const heading = text.embed.heading(ranking.round?.number ?? null);
  const note = ranking.round ? text.closes(text.moment(new Date(ranking.round.closesAt))) : text.embed.paused;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${html(`${heading} · ${siteName}`)}</title><style>${STYLE}</style></head><body><main>
<h1>${html(heading)}</h1><p>${html(note)}</p>${rows.length > 0 ? `<ol>${rows.join('')}</ol>` : `<p>${html(text.embed.empty)}</p>`}
</main><footer><a href="${html(absolute(`${home}/vote`))}" target="_blank" rel="noopener">${html(text.embed.link)}</a></footer></body></html>`;
}

/**
 * The language of the ranking that a URL denotes, for oEmbed: the embedded page itself, or the page of the vote, also with filters and with a
 * trailing slash.
 *
 * @param address absolute URL from the consumer.
 * @returns null for every other URL.
 */
export function embeddable(address: string, absolute: (path: string) => string): Language | null {
  const addresses = { es: [EMBED.paths.es, '/vote'], en: [EMBED.paths.en, '/en/vote'] } as const;
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  const page = origin + pathname.replace(/\/$/, '');
  for (const language of ['es', 'en'] as const)
    if (addresses[language].some((path) => absolute(path) === page)) return language;
  return null;
}

/**
 * Response to an oEmbed consumer (oembed.com, version 1.0).
 *
 * @param max maximum width and height that the consumer allows, CSS pixels.
 */
export function writeOembed(
  { language, siteName }: { language: Language; siteName: string },
  max: { width: number; height: number },
  absolute: (path: string) => string,
): string {
  const width = Math.min(EMBED.width, max.width);
  const height = Math.min(EMBED.height, max.height);
  const title = cardTextsOf(language, siteName).embed.heading(null);
  const frame = `<iframe src="${html(absolute(EMBED.paths[language]))}" width="${width}" height="${height}" title="${html(`${title} · ${siteName}`)}" loading="lazy" style="border:0"></iframe>`;
  return JSON.stringify({
    version: '1.0',
    type: 'rich',
    provider_name: siteName,
    provider_url: absolute('/'),
    title: `${title} · ${siteName}`,
    cache_age: 3_600,
    html: frame,
    width,
    height,
  });
}
