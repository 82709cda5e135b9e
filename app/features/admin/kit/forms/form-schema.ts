import type { z } from 'zod';
import type { Values } from './merge.ts';

/** What a form sends, as the contract describes it. */
export type FormSchema = z.ZodObject;

/** Why a value is not accepted: nothing typed, too few or too many characters, too small or large a number, or else. */
type FieldError = 'missing' | 'short' | 'long' | 'low' | 'high' | 'invalid';
/** Words for them; what has none of its own gets those of `invalid`. `refused`: only the server finds it wrong. */
export type FieldMessages = string | ({ invalid: string } & Partial<Record<FieldError | 'refused', string>>);

/** Reads a typed value in another way than by its schema; the result is checked by the schema. */
export type Readers = Partial<Record<string, (typed: string) => unknown>>;

/** The schema of the value itself, without null, default and what happens to the value afterwards. */
function valueSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } };
  const inner = def.innerType ?? def.in;
  return inner ? valueSchema(inner) : schema;
}

/** Most characters of a field; undefined for what is no text. */
export function maxLengthOf(schema: FormSchema | undefined, name: string): number | undefined {
  const field = schema?.shape[name];
  return (field && (valueSchema(field) as Partial<z.ZodString>).maxLength) || undefined;
}

/** Figures without symbols; a comma counts as the point. NaN for what is no number. */
function numberOf(typed: string): number {
  const text = typed.trim().replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** A typed value as its schema wants it: a number is typed as text, and an empty choice or moment is none. */
function readValue(schema: z.core.$ZodType, typed: Values[string]): unknown {
  if (typeof typed !== 'string') return typed;
  const { type, format } = valueSchema(schema)._zod.def as { type: string; format?: string };
  const isEmpty = typed.trim() === '';
  if (type === 'number') return isEmpty ? null : numberOf(typed);
  return isEmpty && (type === 'enum' || format === 'datetime') ? null : typed;
}

function errorOf(issue: z.core.$ZodIssue, typed: Values[string] | undefined): FieldError {
  const empty = typed === undefined || typed === null || String(typed).trim() === '';
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const small = issue.code === 'too_small';
    if (issue.origin === 'string') return small ? (empty ? 'missing' : 'short') : 'long';
    return small ? 'low' : 'high';
  }
  return empty ? 'missing' : 'invalid';
}

const searchTermOf = (messages: FieldMessages, fieldError: FieldError | 'refused'): string =>
  typeof messages === 'string' ? messages : (messages[fieldError] ?? messages.invalid);

/** Words for fields that the server refused. */
export const refusedFieldMessages = (messages: Partial<Record<string, FieldMessages>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([name, one]) => (one ? [[name, searchTermOf(one, 'refused')]] : [])),
  );

interface Reading<Input> {
  /** What would be sent; undefined while something is wrong with it. */
  input: Input | undefined;
  /** What is wrong, one sentence a field. */
  errors: Record<string, string>;
}

/**
 * What is typed in a form as its schema sends it, or what is wrong with it: the server checks with the same schema.
 * Fields that the schema does not know are left out.
 *
 * @param words by field; `otherwise` for a field without words of its own.
 */
export function readForm<Schema extends FormSchema>(
  schema: Schema,
  values: Values,
  messages: Partial<Record<string, FieldMessages>>,
  otherwise: string,
  readers: Readers = {},
): Reading<z.output<Schema>> {
  const typed = Object.entries(values).flatMap(([name, value]) => {
    const field = schema.shape[name];
    if (!field) return [];
    const reader = readers[name];
    return [[name, reader ? reader(String(value ?? '')) : readValue(field, value)]];
  });
  const { success, data, error } = schema.safeParse(Object.fromEntries(typed));
  if (success) return { input: data as z.output<Schema>, errors: {} };
  const errors: Record<string, string> = {};
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '');
    // The first one says enough.
    errors[name] ??= searchTermOf(messages[name] ?? otherwise, errorOf(issue, values[name]));
  }
  return { input: undefined, errors };
}
