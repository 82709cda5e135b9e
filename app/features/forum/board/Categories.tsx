import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { cx } from '#app/ui/cx.ts';
import type { PostFilter } from '../forum.queries.ts';
import { CATEGORIES } from '../posts/post-draft.ts';

export const tagsQuery = (api = rpc) => ({ ...api.forum.tags.queryOptions({}), staleTime: 300_000 });

const chip = (on: boolean) =>
  cx(
    'inline-flex min-h-10 items-center rounded-badge border px-3.5 text-sm whitespace-nowrap no-underline',
    on ? 'border-lead bg-lead font-semibold text-on-lead' : 'border-line bg-panel text-text hover:border-quiet',
  );

/** Links to filtered boards: categories and the tags in use. */
export function Categories({ filter }: { filter: PostFilter }) {
  const { discussion: text } = useText(discussionTexts);
  const href = useHref();
  const { data } = useQuery(tagsQuery());
  const whole = !filter.q && !filter.tag && !filter.category;
  const tags = data?.tags ?? [];
  return (
    <div className="mb-4 grid gap-2">
      <nav aria-label={text.categories.label} className="flex gap-2 overflow-x-auto p-0.5 pb-1.5" data-region>
        <Link to={href('/forum')} preventScrollReset aria-current={whole ? 'page' : undefined} className={chip(whole)}>
          {text.categories.all}
        </Link>
        {CATEGORIES.map((category) => (
          <Link
            key={category}
            to={href(`/forum?category=${category}`)}
            preventScrollReset
            aria-current={filter.category === category ? 'page' : undefined}
            className={chip(filter.category === category)}
          >
            {text.categories[category]}
          </Link>
        ))}
      </nav>
      {tags.length > 0 ? (
        <nav aria-label={text.tagsInUse} className="flex flex-wrap gap-x-3 text-sm">
          {tags.slice(0, 12).map((tag) => (
            <Link
              key={tag}
              to={href(`/forum?tag=${encodeURIComponent(tag)}`)}
              preventScrollReset
              aria-current={filter.tag === tag ? 'page' : undefined}
              className={cx('link inline-flex min-h-8 items-center', filter.tag === tag && 'font-semibold')}
              dir="auto"
            >
              #{tag}
            </Link>
          ))}
        </nav>
      ) : null}
      {filter.tag ? <h2 className="text-xl wrap-anywhere">{text.tagged(filter.tag)}</h2> : null}
    </div>
  );
}
