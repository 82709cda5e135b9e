// For small expressions between the columns of a query of the builder: `sql`…`.mapWith(asText)`. The builder infers the type
// from the decoder, and the decoder refuses a value of another one. Whether such an expression may be null PostgreSQL is not
// asked here, so a decoder without `orNull` belongs to what the expression itself makes sure of: count, coalesce, exists.
import type { DriverValueDecoder } from 'drizzle-orm';

const kind =
  <T>(what: string, is: (value: unknown) => value is T) =>
  (value: unknown): T => {
    if (!is(value)) throw new TypeError(`an expression is no ${what}`);
    return value;
  };

export const asText = kind('text', (value) => typeof value === 'string');
export const asBoolean = kind('truth value', (value) => typeof value === 'boolean');
export const asTexts = kind(
  'list of texts',
  (value): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
/** What `json_agg` answers; of its elements nothing is known. */
export const asList = kind('list', (value): value is unknown[] => Array.isArray(value));

/** A moment, of the text that the query layer gets. */
export function asMoment(value: unknown): Date {
  const moment = new Date(asText(value));
  if (Number.isNaN(moment.getTime())) throw new TypeError('a moment that no Date can hold');
  return moment;
}

/** One of these texts. */
export const asOneOf = <const T extends string>(values: readonly T[]) =>
  kind(values.join(' or '), (value): value is T => (values as readonly unknown[]).includes(value));

/** The same where the expression may be null. */
export const orNull = <T>(decode: (value: unknown) => T): DriverValueDecoder<T | null, unknown> => ({
  mapFromDriverValue: decode,
});
