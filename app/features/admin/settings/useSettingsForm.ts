import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { AdminSetting } from '#contract/admin/settings.ts';
import { checkSession } from '../admin.queries.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { dropStoredForm, storedFormOf, useStoredForm } from '../kit/forms/stored-forms.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** Text of each field: '' when nothing is stored, or for a secret that stays unchanged. */
type Typed = Partial<Record<string, string>>;

const storedText = ({ kind, from, value }: AdminSetting): string => {
  if (kind === 'secret' || from === 'default' || from === 'unreadable') return '';
  if (kind === 'switch') return value ? 'on' : 'off';
  return value === null ? '' : String(value);
};

/** The value to send for a field. Text that is not a number is sent unchanged, for the server to refuse. */
const valueOfText = ({ kind }: AdminSetting, text: string): string | number | boolean | null => {
  const clean = text.trim();
  if (clean === '') return null;
  if (kind === 'switch') return clean === 'on';
  return kind === 'number' && /^\d{1,9}$/.test(clean) ? Number(clean) : clean;
};

/** Input in the settings of a group; unsaved input from before the session ended is restored, except secrets. */
function useTyped(group: AdminSetting['group'], settings: AdminSetting[]) {
  const queries = useQueryClient();
  const form = `settings-${group}`;
  const [beginning] = useState(() => {
    const found = storedFormOf(queries, form);
    return found && { typed: found.values as Typed, seen: found.base as Record<string, number> };
  });
  useEffect(() => {
    if (beginning) dropStoredForm(form);
  }, [beginning, form]);
  const [typed, setTyped] = useState<Typed>(beginning?.typed ?? {});
  /** The versions shown when each field was first changed. */
  const [seen, setSeen] = useState<Record<string, number>>(beginning?.seen ?? {});
  const open = settings.filter(
    (one) => one.kind !== 'secret' && typed[one.name] !== undefined && typed[one.name] !== storedText(one),
  );
  useStoredForm({
    form,
    id: 'new',
    record: null,
    values: Object.fromEntries(open.map(({ name }) => [name, typed[name] ?? ''])),
    base: Object.fromEntries(open.map(({ name, version }) => [name, seen[name] ?? version])),
    version: 0,
    dirty: open.length > 0,
  });
  return { typed, setTyped, seen, setSeen, restored: beginning !== null && open.length > 0 };
}

/** The form of a group of settings. Only changed values are sent, so nobody else's change is overwritten. */
export function useSettingsForm(group: AdminSetting['group'], settings: AdminSetting[]) {
  const messages = useText(adminSettingsTexts).settings;
  const failure = useAdminFailure();
  const withProof = useStepUp();
  const queries = useQueryClient();
  const { typed, setTyped, seen, setSeen, restored } = useTyped(group, settings);
  const [removed, setRemoved] = useState<Record<string, boolean>>({});
  const [wrong, setWrong] = useState<readonly string[]>([]);
  /** Edited settings that somebody else stored meanwhile. */
  const [met, setMet] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const changed = settings.filter(
    (one) => removed[one.name] || (typed[one.name] !== undefined && typed[one.name] !== storedText(one)),
  );
  const touch = ({ name, version }: AdminSetting) => setSeen((old) => ({ [name]: version, ...old }));

  function start() {
    setTyped({});
    setSeen({});
    setRemoved({});
    setWrong([]);
    setMet([]);
  }
  /** Removes the saved values from the input; input since the save was sent stays. */
  function settle(sent: Typed) {
    const unsent = ([name]: [string, unknown]) => !(name in sent);
    setTyped((old) => Object.fromEntries(Object.entries(old).filter((one) => unsent(one) || one[1] !== sent[one[0]])));
    setSeen((old) => Object.fromEntries(Object.entries(old).filter(unsent)));
    setRemoved((old) => Object.fromEntries(Object.entries(old).filter(unsent)));
    setWrong([]);
    setMet([]);
  }
  function focusFirst(names: readonly string[]) {
    const fields = [...(element.current?.elements ?? [])] as HTMLInputElement[];
    const first = fields.find(({ name }) => names.includes(name));
    setTimeout(() => first?.focus());
  }

  /** The input stays; each setting that both changed shows the stored value next to it, and saving again overwrites it. */
  async function showMet() {
    const newest = await queries.fetchQuery({ ...rpc.admin.settings.list.queryOptions(), staleTime: 0 });
    const versionOf = new Map(newest.map(({ name, version }) => [name as string, version]));
    const names = changed
      .filter(({ name, version }) => versionOf.get(name) !== (seen[name] ?? version))
      .map(({ name }) => name);
    setSeen((old) => ({ ...old, ...Object.fromEntries(names.map((name) => [name, versionOf.get(name) ?? 0])) }));
    setMet(names);
    focusFirst(names);
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
      settle(Object.fromEntries(changes.map(({ name }) => [name, typed[name]])));
      notify.success({ title: messages.saved, text: messages.savedText });
    } catch (error) {
      if (error instanceof Cancelled) return;
      checkSession(queries, error);
      const names = codeOf(error) === 'SETTING_WRONG' ? (error as { data: { names: string[] } }).data.names : [];
      setWrong(names);
      focusFirst(names);
      const conflict = codeOf(error) === 'VERSION_CONFLICT';
      // Without them the notice still says what to do.
      if (conflict) await showMet().catch(() => undefined);
      notify.failed(error, { title: messages.saveFailed, text: conflict ? messages.conflict : failure(error) });
    } finally {
      setBusy(false);
    }
  }

  return {
    ref: element,
    onSubmit: save,
    busy,
    restored,
    changed,
    wrong,
    met,
    removed,
    textOf: (one: AdminSetting) => typed[one.name] ?? storedText(one),
    type(one: AdminSetting, text: string) {
      setTyped((old) => ({ ...old, [one.name]: text }));
      touch(one);
      setWrong((old) => old.filter((name) => name !== one.name));
    },
    remove(one: AdminSetting, remove: boolean) {
      setRemoved((old) => ({ ...old, [one.name]: remove }));
      touch(one);
    },
    /** Discards the input. */
    start,
  };
}
