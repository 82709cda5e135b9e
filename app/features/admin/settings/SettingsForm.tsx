import { When } from '#app/lib/format/When.tsx';
import { type TextOf, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminSetting } from '#contract/admin/settings.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { MomentInput } from '../kit/dates/DateInput.tsx';
import { isSkipped } from '../kit/dates/typed-dates.ts';
import { Restored } from '../kit/forms/FormDialog.tsx';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useLeaveGuard } from '../kit/forms/leave-guard.ts';
import { useSettingsForm } from './useSettingsForm.ts';

/** The id of the one announcement among open forms. */
const ANNOUNCEMENT_ID = '00000000-0000-0000-0000-000000000000';

interface FormProps {
  group: AdminSetting['group'];
  settings: AdminSetting[];
  picker: ImagePicker;
}

/** The settings of one group, saved together. Only what was changed is sent, so nobody's other change is undone. */
export function SettingsForm({ group, settings, picker }: FormProps) {
  const messages = useText(adminSettingsTexts).settings;
  const form = useSettingsForm(group, settings);
  const { changed } = form;
  useLeaveGuard(changed.length > 0);
  return (
    <form
      ref={form.ref}
      onSubmit={form.onSubmit}
      noValidate
      aria-label={messages.groups[group].title}
      className="grid gap-4"
    >
      {form.restored ? <Restored /> : null}
      {group === 'announcement' ? (
        <OthersEditing kind="announcement" id={ANNOUNCEMENT_ID} open={changed.length > 0} />
      ) : null}
      <div className="grid grid-cols-1 gap-x-6 gap-y-4 lg:grid-cols-2">
        {settings.map((one) => (
          <SettingField
            key={one.name}
            setting={one}
            picker={picker}
            text={form.textOf(one)}
            wrong={form.wrong.includes(one.name)}
            met={form.met.includes(one.name)}
            removed={form.removed[one.name] ?? false}
            onType={(text) => form.type(one, text)}
            onRemove={(remove) => form.remove(one, remove)}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          disabled={changed.length === 0}
          busy={form.busy}
          busyLabel={messages.saving}
        >
          {messages.save}
        </Button>
        {changed.length > 0 ? (
          <>
            <Button onClick={form.start}>{messages.discard}</Button>
            <span className="text-sm text-quiet">{messages.unsaved(changed.length)}</span>
          </>
        ) : null}
      </div>
    </form>
  );
}

interface FieldProps {
  setting: AdminSetting;
  picker: ImagePicker;
  text: string;
  wrong: boolean;
  /** Somebody else stored another value while this one was edited. */
  met: boolean;
  removed: boolean;
  onType: (text: string) => void;
  onRemove: (remove: boolean) => void;
}

function SettingField({ setting, picker, text, wrong, met, removed, onType, onRemove }: FieldProps) {
  const all = useText(adminSettingsTexts, adminTexts);
  const messages = all.settings;
  const locale = useLocale();
  const { label, hint, error } = messages.names[setting.name];
  const skipped = setting.kind === 'moment' && isSkipped(text, locale);
  const fixed = setting.from === 'environment';
  const refusal = wrong
    ? skipped
      ? all.admin.form.skippedHour
      : error
    : met
      ? messages.met(valueText(setting, messages))
      : '';
  return (
    <div className="grid content-start gap-1.5">
      {setting.kind === 'image' ? (
        picker({ label, hint, error: refusal, value: text || null, onChange: (url) => onType(url ?? '') })
      ) : (
        <Field
          label={
            <span className="flex flex-wrap items-center gap-2">
              {label}
              {fixed ? <Badge tone="sky">{messages.from.environment}</Badge> : null}
              {setting.from === 'unreadable' ? <Badge tone="coral">{messages.from.unreadable}</Badge> : null}
            </span>
          }
          hint={hint}
          error={refusal}
        >
          <Control setting={setting} text={text} disabled={fixed || removed} onType={onType} />
        </Field>
      )}
      {setting.kind === 'secret' && setting.from !== 'default' && !fixed ? (
        <Checkbox
          label={messages.removeSecret(label)}
          checked={removed}
          onChange={({ target }) => onRemove(target.checked)}
        />
      ) : null}
      {fixed || setting.from === 'unreadable' || setting.savedAt ? (
        <p className="text-sm text-quiet wrap-anywhere">
          {fixed ? (
            messages.fixedBy(setting.variable ?? '')
          ) : setting.from === 'unreadable' ? (
            messages.unreadable
          ) : setting.savedAt ? (
            <>
              {messages.savedBy(setting.savedBy ?? messages.operator)} <When iso={setting.savedAt} />
            </>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}

/** The stored value as text; of a secret only that there is one. */
function valueText(setting: AdminSetting, messages: TextOf<typeof adminSettingsTexts>['settings']): string {
  const { kind, from, value, isSet } = setting;
  if (kind === 'secret') return isSet ? messages.secretSet : messages.secretNone;
  if (from === 'default' || value === null) return messages.defaultValue;
  if (kind === 'image') return messages.imageSet;
  if (kind === 'switch') return value ? messages.on : messages.off;
  if (kind === 'choice') {
    const choices: Partial<Record<string, string>> = messages.choices[setting.name as keyof typeof messages.choices];
    return choices[String(value)] ?? String(value);
  }
  return String(value);
}

interface ControlProps {
  setting: AdminSetting;
  text: string;
  disabled: boolean;
  onType: (text: string) => void;
}

function Control({ setting: { name, kind, defaultValue, isSet, value }, text, disabled, onType }: ControlProps) {
  const messages = useText(adminSettingsTexts).settings;
  const shared = {
    name,
    disabled,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onType(event.target.value),
  };
  if (kind === 'switch')
    return (
      <Select {...shared} value={text || (disabled && value !== null ? (value ? 'on' : 'off') : '')}>
        <option value="">
          {defaultValue === null ? messages.byItself : messages.defaultIs(defaultValue ? messages.on : messages.off)}
        </option>
        <option value="on">{messages.on}</option>
        <option value="off">{messages.off}</option>
      </Select>
    );
  if (kind === 'choice') {
    const choices = messages.choices[name as keyof typeof messages.choices];
    return (
      <Select {...shared} value={text || (disabled ? String(value) : '')}>
        <option value="">{messages.defaultIs(choices[defaultValue as keyof typeof choices])}</option>
        {Object.entries(choices).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </Select>
    );
  }
  if (kind === 'secret')
    return (
      <Input
        {...shared}
        type="password"
        autoComplete="new-password"
        value={text}
        maxLength={2_000}
        placeholder={isSet ? messages.secretKept : messages.secretNone}
      />
    );
  if (kind === 'moment')
    return disabled ? (
      <Input {...shared} value={text} readOnly />
    ) : (
      <MomentInput name={name} value={text} onChange={onType} />
    );
  if (kind === 'lines')
    return <Textarea {...shared} value={text} rows={2} maxLength={300} lang={name.endsWith('En') ? 'en' : 'es'} />;
  return (
    <Input
      {...shared}
      value={text}
      placeholder={defaultValue === null ? '' : String(defaultValue)}
      inputMode={kind === 'number' ? 'numeric' : kind === 'email' ? 'email' : 'text'}
      spellCheck={false}
      autoCapitalize="off"
      maxLength={300}
    />
  );
}
