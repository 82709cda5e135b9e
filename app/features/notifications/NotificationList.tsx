import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  AtSign,
  type Bell,
  CheckCheck,
  Gavel,
  Heart,
  Inbox,
  MessageCircle,
  Receipt,
  Rocket,
  ShieldCheck,
  Trophy,
} from 'lucide-react';
import { Link } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { itemsOf } from '#app/lib/api/pages.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { cx } from '#app/ui/cx.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Notification, NotificationKind } from '#contract/domains/notifications.ts';
import { listQuery, unreadQuery } from './notifications.queries.ts';
import { useMarkRead } from './useMarkRead.ts';

const ICONS: Record<NotificationKind, typeof Bell> = {
  replies: MessageCircle,
  mentions: AtSign,
  reactions: Heart,
  decisions: Gavel,
  orders: Receipt,
  follows: Rocket,
  rounds: Trophy,
  security: ShieldCheck,
  staff: Inbox,
};

/** The member's notifications, newest first. */
export function NotificationList() {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const href = useHref();
  const list = useInfiniteQuery(listQuery());
  const { data, isError, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const items = itemsOf(data?.pages);
  const unread = useQuery(unreadQuery()).data?.unread ?? 0;
  const read = useMarkRead();
  const more = useLoadMore<HTMLOListElement>(
    items.length,
    isFetchingNextPage,
    ':scope > li > *',
    () => void fetchNextPage(),
  );
  if (!data)
    return isError ? (
      <FailedState title={messages.error} retryLabel={messages.retry} onRetry={() => void refetch()} />
    ) : (
      // As high as a screen, so that the list does not move the footer.
      <SkeletonGroup label={messages.loading} className="grid min-h-svh content-start gap-2">
        {[0, 1, 2, 3].map((key) => (
          <Skeleton key={key} className="h-16 rounded-card" />
        ))}
      </SkeletonGroup>
    );
  if (items.length === 0)
    return (
      <EmptyState
        scene={<SceneEmptyStage />}
        title={messages.empty}
        text={messages.emptyText}
        action={<ButtonLink to={href('/')}>{messages.emptyAction}</ButtonLink>}
      />
    );
  return (
    <section aria-label={messages.list}>
      {unread > 0 ? (
        <div className="mb-3 flex justify-end">
          <Button
            size="sm"
            busy={read.isPending}
            onClick={() =>
              read.mutate(
                { until: items[0]?.at ?? '' },
                {
                  onError: (error) =>
                    notify.failed(error, { title: messages.saveFailed, text: failureText(error, text) }),
                },
              )
            }
          >
            <CheckCheck aria-hidden="true" />
            {messages.markAll}
          </Button>
        </div>
      ) : null}
      <ol ref={more.list} className="card divide-y divide-line overflow-hidden">
        {items.map((item) => (
          <li key={item.id}>
            <Row item={item} onOpen={() => (item.read ? undefined : read.mutate({ ids: [item.id] }))} />
          </li>
        ))}
      </ol>
      {hasNextPage ? (
        <div className="mt-6 grid justify-items-center gap-3">
          {list.isFetchNextPageError && !isFetchingNextPage ? <p role="alert">{messages.error}</p> : null}
          <Button {...more.button} busyLabel={messages.loading}>
            {messages.more}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function Row({ item, onOpen }: { item: Notification; onOpen: () => void }) {
  const { notifications: text } = useText(notificationTexts);
  const href = useHref();
  const Icon = ICONS[item.kind];
  const className = cx('flex min-h-16 items-center gap-3.5 px-4 py-3', item.read ? 'text-quiet' : 'bg-raised');
  const content = (
    <>
      <Icon aria-hidden="true" className="size-5 flex-none" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className={cx('block wrap-anywhere', item.read ? '' : 'font-semibold')}>
          {text.sentence(item)}
        </span>
        <When iso={item.at} className="text-sm text-quiet" />
      </span>
      {item.read ? null : (
        <span className="flex-none">
          <span aria-hidden="true" className="block size-2.5 rounded-full bg-lead" />
          <span className="visually-hidden">{text.unread}</span>
        </span>
      )}
    </>
  );
  return item.path === null ? (
    <button type="button" className={cx(className, 'w-full text-left')} onClick={onOpen}>
      {content}
    </button>
  ) : (
    <Link to={href(item.path)} className={cx(className, 'hover:bg-raised focus-visible:bg-raised')} onClick={onOpen}>
      {content}
    </Link>
  );
}
