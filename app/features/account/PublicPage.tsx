import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { useRestrict } from '#app/lib/session/restrict.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import type { ProfileSettings } from '#contract/domains/profiles.ts';
import { AccountSection } from './AccountSection.tsx';
import { useFailed } from './account.queries.ts';

/** Visibility of the member's data on the public profile. A checkbox changes on click, and back on failure. */
export function PublicPagePart({ account }: { account: AccountOverview }) {
  const { publicPage: text } = useText(profileTexts);
  const { account: messages } = useText(accountTexts);
  const href = useHref();
  const queries = useQueryClient();
  const failed = useFailed();
  const key = rpc.profiles.settings.queryKey();
  const settings = useQuery(rpc.profiles.settings.queryOptions({}));
  // The query cache renders a moment after the click.
  const [chosen, setChosen] = useState<Partial<ProfileSettings>>({});
  const set = useMutation(
    rpc.profiles.setSettings.mutationOptions({
      ...IDEMPOTENT_RETRY,
      // Two quick clicks are sent in order.
      scope: { id: 'profile-settings' },
      onSuccess: (stored) => queries.setQueryData(key, stored),
      onError: async (error) => {
        failed(error);
        setChosen({});
        await queries.invalidateQueries({ queryKey: key });
      },
    }),
  );
  const shown = settings.data && { ...settings.data, ...chosen };
  const box = (field: keyof ProfileSettings) => ({
    label: text[field],
    checked: shown?.[field] ?? false,
    onChange: ({ target }: { target: { checked: boolean } }) => {
      if (!shown) return;
      setChosen({ ...chosen, [field]: target.checked });
      set.mutate({ ...shown, [field]: target.checked });
    },
  });
  return (
    <AccountSection title={text.heading} lead={text.lead}>
      {shown ? (
        <>
          <Checkbox {...box('showPage')} />
          <Checkbox {...box('showVotes')} hint={text.votesHint} />
          <Checkbox {...box('showFollows')} hint={text.followsHint} />
          <Checkbox {...box('showCreated')} hint={text.createdHint} />
        </>
      ) : settings.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{text.missing}</p>
          <Button onClick={() => void settings.refetch()}>{messages.retry}</Button>
        </div>
      ) : null}
      <Link
        to={href(`/member/${encodeURIComponent(account.username)}`)}
        className="link inline-flex min-h-11 items-center justify-self-start"
      >
        {text.show}
      </Link>
    </AccountSection>
  );
}

/** Members that the user muted or blocked, each with a button to end it. */
export function RestrictionsPart() {
  const { restrictions: text } = useText(profileTexts);
  const { account: messages } = useText(accountTexts);
  const href = useHref();
  const locale = useLocale();
  const restrict = useRestrict();
  const { data, isError, refetch } = useQuery(rpc.profiles.restrictions.queryOptions({}));
  return (
    <AccountSection
      title={text.heading}
      lead={text.lead}
      badge={data && data.length > 0 ? <Badge>{integer(data.length, locale)}</Badge> : null}
    >
      {data?.length === 0 ? <p className="text-quiet">{text.empty}</p> : null}
      {data && data.length > 0 ? (
        <ul className="grid max-h-96 gap-1 overflow-auto">
          {data.map(({ username, level, since }) => (
            <li key={username} className="flex flex-wrap items-center gap-x-3">
              <Link to={href(`/member/${encodeURIComponent(username)}`)} className="link min-w-0 wrap-anywhere">
                {username}
              </Link>
              <Badge tone={level === 'block' ? 'coral' : 'neutral'}>{text.level[level]}</Badge>
              <span className="text-sm text-quiet">
                {text.since} <LocalTime iso={since} />
              </span>
              <Button
                size="sm"
                variant="ghost"
                className="ml-auto"
                aria-label={text.end(username)}
                disabled={restrict.busy}
                onClick={() => void restrict.set(username, 'none')}
              >
                {text.endShort}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {isError && !data ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{text.error}</p>
          <Button onClick={() => void refetch()}>{messages.retry}</Button>
        </div>
      ) : null}
    </AccountSection>
  );
}
