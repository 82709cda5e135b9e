import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notify.ts';
import { Cancelled, type Conflict, conflictOf, faultsOf, type Screen, useAdminFailure } from './failures.ts';

type Values = Record<string, string | number | boolean | null>;
type Errors<V> = Partial<Record<keyof V & string, string>>;

interface Spec<V extends Values> {
  /** What the form begins with, and what "nothing changed" is compared with. */
  initial: V;
  /** Of the record that is edited; 0 for a new one. */
  version?: number;
  /** Checks before anything is sent, one sentence each; the server checks the same again. */
  rules?: { [K in keyof V]?: (value: V[K], all: V) => string | false | undefined };
  /** Words for a field that the server refuses, or that another record has. */
  invalid?: Errors<V>;
  duplicate?: Errors<V>;
  /** Saves; `version` is the one to send, newer than at first after a conflict. */
  submit: (values: V, version: number) => Promise<unknown>;
  /** Title of the notice when saving failed; a function when it depends on the reason. */
  failed: string | ((error: unknown) => { title: string; text?: string });
  /** Faults of fields in failures of this form's own. */
  faults?: (error: unknown) => Errors<V>;
  screen?: Screen;
}

export type AdminForm<V extends Values> = ReturnType<typeof useAdminForm<V>>;
/** A form of whatever fields, as the frames around it see it. */
export type AnyForm = Pick<
  AdminForm<Values>,
  'values' | 'dirty' | 'busy' | 'ref' | 'onSubmit' | 'conflict' | 'keepMine' | 'takeTheirs' | 'closeConflict'
>;

/**
 * A form of the back office: values, checks, what the server found wrong beside its field with the focus on the first,
 * a busy button, and the choice when somebody else saved first. What was typed never gets lost by a failure.
 */
export function useAdminForm<V extends Values>(spec: Spec<V>) {
  const text = useText(adminTexts);
  const failure = useAdminFailure(spec.screen);
  const [initial, setInitial] = useState(spec.initial);
  const [version, setVersion] = useState(spec.version ?? 0);
  const [values, setValues] = useState(spec.initial);
  const [errors, setErrors] = useState<Errors<V>>({});
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const dirty = Object.keys(initial).some((name) => values[name] !== initial[name]);

  function set<K extends keyof V & string>(name: K, value: V[K]) {
    setValues((old) => ({ ...old, [name]: value }));
    setErrors((old) => ({ ...old, [name]: undefined }));
  }

  function show(found: Errors<V>) {
    setErrors(found);
    const fields = [...(element.current?.elements ?? [])] as HTMLInputElement[];
    const first = fields.find(({ name }) => found[name as keyof V & string]);
    if (first) setTimeout(() => first.focus());
  }

  function check(): Errors<V> {
    const found: Errors<V> = {};
    for (const name of Object.keys(values) as (keyof V & string)[]) {
      const fault = spec.rules?.[name]?.(values[name], values);
      if (fault) found[name] = fault;
    }
    return found;
  }

  async function send(with_: number): Promise<void> {
    setBusy(true);
    try {
      await spec.submit(values, with_);
      setConflict(null);
    } catch (error) {
      if (error instanceof Cancelled) return;
      const met = conflictOf(error);
      if (met) return setConflict(met);
      const faults: Errors<V> = {
        ...(faultsOf(error, {
          invalid: (spec.invalid ?? {}) as Record<string, string>,
          duplicate: (spec.duplicate ?? {}) as Record<string, string>,
          otherwise: text.admin.form,
        }) as Errors<V>),
        ...spec.faults?.(error),
      };
      show(faults);
      const [first] = Object.values(faults);
      notify.error(
        typeof spec.failed === 'function'
          ? spec.failed(error)
          : { title: spec.failed, text: typeof first === 'string' ? first : failure(error) },
      );
    } finally {
      setBusy(false);
    }
  }

  function reset(next: V, nextVersion = 0) {
    setInitial(next);
    setValues(next);
    setVersion(nextVersion);
    setErrors({});
    setConflict(null);
  }

  return {
    values,
    set,
    errors,
    dirty,
    busy,
    /** Begins anew, with another record or none. */
    reset,
    conflict,
    /** For `<form ref={form.ref} onSubmit={form.onSubmit} noValidate>`. */
    ref: element,
    onSubmit(event: FormEvent) {
      event.preventDefault();
      if (busy) return;
      const found = check();
      show(found);
      if (Object.keys(found).length === 0) void send(version);
    },
    /** For `<Input {...form.text('name')} />`, Textarea and Select. */
    text: (name: keyof V & string) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event: { target: { value: string } }) => set(name, event.target.value as V[typeof name]),
    }),
    /** For `<Checkbox {...form.flag('isActive')} label=… />`. */
    flag: (name: keyof V & string) => ({
      name,
      checked: values[name] === true,
      onChange: (event: { target: { checked: boolean } }) => set(name, event.target.checked as V[typeof name]),
    }),
    /** After a conflict: what is typed here goes over what was saved, which its editor was shown. */
    keepMine() {
      if (!conflict) return;
      setVersion(conflict.version);
      void send(conflict.version);
    },
    /** After a conflict: what was saved takes the place of what is typed. */
    takeTheirs() {
      if (!conflict) return;
      const theirs = Object.fromEntries(
        Object.keys(initial).map((name) => [
          name,
          name in conflict.current ? (conflict.current[name] ?? '') : values[name],
        ]),
      ) as V;
      reset(theirs, conflict.version);
    },
    closeConflict: () => setConflict(null),
  };
}

/** Warns before a page with unsaved words is closed or reloaded. */
export function useUnloadGuard(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
}
