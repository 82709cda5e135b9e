// Mapping between JavaScript values and PostgreSQL types, in both directions; for the statements of statement.ts.
import pg from 'pg';

/** A type of a column or parameter: its JavaScript values, and how they are parsed and serialized. */
export interface PgType<T> {
  /** In the format of PostgreSQL's `format_type`, without a length. */
  readonly name: string;
  readonly nullable: boolean;
  /** Parses the text that PostgreSQL sends. @throws TypeError for an invalid value of the type. */
  read(text: string): T;
  /** Serializes for the driver. */
  write(value: T): unknown;
}

/** The values of a type. */
export type ValueOf<Type> = Type extends PgType<infer T> ? T : never;

const plain = <T>(name: string, read: (text: string) => T): PgType<T> => ({
  name,
  nullable: false,
  read,
  write: (value) => value,
});

const asIs = (text: string): string => text;

export const text = plain('text', asIs);
export const uuid = plain('uuid', asIs);
export const boolean = plain('boolean', (value) => value === 't');
export const int4 = plain('integer', Number);
export const float8 = plain('double precision', Number);
/** A count or key above 2^31, exact up to 2^53. */
export const int8 = plain('bigint', (value) => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError('a bigint above 2^53');
  return number;
});
/** A calendar day, `2026-12-31`. */
export const date = plain('date', asIs);

/** Raw bytes in PostgreSQL's format: `\\x`, then hexadecimal. */
export const bytea: PgType<Buffer> = {
  name: 'bytea',
  nullable: false,
  read: (value) => {
    if (!/^\\x(?:[0-9a-f]{2})*$/.test(value)) throw new TypeError('bytes that are not hexadecimal');
    return Buffer.from(value.slice(2), 'hex');
  },
  write: (value) => value,
};

/** A timestamp, in milliseconds; PostgreSQL stores microseconds. */
export const timestamptz: PgType<Date> = {
  name: 'timestamp with time zone',
  nullable: false,
  read: (value) => {
    const moment = new Date(value);
    if (Number.isNaN(moment.getTime())) throw new TypeError('a moment that no Date can hold');
    return moment;
  },
  write: (value) => value.toISOString(),
};

/** The same with PostgreSQL's microseconds, as its own text. */
export const exactMoment = plain('timestamp with time zone', asIs);

/** One of these texts. */
export function oneOf<const T extends string>(values: readonly T[]): PgType<T> {
  const known = new Set<string>(values);
  return plain('text', (value) => {
    if (!known.has(value)) throw new TypeError(`none of ${values.join(', ')}`);
    return value as T;
  });
}

/** A jsonb document. @param read its validation, such as the `parse` of a schema. */
export const jsonb = <T>(read: (value: unknown) => T): PgType<T> => ({
  name: 'jsonb',
  nullable: false,
  read: (value) => read(JSON.parse(value)),
  write: (value) => JSON.stringify(value),
});

/** The same for json. */
export const json = <T>(read: (value: unknown) => T): PgType<T> => ({ ...jsonb(read), name: 'json' });

const listOf = (text: string): (string | null)[] => pg.types.getTypeParser(1009 as 17)(text) as never;

/** One dimension, no null elements. */
export const arrayOf = <T>(of: PgType<T>): PgType<readonly T[]> => ({
  name: `${of.name}[]`,
  nullable: false,
  read: (value) =>
    listOf(value).map((one) => {
      if (one === null) throw new TypeError('an element that is null');
      return of.read(one);
    }),
  write: (value) => value.map(of.write),
});

/** The same type, or null. */
export const orNull = <T>(type: PgType<T>): PgType<T | null> => ({
  name: type.name,
  nullable: true,
  read: type.read,
  write: (value) => (value === null ? null : type.write(value)),
});
