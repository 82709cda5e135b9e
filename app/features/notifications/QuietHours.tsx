import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useSite, useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input, Select } from '#app/ui/controls/Field.tsx';
import type { NotificationReader } from '#contract/domains/notifications.ts';
import { settingsQuery, useLocaleAndZone } from './notifications.queries.ts';
import { parseTime, typedTime } from './typed-time.ts';

/** Default: from 23:00 to 08:00. */
const USUAL = { from: 23 * 60, to: 8 * 60 };

interface QuietHoursProps {
  reader: NotificationReader | null;
  /** The site has a bot, whose messages are delayed too. */
  telegram: boolean;
}

/** Language of notifications, and hours without them. Saving stores the time zone of this browser; until then the stored one counts. */
export function QuietHours({ reader, telegram }: QuietHoursProps) {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const { locale: pageLocale, zone } = useLocaleAndZone();
  const { languages } = useSite();
  const queries = useQueryClient();
  const heading = useId();
  const [locale, setLocale] = useState(reader?.locale ?? pageLocale);
  const [on, setOn] = useState(reader?.quiet != null);
  const [from, setFrom] = useState(typedTime(reader?.quiet?.from ?? USUAL.from));
  const [to, setTo] = useState(typedTime(reader?.quiet?.to ?? USUAL.to));
  // What another tab or device stored is adopted in place: a form that is mounted anew would lose the focus, also after its own saving.
  // Only what differs: the first choice for a kind stores the page's language, and unsaved hours stay.
  const storedLocale = reader?.locale ?? pageLocale;
  const storedHours = JSON.stringify(reader?.quiet ?? null);
  const [seen, setSeen] = useState({ storedLocale, storedHours });
  if (seen.storedLocale !== storedLocale || seen.storedHours !== storedHours) setSeen({ storedLocale, storedHours });
  if (seen.storedLocale !== storedLocale) setLocale(storedLocale);
  if (seen.storedHours !== storedHours) {
    setOn(reader?.quiet != null);
    setFrom(typedTime(reader?.quiet?.from ?? USUAL.from));
    setTo(typedTime(reader?.quiet?.to ?? USUAL.to));
  }
  const [begin, end] = [parseTime(from), parseTime(to)];
  const same = begin !== null && begin === end;
  const save = useMutation(
    rpc.notifications.setReader.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: () => notify.success({ title: messages.saved }),
      onError: (error) => notify.failed(error, { title: messages.saveFailed, text: failureText(error, text) }),
      onSettled: () => queries.invalidateQueries({ queryKey: settingsQuery().queryKey }),
    }),
  );
  return (
    <form
      aria-labelledby={heading}
      className="card grid gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!on) return save.mutate({ locale, zone, quiet: null });
        if (begin === null || end === null || same)
          return event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus();
        save.mutate({ locale, zone, quiet: { from: begin, to: end } });
      }}
    >
      <h3 id={heading} className="text-base">
        {messages.quietHeading}
      </h3>
      {languages.length > 1 ? (
        <Field label={messages.language} hint={messages.languageHint(telegram)}>
          <Select
            className="max-w-52"
            value={locale}
            onChange={({ target }) => setLocale(target.value === 'en' ? 'en' : 'es')}
          >
            <option value="es" lang="es">
              Español
            </option>
            <option value="en" lang="en">
              English
            </option>
          </Select>
        </Field>
      ) : null}
      <p className="text-sm text-quiet">{messages.quietText(reader?.zone ?? zone, telegram)}</p>
      {reader && reader.zone !== zone ? <p className="text-sm">{messages.quietOtherZone(zone)}</p> : null}
      <Checkbox label={messages.quietOn} checked={on} onChange={(event) => setOn(event.target.checked)} />
      {on ? (
        <div className="flex flex-wrap gap-4">
          <TimeField label={messages.quietFrom} value={from} onChange={setFrom} />
          <TimeField
            label={messages.quietTo}
            value={to}
            onChange={setTo}
            error={same ? messages.quietSame : undefined}
          />
        </div>
      ) : null}
      <div>
        <Button type="submit" busy={save.isPending}>
          {messages.save}
        </Button>
      </div>
    </form>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  onChange: (typed: string) => void;
  /** An error other than an invalid time. */
  error?: string | undefined;
}

/** A time of day as a text field: a browser renders its own field in its own language and clock, whatever the page's language. */
function TimeField({ label, value, onChange, error }: TimeFieldProps) {
  const { notifications: messages } = useText(notificationTexts);
  const minutes = parseTime(value);
  return (
    <Field label={label} hint={messages.quietFormat} error={minutes === null ? messages.quietNoTime : error}>
      <Input
        autoComplete="off"
        maxLength={12}
        className="figures w-32!"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={() => minutes === null || onChange(typedTime(minutes))}
      />
    </Field>
  );
}
