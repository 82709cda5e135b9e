import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { checkSession } from '../../admin.queries.ts';
import {
  Cancelled,
  type Conflict,
  conflictOf,
  Declined,
  fieldErrorsOf,
  type Screen,
  useAdminFailure,
} from '../failures.ts';
import { type FieldMessages, type FormSchema, maxLengthOf, readForm, refusedFieldMessages } from './form-schema.ts';
import { type Merge, mergedValues, mergeOf, type Side, type Values } from './merge.ts';
import { dropStoredForm, storedFormOf, useStoredForm } from './stored-forms.ts';

type Errors<V> = Partial<Record<keyof V & string, string>>;

/** What a form with a schema sends; without one, what is typed. */
type Input<V, S> = S extends FormSchema ? z.output<S> : V;

export interface FormSpec<V extends Values, S extends FormSchema | undefined> {
  /** What the form begins with, and what "nothing changed" is compared with. */
  initial: V;
  /** Of the record that is edited; 0 for a new one. */
  version?: number;
  /** What is sent, as the contract describes it: checked here before anything is sent, and by the server again. */
  schema?: S;
  /** What is wrong with a field that its schema or the server refuses; 'not valid' where nothing is said. */
  messages?: { [K in keyof V & string]?: FieldMessages };
  /** Fields whose typed text is read in another way than by the schema. */
  readers?: { [K in keyof V & string]?: (typed: string) => unknown };
  /** What no schema can say, beside it: checks of several fields together, or with the clock. */
  check?: (values: V) => { [K in keyof V & string]?: string | false | undefined };
  /** Words for a field whose value another record has. */
  duplicate?: Errors<V>;
  /** Saves what was read; `version` is the one to send, newer than at first after a conflict. */
  submit: (input: Input<V, S>, version: number) => Promise<unknown>;
  /** Title of the notice when saving failed; a function when it depends on the reason. */
  failed: string | ((error: unknown) => { title: string; text?: string });
  /** Faults of fields in failures of this form's own. */
  fieldErrors?: (error: unknown) => Errors<V>;
  /** Fields that say one thing together, after a conflict: a decision and the words that go with it. */
  together?: readonly (readonly (keyof V & string)[])[];
  screen?: Screen;
  /**
   * Name of the form and the record in it, null for a new one: what is typed survives the end of the session and comes back
   * after signing in (AMB-20). Whoever shows the form opens it again with `useReopenedForm`. Null while nothing can be typed yet.
   */
  stored: { form: string; record: { id: string } | null } | null;
}

/** What a form begins with: the record, or what was typed before the session ended. */
function useBeginning<V extends Values>({
  initial,
  version = 0,
  stored,
}: Pick<FormSpec<V, undefined>, 'initial' | 'version' | 'stored'>) {
  const queries = useQueryClient();
  const id = stored?.record?.id ?? 'new';
  const [beginning] = useState(() => {
    const found = stored && storedFormOf(queries, stored.form);
    if (found?.id !== id) return { base: initial, values: initial, version, restored: false };
    // A field that the form got meanwhile was not kept.
    const whole = (stored: Values) => ({ ...initial, ...stored }) as V;
    return { base: whole(found.base), values: whole(found.values), version: found.version, restored: true };
  });
  useEffect(() => {
    if (beginning.restored) dropStoredForm();
  }, [beginning]);
  return beginning;
}

export type AdminForm<V extends Values> = ReturnType<typeof useAdminForm<V>>;
/** A form of whatever fields, as the frames around it see it. */
export type AnyForm = Pick<
  AdminForm<Values>,
  'values' | 'dirty' | 'restored' | 'busy' | 'ref' | 'onSubmit' | 'resolve' | 'takeTheirs' | 'closeConflict'
> & { conflict: Conflict | null; merge: Merge | null };

/** What is typed, as it is sent, or what is wrong with it. */
function readTyped<V extends Values, S extends FormSchema | undefined>(
  spec: FormSpec<V, S>,
  typed: V,
  invalid: string,
): { input: Input<V, S> | undefined; errors: Errors<V> } {
  const { input, errors: found } = spec.schema
    ? readForm(spec.schema, typed, spec.messages ?? {}, invalid, spec.readers)
    : { input: typed, errors: {} };
  const further = Object.entries(spec.check?.(typed) ?? {}).filter(([, fieldError]) => fieldError);
  const errors = { ...Object.fromEntries(further), ...found } as Errors<V>;
  return { input: Object.keys(errors).length === 0 ? (input as Input<V, S>) : undefined, errors };
}

