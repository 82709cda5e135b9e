import { useQuery } from '@tanstack/react-query';
import { Link, useRouteLoaderData } from 'react-router';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { exploreLinkTexts } from '#app/lib/messages/explore-link.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { EMBED } from '#contract/embed.ts';
import { rankingQuery } from './ranking.queries.ts';

const useOrigin = () => useRouteLoaderData<{ origin: string }>('root')?.origin ?? '';

/** Actions on the ranking: filter, print, embed on another site. */
export function RankingTools() {
  const { explore: text, brand } = useText(exploreLinkTexts);
  const href = useHref();
  const origin = useOrigin();
  const path = EMBED.paths[useLocale()];
  const linkClass = 'link inline-flex min-h-10 items-center';
  async function copy() {
    const name = brand.name.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const code = `<iframe src="${origin}${path}" width="${EMBED.width}" height="${EMBED.height}" title="${name}" loading="lazy" style="border:0"></iframe>`;
    try {
      await navigator.clipboard.writeText(code);
      notify.success({ title: text.copied });
    } catch {
      notify.error({ title: text.copyFailed, text: code });
    }
  }
  return (
    <>
      <Link to={href('/vote?filters=on')} className={linkClass}>
        {text.link}
      </Link>
      <button type="button" className={linkClass} onClick={() => print()}>
        {text.print}
      </button>
      <a href={path} className={linkClass}>
        {text.embed}
      </a>
      <button type="button" className={linkClass} onClick={() => void copy()}>
        {text.code}
      </button>
    </>
  );
}

/** What a printed ranking is of: site, round and time; on paper only. */
export function PrintedHeading() {
  const { explore: text, brand } = useText(exploreLinkTexts);
  const href = useHref();
  const origin = useOrigin();
  const { data } = useQuery(rankingQuery());
  const now = useNow(data?.serverTime ?? '1970-01-01T00:00:00Z', 10_000);
  if (!data) return null;
  return (
    <div className="mb-4 hidden print:block">
      <p className="text-2xl font-bold">{text.printed(brand.name, data.round?.number ?? null)}</p>
      <p>
        <LocalTime iso={new Date(now).toISOString()} /> · {origin + href('/vote')}
      </p>
    </div>
  );
}
