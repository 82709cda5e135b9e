import { useId, useState } from 'react';
import { dateTime, day, type Locale } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Input, useField } from '#app/ui/controls/Field.tsx';
import { cx } from '#app/ui/cx.ts';
import { isSkipped, otherOf, parseDay, parseMoment, typedDay, typedMoment } from './typed-dates.ts';

// A browser renders its own date fields in its own language and order, whatever the page's language. These are text fields in the
// order of the page's language, with the parsed date shown in words below.

interface Kind {
  parse: (typed: string, locale: Locale) => string | null;
  typed: (iso: string, locale: Locale) => string;
  inWords: (iso: string, locale: Locale) => string;
  /** Matches a complete value; incomplete input does not match. */
  isValue: RegExp;
  format: 'day' | 'moment';
}

const DAY: Kind = { parse: parseDay, typed: typedDay, inWords: day, isValue: /^\d{4}-\d{2}-\d{2}$/, format: 'day' };
const MOMENT: Kind = {
  parse: parseMoment,
  typed: typedMoment,
  inWords: dateTime,
  isValue: /^\d{4}-\d{2}-\d{2}T/,
  format: 'moment',
};

interface DateProps {
  name: string;
  /** A day (2026-11-23) or a time in the format of the API; any other text is shown as it is. */
  value: string;
  /** Receives a value in the same format; incomplete input is passed unchanged, so that the form's check refuses it. */
  onChange: (value: string) => void;
}

function DateText({ name, value, onChange, kind }: DateProps & { kind: Kind }) {
  const locale = useLocale();
  const messages = useText(adminTexts).admin.form;
  const format = messages.dateFormat[kind.format];
  const field = useField();
  const id = useId();
  const [typed, setTyped] = useState('');
  const isValue = kind.isValue.test(value) && !Number.isNaN(Date.parse(value));
  // Shows the user's own text while it parses to the value; otherwise the formatted value.
  const shown = (kind.parse(typed, locale) ?? typed) === value ? typed : isValue ? kind.typed(value, locale) : value;
  const repeated = kind.format === 'moment' && isValue ? otherOf(value) : null;
  return (
    <>
      <Input
        name={name}
        value={shown}
        placeholder={format}
        autoComplete="off"
        maxLength={30}
        className="figures"
        aria-describedby={cx(field['aria-describedby'], id)}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(kind.parse(target.value, locale) ?? target.value);
        }}
      />
      <p className="field-hint" id={id}>
        {isValue
          ? kind.inWords(value, locale)
          : // An invalid field shows it as its error.
            kind.format === 'moment' && !field['aria-invalid'] && isSkipped(value, locale)
            ? messages.skippedHour
            : format}
        {repeated ? ` · ${repeated.second ? messages.secondHour : messages.firstHour}` : null}
      </p>
      {repeated ? (
        <Button size="sm" className="justify-self-start" onClick={() => onChange(repeated.iso)}>
          {repeated.second ? messages.useFirstHour : messages.useSecondHour}
        </Button>
      ) : null}
    </>
  );
}

/** A day, typed in the order of the page's language. For use inside `Field`. */
export const DayInput = (props: DateProps) => <DateText {...props} kind={DAY} />;

/** A day and time in the reader's time zone. For use inside `Field`. */
export const MomentInput = (props: DateProps) => <DateText {...props} kind={MOMENT} />;
