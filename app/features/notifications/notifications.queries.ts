import { infiniteQueryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useLocale } from '#app/lib/i18n/i18n.tsx';

/** Live events report changes; this only helps where the stream cannot get through. Milliseconds. */
const STALE_MS = 60_000;

export const unreadQuery = () =>
  rpc.notifications.unread.queryOptions({ staleTime: STALE_MS, refetchInterval: STALE_MS, refetchOnWindowFocus: true });

export const listQuery = () =>
  infiniteQueryOptions({
    ...rpc.notifications.list.infiniteOptions({
      input: (cursor: string | null) => ({ cursor }),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
    }),
    staleTime: STALE_MS,
  });

export const settingsQuery = () => rpc.notifications.settings.queryOptions({ staleTime: STALE_MS });

/** The language of the page and the time zone of the browser: used for mails and pushes until the member chooses. */
export const useLocaleAndZone = () => ({ locale: useLocale(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
