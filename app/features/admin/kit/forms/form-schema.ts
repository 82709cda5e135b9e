import type { z } from 'zod';
import type { Values } from './merge.ts';

/** Schema of the input that a form sends, as the contract defines it. */
export type FormSchema = z.ZodObject;

/** Why a value is invalid: empty, too few or too many characters, number too small or too large, or another reason. */
type FieldError = 'missing' | 'short' | 'long' | 'low' | 'high' | 'invalid';
/** Messages by error; errors without their own use that of `invalid`. `refused`: only the server finds it invalid. */
export type FieldMessages = string | ({ invalid: string } & Partial<Record<FieldError | 'refused', string>>);

/** Parses typed values in another way than by the schema; the result is validated by the schema. */
export type Readers = Partial<Record<string, (typed: string) => unknown>>;

/** The schema of the value itself, without null, default and transformations. */
function valueSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } };
  const inner = def.innerType ?? def.in;
  return inner ? valueSchema(inner) : schema;
}

/** Maximum length of a field; undefined for fields that hold no text. */
export function maxLengthOf(schema: FormSchema | undefined, name: string): number | undefined {
  const field = schema?.shape[name];
  return (field && (valueSchema(field) as Partial<z.ZodString>).maxLength) || undefined;
}

/** A number without symbols; a comma counts as the decimal point. NaN when it is not a number. */
function numberOf(typed: string): number {
  const text = typed.trim().replace(',', '.');
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

const isNumber = (schema: z.core.$ZodType): boolean => valueSchema(schema)._zod.def.type === 'number';

const isMoment = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && (valueSchema(schema)._zod.def as { format?: string }).format === 'datetime';

/** A typed value in the type of its schema: a number is typed as text, and an empty choice or time is null. */
function readValue(schema: z.core.$ZodType, typed: Values[string]): unknown {
  if (typeof typed !== 'string') return typed;
  const { type, format } = valueSchema(schema)._zod.def as { type: string; format?: string };
  const isEmpty = typed.trim() === '';
  if (isNumber(schema)) return isEmpty ? null : numberOf(typed);
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

/** Messages for fields that the server refused. */
export const refusedFieldMessages = (messages: Partial<Record<string, FieldMessages>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([name, one]) => (one ? [[name, searchTermOf(one, 'refused')]] : [])),
  );

interface Reading<Input> {
  /** The input to send; undefined while a field is invalid. */
  input: Input | undefined;
  /** One error message per field. */
  errors: Record<string, string>;
}

/**
 * Converts the values of a form to the input of its schema, or returns the errors: the server validates with the same schema.
 * Fields that the schema does not have are left out.
 * @param messages by field; `otherwise` is for fields without their own. @param momentMessage returns the message of a typed time that
 * has one of its own, as a skipped hour. @param isDoubtful returns true for a typed number that is ambiguous, which is then invalid.
 */
export function readForm<Schema extends FormSchema>(
  schema: Schema,
  values: Values,
  messages: Partial<Record<string, FieldMessages>>,
  otherwise: string,
  readers: Readers = {},
  momentMessage: (typed: string) => string | undefined = () => undefined,
  isDoubtful: (name: string, typed: string) => boolean = () => false,
): Reading<z.output<Schema>> {
  const typed = Object.entries(values).flatMap(([name, value]) => {
    const field = schema.shape[name];
    if (!field) return [];
    const reader = readers[name];
    if (reader) return [[name, reader(String(value ?? ''))]];
    const doubtful = isNumber(field) && isDoubtful(name, String(value ?? ''));
    return [[name, doubtful ? Number.NaN : readValue(field, value)]];
  });
  const { success, data, error } = schema.safeParse(Object.fromEntries(typed));
  if (success) return { input: data as z.output<Schema>, errors: {} };
  const errors: Record<string, string> = {};
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '');
    // The first error of a field is enough.
    errors[name] ??=
      (isMoment(schema.shape[name]) && momentMessage(String(values[name] ?? ''))) ||
      searchTermOf(messages[name] ?? otherwise, errorOf(issue, values[name]));
  }
  return { input: undefined, errors };
}
