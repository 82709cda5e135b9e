import { useQueryClient } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { newsTexts } from '#app/lib/messages/news.ts';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { Marquee } from '#app/ui/art/Marquee.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { TicketGrid } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { NewsCard } from '#contract/domains/news.ts';
import { NEWS_CARD_EXCERPT } from '#contract/limits.ts';
import { excerpt } from '#contract/text/markup.ts';
import { NewsCover } from './NewsCover.tsx';
import { NewsDate } from './NewsDate.tsx';
import { newsItemQuery, newsQuery, useNewsList } from './news.queries.ts';

/** Id of the link that gets the focus when the reader closes. */
export const newsLinkId = (id: string) => `news-${id}`;

interface NewsListProps {
  searchTerm: string;
  /** Clears the search. */
  onShowAll: () => void;
  /** URL of the feed. */
  feed: string;
}

/** The newest item large, the others in three columns, and links to the feed. */
export function NewsList({ searchTerm, onShowAll, feed }: NewsListProps) {
  const text = useText(newsTexts);
  const locale = useLocale();
  const list = useNewsList(searchTerm);
  const { items, total } = list;
  const further = useLoadMore<HTMLDivElement>(items.length, list.isFetchingNextPage, 'article', list.fetchNextPage);

  if (list.isPending) return <Loading />;
  if (list.isError && !list.data)
    return <FailedState title={text.news.error} retryLabel={text.news.retry} onRetry={() => void list.refetch()} />;
  const [first, ...others] = items;
  if (!first)
    return searchTerm && !list.isPlaceholderData ? (
      <EmptyState
        role="status"
        scene={<SceneNotFound />}
        title={text.news.noHits}
        text={text.news.noHitsHint(searchTerm)}
        action={
          <Button variant="primary" onClick={onShowAll}>
            {text.news.all}
          </Button>
        }
      />
    ) : (
      <EmptyState scene={<SceneEmptyStage />} title={text.news.empty} text={text.news.emptyHint} />
    );
  return (
    <div
      ref={further.list}
      aria-busy={list.isPlaceholderData}
      className={cx('transition-opacity', list.isPlaceholderData && 'opacity-60')}
    >
      <p className={searchTerm ? 'mb-4 text-quiet' : 'visually-hidden'} role="status">
        {searchTerm && !list.isPlaceholderData ? text.news.found(integer(total, locale), searchTerm) : ''}
      </p>
      <Card item={first} searchTerm={searchTerm} featured />
      <TicketGrid className="mt-5">
        {others.map((item) => (
          <Card key={item.id} item={item} searchTerm={searchTerm} />
        ))}
        <Feed href={feed} after={others.length} />
      </TicketGrid>
      {total > items.length || items.length > 31 ? (
        <div className="mt-8 flex flex-col items-center gap-3">
          <p className="text-sm text-quiet" role="status">
            {text.news.shown(integer(items.length, locale), integer(total, locale))}
          </p>
          {list.isFetchNextPageError && !list.isFetchingNextPage ? <p role="alert">{text.news.error}</p> : null}
          {list.hasNextPage ? (
            <Button {...further.button} busyLabel={text.news.loading}>
              {text.news.more}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Fills the rest of the last row. */
function Feed({ href, after }: { href: string; after: number }) {
  const text = useText(newsTexts);
  return (
    <aside
      className={cx(
        'relative grid content-center justify-items-center gap-2 rounded-card border border-dashed border-edge p-6 text-center',
        after % 2 === 0 && 'sm:col-span-2',
        ['lg:col-span-3', 'lg:col-span-2', 'lg:col-span-1'][after % 3],
      )}
    >
      <span className="grid size-12 place-items-center rounded-full bg-lead-soft text-lead-text">
        <Rss aria-hidden="true" className="size-6" />
      </span>
      <a href={href} className="stretched font-display text-lg font-bold">
        {text.news.feed}
      </a>
      <p className="max-w-[34ch] text-[0.9375rem] text-quiet">{text.news.feedText}</p>
    </aside>
  );
}

function Card({ item, searchTerm, featured = false }: { item: NewsCard; searchTerm: string; featured?: boolean }) {
  const text = useText(newsTexts);
  const href = useHref();
  const queries = useQueryClient();
  // Prefetched on hover, before the click.
  const prepare = () => void queries.prefetchQuery(newsItemQuery(item.id));
  return (
    <article
      className={cx(
        'card card-hover group flex flex-col overflow-hidden',
        featured && 'lg:grid lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]',
      )}
    >
      <NewsCover
        id={item.id}
        src={item.imageUrl}
        eager={featured}
        className={featured ? 'lg:aspect-auto lg:min-h-88' : ''}
      />
      <div className={cx('flex min-w-0 flex-1 flex-col p-5', featured && 'sm:p-7 lg:p-9')}>
        {featured ? <Marquee lit className="mb-5 hidden lg:block" /> : null}
        <div>
          <Badge tone={featured ? 'lead' : 'neutral'}>{featured ? text.news.featured : text.news.item}</Badge>
        </div>
        <h2
          dir="auto"
          className={cx(
            'mt-3 [overflow-wrap:anywhere]',
            featured ? 'text-[1.75rem] lg:text-[2.125rem]' : 'clamp-3 text-xl',
          )}
        >
          <Link
            id={newsLinkId(item.id)}
            to={href(`/news/${item.id}`) + newsQuery(searchTerm)}
            state={{ overList: true }}
            preventScrollReset
            className="stretched"
            onPointerEnter={prepare}
            onFocus={prepare}
          >
            <TextInItsLanguage>{item.title}</TextInItsLanguage>
          </Link>
        </h2>
        <p
          dir="auto"
          className={cx(
            'mt-2.5 text-quiet [overflow-wrap:anywhere]',
            featured ? 'text-lg leading-relaxed' : 'text-[0.9375rem] leading-[1.5]',
          )}
        >
          <TextInItsLanguage>{featured ? item.excerpt : excerpt(item.excerpt, NEWS_CARD_EXCERPT)}</TextInItsLanguage>
        </p>
        <div className="mt-auto flex items-center gap-2.5 pt-5 text-sm text-quiet">
          <Avatar name={item.authorName} size={28} />
          <span className="min-w-0 truncate font-medium text-text">{item.authorName}</span>
          <span aria-hidden="true">·</span>
          <span className="flex-none">
            <NewsDate at={item.publishedAt} />
          </span>
        </div>
      </div>
    </article>
  );
}

function Loading() {
  const text = useText(newsTexts);
  return (
    <SkeletonGroup label={text.news.loading}>
      <p className="mb-4 text-quiet" aria-hidden="true">
        {text.news.loading}
      </p>
      <Skeleton className="h-96 rounded-card" />
      <TicketGrid className="mt-5">
        <Skeleton className="h-104 rounded-card" />
        <Skeleton className="h-104 rounded-card" />
        <Skeleton className="h-104 rounded-card" />
      </TicketGrid>
    </SkeletonGroup>
  );
}
