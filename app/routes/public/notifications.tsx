import { useInfiniteQuery } from '@tanstack/react-query';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { NotificationList } from '#app/features/notifications/NotificationList.tsx';
import { NotificationSettings } from '#app/features/notifications/NotificationSettings.tsx';
import { listQuery } from '#app/features/notifications/notifications.queries.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';

/** The member's notifications, and the settings of their delivery. */
export default function NotificationsPage() {
  const { notifications: text } = useText(notificationTexts);
  const signedIn = useSignedIn();
  return (
    <div className="page pb-10">
      <Seo title={text.title} hidden />
      <PageHead title={text.heading} lead={text.lead} />
      {signedIn === undefined ? (
        <SkeletonGroup label={text.loading}>
          <Skeleton className="h-64 rounded-card" />
        </SkeletonGroup>
      ) : signedIn ? (
        <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start">
          <NotificationList />
          <SettingsBelow />
        </div>
      ) : (
        <Visitor />
      )}
    </div>
  );
}

/** The settings once the list is there, which on a phone is above them: before, they would move with it. */
function SettingsBelow() {
  const { isPending } = useInfiniteQuery(listQuery());
  return isPending ? null : <NotificationSettings />;
}

function Visitor() {
  const { notifications: text } = useText(notificationTexts);
  const href = useHref();
  const here = useReturnHere();
  return (
    <EmptyState
      scene={<SceneClosedGate />}
      title={text.visitor}
      text={text.visitorText}
      action={
        <ButtonLink to={href('/auth')} state={here} variant="primary">
          {text.signIn}
        </ButtonLink>
      }
    />
  );
}
