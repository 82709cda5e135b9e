import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { TIMING } from '#contract/limits.ts';

const TONES = { approved: 'mint', pending: 'lead', rejected: 'coral' } as const;

/** Forum data of the signed-in member; nobody else's data. Until the session is loaded, a member's page shows it without values. */
export function MemberStatus({ me }: { me: Me | undefined }) {
  const text = useText(forumTexts);
  const { status } = text.forum;
  // Polled, because a decision about the request may come soon; not in hidden tabs.
  useQuery(
    rpc.auth.me.queryOptions({
      enabled: me?.moderatorRequestStatus === 'pending',
      staleTime: TIMING.roleFresh,
      refetchInterval: TIMING.moderatorPoll,
      refetchIntervalInBackground: false,
    }),
  );
  const yesNo = (value: boolean | undefined) => (
    <Badge tone={value ? 'mint' : 'neutral'}>{value ? status.yes : status.no}</Badge>
  );
  // 'approved' with the role `user` means that no request was ever made.
  const { role = 'user', moderatorRequestStatus: request = 'approved' } = me ?? {};
  const never = role === 'user' && request === 'approved';
  return (
    <Card className={cx('p-5 max-lg:order-2', !me && 'hidden in-data-[member]:block')} aria-hidden={!me || undefined}>
      <h2 className="text-lg">{status.heading}</h2>
      <dl className={cx('mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm lg:grid', !me && 'invisible')}>
        <Line term={status.user}>
          <bdi className="min-w-0 font-semibold wrap-anywhere">{me ? (me.username ?? me.email) : '\u00a0'}</bdi>
        </Line>
        <Line term={status.isAdmin}>{yesNo(me?.isAdmin)}</Line>
        <Line term={status.isForumUser}>{yesNo(me?.isForumUser)}</Line>
        <Line term={status.role}>
          <Badge>{status.roles[role]}</Badge>
        </Line>
        <Line term={status.request}>
          {never ? (
            <Badge>{status.requests.none}</Badge>
          ) : (
            <Badge tone={TONES[request]}>{status.requests[request]}</Badge>
          )}
        </Line>
      </dl>
    </Card>
  );
}

const Line = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-3">
    <dt className="text-quiet">{term}</dt>
    <dd className="min-w-0 text-right">{children}</dd>
  </div>
);
