import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { isAmbiguous } from '#app/lib/format/coins.ts';
import type { Locale } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { checkSession } from '../../admin.queries.ts';
import { isSkipped } from '../dates/typed-dates.ts';
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

/** The input that a form with a schema sends; without a schema, its values. */
type Input<V, S> = S extends FormSchema ? z.output<S> : V;

export interface FormSpec<V extends Values, S extends FormSchema | undefined> {
  /** The initial values, with which the current ones are compared to detect changes. */
  initial: V;
  /** Version of the edited record; 0 for a new one. */
  version?: number;
  /** Schema of the input, as the contract defines it: validated here before sending, and by the server again. */
  schema?: S;
  /** Messages for a field that its schema or the server refuses; default: 'not valid'. */
  messages?: { [K in keyof V & string]?: FieldMessages };
  /** Fields whose typed text is parsed in another way than by the schema. */
  readers?: { [K in keyof V & string]?: (typed: string) => unknown };
  /** Checks that a schema can't express, in addition to it: of several fields together, or with the clock. */
  check?: (values: V) => { [K in keyof V & string]?: string | false | undefined };
  /** Message for a field whose value another record already has. */
  duplicate?: Errors<V>;
  /** Saves the parsed input; `version` is the one to send, newer than the initial one after a conflict. */
  submit: (input: Input<V, S>, version: number) => Promise<unknown>;
  /** Title of the notice when saving failed; a function when it depends on the reason. */
  failed: string | ((error: unknown) => { title: string; text?: string });
  /** Field errors in failures specific to this form. */
  fieldErrors?: (error: unknown) => Errors<V>;
  /** Fields that belong together in a conflict: a decision and its text. */
  together?: readonly (readonly (keyof V & string)[])[];
  screen?: Screen;
  /**
   * Name of the form and its record, null for a new one: unsaved input survives the end of the session and is restored after signing
   * in (AMB-20). The screen that shows the form opens it again with `useReopenedForm`. Null while nothing can be typed yet.
   */
  stored: { form: string; record: { id: string } | null } | null;
}

/** The initial values of a form: those of the record, or those stored when the session ended. */
function useBeginning<V extends Values>({
  initial,
  version = 0,
  stored,
}: Pick<FormSpec<V, undefined>, 'initial' | 'version' | 'stored'>) {
  const queries = useQueryClient();
  const id = stored?.record?.id ?? 'new';
  const form = stored?.form;
  const [beginning] = useState(() => {
    const found = stored && storedFormOf(queries, stored.form);
    if (found?.id !== id) return { base: initial, values: initial, version, restored: false };
    // A field that the form gained in a newer version of the product is not in the stored values.
    const whole = (stored: Values) => ({ ...initial, ...stored }) as V;
    return { base: whole(found.base), values: whole(found.values), version: found.version, restored: true };
  });
  useEffect(() => {
    if (beginning.restored && form) dropStoredForm(form);
  }, [beginning, form]);
  return beginning;
}

export type AdminForm<V extends Values> = ReturnType<typeof useAdminForm<V>>;
/** A form with any fields, as its frame components use it. */
export type AnyForm = Pick<
  AdminForm<Values>,
  'values' | 'dirty' | 'restored' | 'busy' | 'ref' | 'onSubmit' | 'resolve' | 'takeTheirs' | 'closeConflict'
> & { conflict: Conflict | null; merge: Merge | null };

/**
 * The values as input to send, or their errors.
 * @param base the values before they were changed here: a number that still equals its stored value is not checked for ambiguity.
 */
function readTyped<V extends Values, S extends FormSchema | undefined>(
  spec: FormSpec<V, S>,
  { typed, base }: { typed: V; base: V },
  { invalid, skippedHour }: { invalid: string; skippedHour: string },
  locale: Locale,
): { input: Input<V, S> | undefined; errors: Errors<V> } {
  const momentMessage = (moment: string) => (isSkipped(moment, locale) ? skippedHour : undefined);
  const isDoubtful = (name: string, number: string) => number !== base[name] && isAmbiguous(number, locale);
  const { input, errors: found } = spec.schema
    ? readForm(spec.schema, typed, spec.messages ?? {}, invalid, spec.readers, momentMessage, isDoubtful)
    : { input: typed, errors: {} };
  const further = Object.entries(spec.check?.(typed) ?? {}).filter(([, fieldError]) => fieldError);
  const errors = { ...Object.fromEntries(further), ...found } as Errors<V>;
  return { input: Object.keys(errors).length === 0 ? (input as Input<V, S>) : undefined, errors };
}

/** Field errors in a failed save: by the rules of every form, and by the form's own. */
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

/** Moves the focus to the first field with an error, once the error is rendered. */
function focusFirst(form: HTMLFormElement | null, errors: Partial<Record<string, string>>): void {
  const fields = [...(form?.elements ?? [])] as HTMLInputElement[];
  const first = fields.find(({ name }) => errors[name]);
  if (first) setTimeout(() => first.focus());
}

/**
 * A form of the back office: values, validation, server errors next to their fields with the focus on the first, a busy button, and
 * the merge when somebody else saved first. A failure never loses what was typed.
 */
export function useAdminForm<V extends Values, S extends FormSchema | undefined = undefined>(spec: FormSpec<V, S>) {
  const [text, locale] = [useText(adminTexts), useLocale()];
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

  async function send(typed: V, with_: number, base = initial): Promise<void> {
    const { input, errors: found } = readTyped(spec, { typed, base }, text.admin.form, locale);
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
      const general = typeof first === 'string' ? first : failure(error);
      notify.failed(
        error,
        typeof spec.failed === 'function' ? spec.failed(error) : { title: spec.failed, text: general },
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
    /** The input was restored after signing in again. */
    restored: beginning.restored && dirty,
    /** Resets the form to another record, or to none. */
    reset,
    conflict,
    /** For `<form ref={form.ref} onSubmit={form.onSubmit} noValidate>`. */
    ref: element,
    onSubmit(event: FormEvent) {
      event.preventDefault();
      if (!busy) void send(values, version);
    },
    /** For `<Input {...form.text('name')} />`, Textarea and Select; with the maximum length of its schema. */
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
    /** The changes of each side, while a conflict is open. */
    merge,
    /** Resolves a conflict: the changes of both sides, and for fields that both changed the chosen side. */
    resolve(choices: Partial<Record<string, Side>>) {
      if (!conflict || !merge) return;
      const together = mergedValues(merge, values, choices) as V;
      setInitial(merge.theirs as V);
      setValues(together);
      setVersion(conflict.version);
      setConflict(null);
      void send(together, conflict.version, merge.theirs as V);
    },
    /** Resolves a conflict: replaces the values with the saved ones. */
    takeTheirs() {
      if (conflict && merge) reset(merge.theirs as V, conflict.version);
    },
    closeConflict: () => setConflict(null),
  };
}
