import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminSetting } from '#contract/admin/settings.ts';
import { checkSession } from '../admin.queries.ts';
import { MomentInput } from '../kit/dates/DateInput.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { useUnloadGuard } from '../kit/useAdminForm.ts';

/** What stands in a field: '' where nothing is stored, or of a secret that is to stay. */
type Typed = Partial<Record<string, string>>;

const storedText = ({ kind, from, value }: AdminSetting): string => {
  if (kind === 'secret' || from === 'standard' || from === 'unreadable') return '';
  if (kind === 'switch') return value ? 'on' : 'off';
  return value === null ? '' : String(value);
};

/** What is sent of a field. Text that is no number is sent as it is, for the server to refuse. */
const valueOfText = ({ kind }: AdminSetting, text: string): string | number | boolean | null => {
  const clean = text.trim();
  if (clean === '') return null;
  if (kind === 'switch') return clean === 'on';
  return kind === 'number' && /^\d{1,9}$/.test(clean) ? Number(clean) : clean;
};

interface FormProps {
  group: AdminSetting['group'];
  settings: AdminSetting[];
}

/** The settings of one group, saved together. Only what was changed is sent, so nobody's other change is undone. */
export function SettingsForm({ group, settings }: FormProps) {
  const messages = useText(adminSettingsTexts).settings;
  const failure = useAdminFailure();
  const withProof = useStepUp();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>({});
  /** The versions that were seen when a field was first touched. */
  const [seen, setSeen] = useState<Record<string, number>>({});
  const [removed, setRemoved] = useState<Record<string, boolean>>({});
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const changed = settings.filter(
    (one) => removed[one.name] || (typed[one.name] !== undefined && typed[one.name] !== storedText(one)),
  );

  function type(one: AdminSetting, text: string) {
    setTyped((old) => ({ ...old, [one.name]: text }));
    setSeen((old) => ({ [one.name]: one.version, ...old }));
    setWrong((old) => old.filter((name) => name !== one.name));
  }
  function start() {
    setTyped({});
    setSeen({});
    setRemoved({});
    setWrong([]);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy || changed.length === 0) return;
    setBusy(true);
    try {
      const changes = changed.map((one) => ({
        name: one.name,
        version: seen[one.name] ?? one.version,
        value: removed[one.name] ? null : valueOfText(one, typed[one.name] ?? ''),
      }));
      const saved = await withProof(() => client.admin.settings.save({ changes }));
      queries.setQueryData(rpc.admin.settings.list.queryKey(), saved);
      start();
      notify.success({ title: messages.saved, text: messages.savedText });
    } catch (error) {
      if (error instanceof Cancelled) return;
      checkSession(queries, error);
      const names = codeOf(error) === 'SETTING_WRONG' ? (error as { data: { names: string[] } }).data.names : [];
      setWrong(names);
      const first = [...(element.current?.elements ?? [])].find((field) =>
        names.includes((field as HTMLInputElement).name),
      );
      setTimeout(() => (first as HTMLInputElement | undefined)?.focus());
      if (codeOf(error) === 'VERSION_CONFLICT') {
        start();
        await queries.invalidateQueries({ queryKey: rpc.admin.settings.key() });
        notify.error({ title: messages.saveFailed, text: messages.conflict });
      } else notify.error({ title: messages.saveFailed, text: failure(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={element} onSubmit={save} noValidate aria-label={messages.groups[group].title} className="grid gap-4">
      <div className="grid grid-cols-1 gap-x-6 gap-y-4 lg:grid-cols-2">
        {settings.map((one) => (
          <SettingField
            key={one.name}
            setting={one}
            text={typed[one.name] ?? storedText(one)}
            wrong={wrong.includes(one.name)}
            removed={removed[one.name] ?? false}
            onType={(text) => type(one, text)}
            onRemove={(remove) => {
              setRemoved((old) => ({ ...old, [one.name]: remove }));
              setSeen((old) => ({ [one.name]: one.version, ...old }));
            }}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" disabled={changed.length === 0} busy={busy} busyLabel={messages.saving}>
          {messages.save}
        </Button>
        {changed.length > 0 ? (
          <>
            <Button onClick={start}>{messages.discard}</Button>
            <span className="text-sm text-quiet">{messages.unsaved(changed.length)}</span>
            <Guard />
          </>
        ) : null}
      </div>
    </form>
  );
}

function Guard() {
  useUnloadGuard();
  return null;
}

interface FieldProps {
  setting: AdminSetting;
  text: string;
  wrong: boolean;
  removed: boolean;
  onType: (text: string) => void;
  onRemove: (remove: boolean) => void;
}

function SettingField({ setting, text, wrong, removed, onType, onRemove }: FieldProps) {
  const messages = useText(adminSettingsTexts).settings;
  const { label, hint, error } = messages.names[setting.name];
  const fixed = setting.from === 'environment';
  return (
    <div className="grid content-start gap-1.5">
      <Field
        label={
          <span className="flex flex-wrap items-center gap-2">
            {label}
            {fixed ? <Badge tone="sky">{messages.from.environment}</Badge> : null}
            {setting.from === 'unreadable' ? <Badge tone="coral">{messages.from.unreadable}</Badge> : null}
          </span>
        }
        hint={hint}
        error={wrong ? error : ''}
      >
        <Control setting={setting} text={text} disabled={fixed || removed} onType={onType} />
      </Field>
      {setting.kind === 'secret' && setting.from !== 'standard' && !fixed ? (
        <Checkbox
          label={messages.removeSecret(label)}
          checked={removed}
          onChange={({ target }) => onRemove(target.checked)}
        />
      ) : null}
      <p className="text-sm text-quiet wrap-anywhere">
        {fixed ? (
          messages.fixedBy(setting.variable ?? '')
        ) : setting.from === 'unreadable' ? (
          messages.unreadable
        ) : setting.savedAt ? (
          <>
            {messages.savedBy(setting.savedBy ?? messages.operator)} <When iso={setting.savedAt} />
          </>
        ) : (
          messages.standard
        )}
      </p>
    </div>
  );
}

interface ControlProps {
  setting: AdminSetting;
  text: string;
  disabled: boolean;
  onType: (text: string) => void;
}

function Control({ setting: { name, kind, standard, isSet, value }, text, disabled, onType }: ControlProps) {
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
          {standard === null ? messages.byItself : messages.standardIs(standard ? messages.on : messages.off)}
        </option>
        <option value="on">{messages.on}</option>
        <option value="off">{messages.off}</option>
      </Select>
    );
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
      placeholder={standard === null ? '' : String(standard)}
      inputMode={kind === 'number' ? 'numeric' : kind === 'email' ? 'email' : 'text'}
      spellCheck={false}
      autoCapitalize="off"
      maxLength={300}
    />
  );
}
