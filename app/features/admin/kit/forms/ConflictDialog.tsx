import { type FormEvent, useId, useState } from 'react';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { FieldError } from '#app/ui/controls/Field.tsx';
import type { Side } from './merge.ts';
import type { AnyForm } from './useAdminForm.ts';

interface ConflictProps {
  form: AnyForm;
  fieldNames: Record<string, string>;
  /** Labels for the values of fields with a choice: `{ status: { approved: 'Aprobada' } }`. */
  valueNames?: Record<string, Record<string, string>> | undefined;
}

/**
 * Somebody else saved the same record first. Changes of only one side are taken over; for each field that both sides changed the user
 * decides.
 */
export function ConflictDialog({ form, fieldNames, valueNames = {} }: ConflictProps) {
  const messages = useText(adminTexts).admin.conflict;
  const locale = useLocale();
  const { conflict, merge } = form;
  if (!conflict || !merge) return null;
  const who = conflict.by ?? messages.unknown;
  const time = conflict.at ? dateTime(conflict.at, locale) : '';
  const valueText = (name: string, value: unknown) => {
    if (typeof value === 'boolean') return value ? messages.yes : messages.no;
    if (value === null || value === '' || value === undefined) return '—';
    if (typeof value === 'string' && ISO.test(value)) return dateTime(value, locale);
    return valueNames[name]?.[String(value)] ?? String(value);
  };
  const fieldsOf = (names: string[], values: Record<string, unknown>) =>
    names.map((name) => ({ name, label: fieldNames[name] ?? name, value: valueText(name, values[name]) }));
  return (
    <Dialog
      role="alertdialog"
      open
      onOpenChange={(next) => !next && form.closeConflict()}
      title={conflict.byProvider ? messages.providerTitle : messages.title}
      description={
        conflict.deleted ? (
          messages.deleted(who, time)
        ) : (
          <>
            <span className="block">
              {conflict.byProvider ? messages.providerText(time) : messages.text(who, time)}
            </span>
            <span className="block">{merge.conflicting.length > 0 ? messages.choose : messages.nothingToChoose}</span>
          </>
        )
      }
      className="dialog-wide"
      actions={conflict.deleted ? <Button onClick={form.closeConflict}>{messages.close}</Button> : undefined}
    >
      {conflict.deleted ? null : (
        <Choices
          conflicting={merge.conflicting.map((name) => ({
            name,
            label: fieldNames[name] ?? name,
            theirs: valueText(name, merge.theirs[name]),
            mine: valueText(name, form.values[name]),
          }))}
          fromTheirs={fieldsOf(merge.fromTheirs, merge.theirs)}
          fromMine={fieldsOf(merge.fromMine, form.values)}
          onTakeTheirs={form.takeTheirs}
          onResolve={form.resolve}
        />
      )}
    </Dialog>
  );
}

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

interface ChoicesProps {
  conflicting: { name: string; label: string; theirs: string; mine: string }[];
  fromTheirs: UnchangedProps['fields'];
  fromMine: UnchangedProps['fields'];
  onTakeTheirs: () => void;
  onResolve: (choices: Partial<Record<string, Side>>) => void;
}

/** One question for each field that both sides changed, and the list of fields that need none. */
function Choices({ conflicting, fromTheirs, fromMine, onTakeTheirs, onResolve }: ChoicesProps) {
  const messages = useText(adminTexts).admin.conflict;
  const id = useId();
  const [choices, setChoices] = useState<Partial<Record<string, Side>>>({});
  const [checked, setChecked] = useState(false);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog is within the form's React tree: its submit event must not reach the form.
    event.stopPropagation();
    const open = conflicting.find(({ name }) => !choices[name]);
    setChecked(true);
    if (!open) return onResolve(choices);
    const first = event.currentTarget.elements.namedItem(`${id}-${open.name}`);
    (first instanceof RadioNodeList ? (first[0] as HTMLElement | undefined) : (first as HTMLElement | null))?.focus();
  }
  return (
    <form onSubmit={submit} noValidate aria-label={messages.title} className="grid grid-cols-1 gap-4">
      {conflicting.map(({ name, label, theirs, mine }) => {
        const missing = checked && !choices[name];
        return (
          <fieldset key={name} className="admin-sides">
            <legend>{label}</legend>
            {(
              [
                ['theirs', messages.theirs, theirs],
                ['mine', messages.mine, mine],
              ] as const
            ).map(([side, heading, value]) => (
              <label key={side}>
                <input
                  type="radio"
                  name={`${id}-${name}`}
                  checked={choices[name] === side}
                  aria-describedby={missing ? `${id}-${name}-error` : undefined}
                  onChange={() => setChoices((old) => ({ ...old, [name]: side }))}
                />
                <span className="min-w-0">
                  <span className="block text-sm text-quiet">{heading}</span>
                  <span dir="auto">{value}</span>
                </span>
              </label>
            ))}
            {missing ? <FieldError id={`${id}-${name}-error`}>{messages.unanswered}</FieldError> : null}
          </fieldset>
        );
      })}
      <Unchanged title={messages.fromTheirs} fields={fromTheirs} />
      <Unchanged title={messages.fromMine} fields={fromMine} />
      <div className="dialog-actions mt-0">
        <Button onClick={onTakeTheirs}>{messages.takeTheirs}</Button>
        <Button type="submit" variant="primary">
          {messages.save}
        </Button>
      </div>
    </form>
  );
}

interface UnchangedProps {
  title: string;
  fields: { name: string; label: string; value: string }[];
}

/** Fields that only one side changed. */
function Unchanged({ title, fields }: UnchangedProps) {
  if (fields.length === 0) return null;
  return (
    <section aria-label={title} className="text-sm">
      <h3 className="font-semibold">{title}</h3>
      <dl className="admin-unchanged">
        {fields.map(({ name, label, value }) => (
          <div key={name}>
            <dt>{label}:</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
