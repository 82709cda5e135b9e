import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Select } from '#app/ui/controls/Field.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { NotificationKind, NotificationMail } from '#contract/domains/notifications.ts';
import { MAILED_KINDS } from '#contract/limits.ts';
import { BrowserPush } from './BrowserPush.tsx';
import { settingsQuery, useLocaleAndZone } from './notifications.queries.ts';
import { QuietHours } from './QuietHours.tsx';
import { TelegramChat } from './TelegramChat.tsx';

type Setting = {
  kind: NotificationKind;
  inApp: boolean;
  mail: NotificationMail;
  push: boolean;
  telegram: boolean;
};
const MAILS = ['off', 'now', 'daily'] as const;

/** Delivery of each kind of notification. Every choice is saved immediately. */
export function NotificationSettings() {
  const { notifications: text } = useText(notificationTexts);
  const { data, isError, refetch } = useQuery(settingsQuery());
  return (
    <section aria-labelledby="notification-settings" className="grid gap-5">
      <div>
        <h2 id="notification-settings" className="text-[1.375rem]">
          {text.settings}
        </h2>
        <p className="mt-1.5 text-sm text-quiet">
          {text.settingsText} {text.savedTokenMail}
        </p>
        {data && !data.mailVerified ? <p className="mt-1.5 text-sm">{text.unverified}</p> : null}
      </div>
      {data ? (
        <>
          <Kinds kinds={data.kinds} telegram={data.telegram?.chat != null} />
          <BrowserPush siteKey={data.pushKey} endpoints={data.pushEndpoints} />
          {data.telegram ? <TelegramChat telegram={data.telegram} /> : null}
          <QuietHours reader={data.reader} telegram={data.telegram !== null} />
        </>
      ) : isError ? (
        <div role="alert">
          <p className="mb-3">{text.error}</p>
          <Button onClick={() => void refetch()}>{text.retry}</Button>
        </div>
      ) : (
        <SkeletonGroup label={text.loading} className="grid gap-3">
          <Skeleton className="h-96 rounded-card" />
          <Skeleton className="h-32 rounded-card" />
        </SkeletonGroup>
      )}
    </section>
  );
}

/** @param telegram true when a chat is linked. */
function Kinds({ kinds, telegram }: { kinds: readonly Setting[]; telegram: boolean }) {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const queries = useQueryClient();
  const localeAndZone = useLocaleAndZone();
  const { queryKey } = settingsQuery();
  const mutationKey = rpc.notifications.setKind.mutationKey();
  // Local state: the checkbox changes on click, and a late response does not revert it.
  const [chosen, setChosen] = useState<ReadonlyMap<NotificationKind, Setting>>(new Map());
  const save = useMutation(
    rpc.notifications.setKind.mutationOptions({
      ...IDEMPOTENT_RETRY,
      // Sent in order: each request carries the whole row.
      scope: { id: 'notifications.setKind' },
      onError: (error) => notify.failed(error, { title: messages.saveFailed, text: failureText(error, text) }),
      // Refetched after the last change only, never between two.
      onSettled: () => {
        if (queries.isMutating({ mutationKey }) > 1) return;
        void queries.invalidateQueries({ queryKey }).then(() => {
          if (queries.isMutating({ mutationKey }) === 0) setChosen(new Map());
        });
      },
    }),
  );
  const choose = (choice: Setting) => {
    setChosen((before) => new Map(before).set(choice.kind, choice));
    save.mutate({ ...choice, ...localeAndZone });
  };
  return (
    <ul className="card divide-y divide-line">
      {kinds.map((stored) => {
        const one = chosen.get(stored.kind) ?? stored;
        const name = messages.kinds[one.kind];
        const toggle = (channel: 'inApp' | 'push' | 'telegram') => (
          <label className="check">
            <input
              type="checkbox"
              className="check-box"
              checked={one[channel]}
              aria-label={messages.channelOf(messages.channels[channel], name)}
              onChange={(event) => choose({ ...one, [channel]: event.target.checked })}
            />
            <span aria-hidden="true">{messages.channels[channel]}</span>
          </label>
        );
        return (
          <li key={one.kind} className="grid gap-2 p-4">
            <h3 className="text-base">{name}</h3>
            <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
              {toggle('inApp')}
              {toggle('push')}
              {telegram ? toggle('telegram') : null}
              {(MAILED_KINDS as readonly NotificationKind[]).includes(one.kind) ? (
                <span className="flex items-center gap-2">
                  <span aria-hidden="true">{messages.channels.mail}</span>
                  <Select
                    value={one.mail}
                    className="w-auto"
                    aria-label={messages.channelOf(messages.channels.mail, name)}
                    onChange={(event) => choose({ ...one, mail: event.target.value as NotificationMail })}
                  >
                    {MAILS.map((mail) => (
                      <option key={mail} value={mail}>
                        {messages.mails[mail]}
                      </option>
                    ))}
                  </Select>
                </span>
              ) : one.kind === 'staff' ? null : (
                <span className="text-sm text-quiet">{messages.ownMail}</span>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
