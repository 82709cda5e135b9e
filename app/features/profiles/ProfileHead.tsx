import type { ReactNode } from 'react';
import { day, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import type { Profile } from '#contract/domains/profiles.ts';

/** Counts stop here, and are shown as "at least". */
const COUNTED_MAX = 1_000;

/** Name, badges and activity counts. */
export function ProfileHead({ profile, actions }: { profile: Profile; actions: ReactNode }) {
  const { profile: text } = useText(profileTexts);
  const locale = useLocale();
  const figure = (count: number) => {
    const countText = integer(count, locale);
    return count >= COUNTED_MAX ? text.atLeast(countText) : countText;
  };
  return (
    <PageHead
      over={<Avatar name={profile.username} size={72} />}
      title={<bdi className="wrap-anywhere">{profile.username}</bdi>}
      lead={text.written(figure(profile.posts), figure(profile.comments))}
      actions={
        <>
          <Marks profile={profile} />
          {actions}
        </>
      }
    />
  );
}

/** Facts that the site confirms, as text. */
function Marks({ profile }: { profile: Profile }) {
  const { profile: text } = useText(profileTexts);
  const locale = useLocale();
  const isCreator = profile.created.length > 0;
  if (!profile.staff && !isCreator && !profile.voterSince) return null;
  return (
    <ul aria-label={text.marks} className="flex flex-wrap gap-2">
      {profile.staff ? (
        <li>
          <Badge tone="lead">{text.team}</Badge>
        </li>
      ) : null}
      {isCreator ? (
        <li>
          <Badge tone="mint">{text.creator}</Badge>
        </li>
      ) : null}
      {profile.voterSince ? (
        <li>
          <Badge tone="mint">{text.voterSince(day(profile.voterSince, locale))}</Badge>
        </li>
      ) : null}
    </ul>
  );
}
