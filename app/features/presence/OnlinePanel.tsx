import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useRestrictions } from '#app/lib/session/restrictions.ts';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { LiveDot } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { TIMING } from '#contract/limits.ts';

/**
 * Members who are online now. Those whom the reader blocked are counted and not listed. Queried by the browser only: documents are cached
 * for longer than members stay.
 */
export function OnlinePanel({ me }: { me: Me | null | undefined }) {
  const text = useText();
  const locale = useLocale();
  const { data, isPending, isError } = useQuery(
    rpc.presence.online.queryOptions({
      staleTime: TIMING.liveRefreshDelay,
      refetchInterval: TIMING.onlineRefresh,
      enabled: !import.meta.env.SSR,
    }),
  );
  const levelOf = useRestrictions(me?.id);
  const shown = data?.data.filter(({ username }) => levelOf(username) !== 'block');
  return (
    <Card className="p-5 max-lg:flex max-lg:items-center max-lg:gap-4 max-lg:px-4 max-lg:py-1.5">
      <div className="flex items-center justify-between gap-3 max-lg:flex-none">
        <h2 className="text-lg max-lg:visually-hidden">{text.presence.heading}</h2>
        {data ? (
          <LiveDot>{text.presence.total(integer(data.total, locale))}</LiveDot>
        ) : (
          // Placeholder of the same size, so that nothing moves when the number is loaded.
          <span aria-hidden="true" className="invisible">
            <LiveDot>{text.presence.total(integer(0, locale))}</LiveDot>
          </span>
        )}
      </div>
      {/* Above the board it is one line that scrolls sideways: its height does not depend on the number of members. */}
      <section
        aria-label={text.presence.list}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls, so the keyboard must reach it.
        tabIndex={0}
        className="h-11 min-w-0 flex-1 overflow-auto lg:mt-3 rounded-control max-lg:flex max-lg:items-center max-lg:gap-5 max-lg:whitespace-nowrap lg:h-auto lg:max-h-64"
      >
        {isPending ? (
          <SkeletonGroup label={text.presence.loading} className="grid w-full gap-2">
            <Skeleton className="h-9" />
            <Skeleton className="h-9 max-lg:hidden" />
          </SkeletonGroup>
        ) : null}
        {isError && !data ? <p className="text-sm text-quiet">{text.presence.error}</p> : null}
        {data?.data.length === 0 ? (
          <p className="text-sm leading-tight text-quiet max-lg:whitespace-normal">{text.presence.empty}</p>
        ) : null}
        <ul className="flex gap-x-5 gap-y-2 empty:hidden lg:grid">
          {shown?.map((user) => (
            <li
              key={`${user.username} ${user.shortId}`}
              className="flex max-w-full min-w-0 flex-none items-center gap-2.5"
            >
              <Avatar name={user.username} size={32} className="flex-none" />
              <bdi className="min-w-0 truncate font-semibold">{user.username}</bdi>
              {user.username === me?.username ? (
                <span className="flex-none text-xs text-quiet">({text.presence.you})</span>
              ) : null}
              <span className="figures flex-none text-xs lg:ml-auto text-quiet">{user.shortId}</span>
            </li>
          ))}
        </ul>
        {data && data.total > data.data.length ? (
          <p className="text-sm text-quiet lg:mt-2">
            {text.presence.others(integer(data.total - data.data.length, locale))}
          </p>
        ) : null}
      </section>
    </Card>
  );
}
