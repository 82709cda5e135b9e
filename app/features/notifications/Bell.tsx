import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { closeReadPushes } from '#app/lib/session/shown-pushes.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { unreadQuery } from './notifications.queries.ts';
import { useOpenedNotice } from './useMarkRead.ts';

/** The server's limit of the count. */
const MAX_COUNTED = 100;

/** A link to the notifications, with the number of unread ones. */
export default function Bell() {
  const { notifications: text } = useText(notificationTexts);
  const href = useHref();
  const { data, dataUpdatedAt } = useQuery(unreadQuery());
  // Each change of the list updates the count, even if its number stays the same.
  useEffect(() => {
    if (dataUpdatedAt > 0) closeReadPushes().catch(() => {});
  }, [dataUpdatedAt]);
  useOpenedNotice();
  const unread = data?.unread ?? 0;
  const count = unread >= MAX_COUNTED ? '99+' : String(unread);
  return (
    <Link
      to={href('/notifications')}
      aria-label={text.bell(count)}
      title={text.bell(count)}
      className={buttonClass({ variant: 'ghost', icon: true, className: 'relative flex-none' })}
    >
      <BellIcon aria-hidden="true" />
      {unread > 0 ? (
        <span
          aria-hidden="true"
          className="figures absolute -top-0.5 -right-0.5 min-w-5 rounded-badge bg-lead px-1 text-center text-xs leading-5 font-bold text-on-lead forced-colors:border"
        >
          {count}
        </span>
      ) : null}
    </Link>
  );
}