/** What a failed save says about single fields: by the rules of every form, and by the form's own. */
function errorsOf<V extends Values, S extends FormSchema | undefined>(
  spec: FormSpec<V, S>,
  error: unknown,
  otherwise: Parameters<typeof fieldErrorsOf>[1]['otherwise'],
): Errors<V> {
  return {
    ...(fieldErrorsOf(error, {
      invalid: refusedFieldMessages(spec.messages ?? {}),
      duplicate: (spec.duplicate ?? {}) as Record<string, string>,
      otherwise,
    }) as Errors<V>),
    ...spec.fieldErrors?.(error),
  };
}

/** Puts the focus on the first field that has an error, once the error is shown. */
function focusFirst(form: HTMLFormElement | null, errors: Partial<Record<string, string>>): void {
  const fields = [...(form?.elements ?? [])] as HTMLInputElement[];
  const first = fields.find(({ name }) => errors[name]);
  if (first) setTimeout(() => first.focus());
}

/**
 * A form of the back office: values, checks, what the server found wrong beside its field with the focus on the first,
 * a busy button, and the choice when somebody else saved first. What was typed never gets lost by a failure.
 */
export function useAdminForm<V extends Values, S extends FormSchema | undefined = undefined>(spec: FormSpec<V, S>) {
  const text = useText(adminTexts);
  const failure = useAdminFailure(spec.screen);
  const queries = useQueryClient();
  const beginning = useBeginning(spec);
  const [initial, setInitial] = useState(beginning.base);
  const [version, setVersion] = useState(beginning.version);
  const [values, setValues] = useState(beginning.values);
  const [errors, setErrors] = useState<Errors<V>>({});
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const dirty = Object.keys(initial).some((name) => values[name] !== initial[name]);
  useStoredForm({
    form: spec.stored?.form ?? '',
    id: spec.stored?.record?.id ?? 'new',
    record: spec.stored?.record ?? null,
    values,
    base: initial,
    version,
    dirty,
  });

  function set<K extends keyof V & string>(name: K, value: V[K]) {
    setValues((old) => ({ ...old, [name]: value }));
    setErrors((old) => ({ ...old, [name]: undefined }));
  }

  function show(found: Errors<V>) {
    setErrors(found);
    focusFirst(element.current, found);
  }

  async function send(typed: V, with_: number): Promise<void> {
    const { input, errors: found } = readTyped(spec, typed, text.admin.form.invalid);
    show(found);
    if (input === undefined) return;
    setBusy(true);
    try {
      await spec.submit(input, with_);
      setConflict(null);
    } catch (error) {
      if (error instanceof Cancelled) return;
      if (error instanceof Declined) return show(errorsOf(spec, error.cause, text.admin.form));
      checkSession(queries, error);
      const met = conflictOf(error);
      if (met) return setConflict(met);
      const fieldErrors = errorsOf(spec, error, text.admin.form);
      show(fieldErrors);
      const [first] = Object.values(fieldErrors);
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

  const merge =
    conflict && mergeOf({ base: initial, mine: values, current: conflict.current, together: spec.together });

  return {
    values,
    set,
    errors,
    dirty,
    busy,
    /** What is typed was put back after signing in again. */
    restored: beginning.restored && dirty,
    /** Begins anew, with another record or none. */
    reset,
    conflict,
    /** For `<form ref={form.ref} onSubmit={form.onSubmit} noValidate>`. */
    ref: element,
    onSubmit(event: FormEvent) {
      event.preventDefault();
      if (!busy) void send(values, version);
    },
    /** For `<Input {...form.text('name')} />`, Textarea and Select; as long as its schema allows. */
    text: (name: keyof V & string) => ({
      name,
      value: String(values[name] ?? ''),
      maxLength: maxLengthOf(spec.schema, name),
      onChange: (event: { target: { value: string } }) => set(name, event.target.value as V[typeof name]),
    }),
    /** For `<Checkbox {...form.flag('isActive')} label=… />`. */
    flag: (name: keyof V & string) => ({
      name,
      checked: values[name] === true,
      onChange: (event: { target: { checked: boolean } }) => set(name, event.target.checked as V[typeof name]),
    }),
    /** What each side changed, while a conflict is open. */
    merge,
    /** After a conflict: both sides' changes together, and of what both changed the side that was chosen. */
    resolve(choices: Partial<Record<string, Side>>) {
      if (!conflict || !merge) return;
      const together = mergedValues(merge, values, choices) as V;
      setInitial(merge.theirs as V);
      setValues(together);
      setVersion(conflict.version);
      setConflict(null);
      void send(together, conflict.version);
    },
    /** After a conflict: what was saved takes the place of what is typed. */
    takeTheirs() {
      if (conflict && merge) reset(merge.theirs as V, conflict.version);
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
