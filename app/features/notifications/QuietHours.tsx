import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import type { NotificationReader } from '#contract/notifications.ts';
import { settingsQuery, useWhere } from './notifications.queries.ts';

/** From eleven in the evening to eight in the morning, until somebody says otherwise. */
const USUAL = { from: 23 * 60, to: 8 * 60 };

const asTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const asMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** When the member wants to be left alone, by the clock of the zone that this browser is in. */
export function QuietHours({ reader }: { reader: NotificationReader | null }) {
  const text = useText(notificationTexts);
  const { notifications: words } = text;
  const { locale, zone } = useWhere();
  const queries = useQueryClient();
  const heading = useId();
  const [on, setOn] = useState(reader?.quiet != null);
  const [from, setFrom] = useState(asTime(reader?.quiet?.from ?? USUAL.from));
  const [to, setTo] = useState(asTime(reader?.quiet?.to ?? USUAL.to));
  const same = on && from === to;
  const save = useMutation(
    rpc.notifications.setReader.mutationOptions({
      onSuccess: () => notify.success({ title: words.saved }),
      onError: (error) => notify.error({ title: words.saveFailed, text: failureText(error, text) }),
      onSettled: () => queries.invalidateQueries({ queryKey: settingsQuery().queryKey }),
    }),
  );
  return (
    <form
      aria-labelledby={heading}
      className="card grid gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!same) save.mutate({ locale, zone, quiet: on ? { from: asMinutes(from), to: asMinutes(to) } : null });
      }}
    >
      <h3 id={heading} className="text-base">
        {words.quietHeading}
      </h3>
      <p className="text-sm text-quiet">{words.quietText(zone)}</p>
      <Checkbox label={words.quietOn} checked={on} onChange={(event) => setOn(event.target.checked)} />
      {on ? (
        <div className="flex flex-wrap gap-4">
          <Field label={words.quietFrom}>
            <Input type="time" required value={from} onChange={(event) => setFrom(event.target.value)} />
          </Field>
          <Field label={words.quietTo} error={same ? words.quietSame : undefined}>
            <Input type="time" required value={to} onChange={(event) => setTo(event.target.value)} />
          </Field>
        </div>
      ) : null}
      <div>
        <Button type="submit" busy={save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
