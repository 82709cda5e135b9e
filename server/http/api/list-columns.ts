import { z } from 'zod';

/** A column of an exported list: its heading, and where its value is in a row. */
export interface Column {
  name: string;
  path: readonly string[];
  /** Its value is a record of named values. */
  named?: boolean;
}

/** The schema inside of nullable, optional and default wrappers. */
function inner(schema: unknown): unknown {
  let one = schema;
  while (one instanceof z.ZodNullable || one instanceof z.ZodOptional || one instanceof z.ZodDefault)
    one = one.def.innerType;
  return one;
}

/**
 * The columns of a list, from the schema of its rows: one per field; an object has one per property, such as `owner.name`, and an array of
 * numbers one per item, such as `weeks.0` to `weeks.25`. Null when the schema is not that of an object.
 */
export function columnsOf(schema: unknown): Column[] | null {
  const row = inner(schema);
  return row instanceof z.ZodObject ? partsOf(row, []) : null;
}

/** The maximum length of an array; 0 when its schema has none. */
function maxLength(array: z.ZodArray): number {
  const limits = array.def.checks?.map(({ _zod }) => _zod.def) ?? [];
  return limits.find((one): one is z.core.$ZodCheckMaxLengthDef => one.check === 'max_length')?.maximum ?? 0;
}

function partsOf(schema: unknown, path: readonly string[]): Column[] {
  const one = inner(schema);
  if (one instanceof z.ZodObject)
    return Object.entries(one.shape).flatMap(([name, part]) => partsOf(part, [...path, name]));
  const figures = one instanceof z.ZodArray && one.element instanceof z.ZodNumber ? maxLength(one) : 0;
  if (figures > 0) return Array.from({ length: figures }, (_, i) => partsOf(undefined, [...path, String(i)])).flat();
  return [{ name: path.join('.'), path, named: one instanceof z.ZodRecord }];
}

/** The value of a column in a row; undefined where the row has none. */
export const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((of, name) => (of as Record<string, unknown> | null | undefined)?.[name], row);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/**
 * The text of a cell. Texts, names of records and the named values of a record are separated by semicolons; values without a schema and
 * deeper structures are written as JSON.
 */
export function textOf(value: unknown, named = false): string {
  if (isPlain(value)) return String(value);
  const parts = Array.isArray(value) ? value.map(nameOf) : Object.values(value as object);
  if (!parts.every(isPlain) || !(named || Array.isArray(value))) return JSON.stringify(value);
  if (Array.isArray(value)) return parts.join('; ');
  return Object.entries(value as object)
    .map(([name, one]) => `${name}: ${String(one)}`)
    .join('; ');
}

/** The name of a record, or the value itself. */
function nameOf(value: unknown): unknown {
  if (isPlain(value)) return value;
  const { title, name } = value as Record<string, unknown>;
  return title ?? name ?? value;
}
