// Decoders for small expressions between the columns of a builder query: `sql`…`.mapWith(asText)`. The builder infers the type from
// the decoder, and the decoder rejects a value of another type. Nullability is not verified with PostgreSQL here, so that a decoder
// without `orNull` requires an expression that can't be null: count, coalesce, exists.
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
/** Result of `json_agg`, with elements of unknown type. */
export const asList = kind('list', (value): value is unknown[] => Array.isArray(value));

/** A timestamp, from the text that the query layer receives. */
export function asMoment(value: unknown): Date {
  const moment = new Date(asText(value));
  if (Number.isNaN(moment.getTime())) throw new TypeError('a moment that no Date can hold');
  return moment;
}

/** One of these texts. */
export const asOneOf = <const T extends string>(values: readonly T[]) =>
  kind(values.join(' or '), (value): value is T => (values as readonly unknown[]).includes(value));

/** The same for an expression that may be null. */
export const orNull = <T>(decode: (value: unknown) => T): DriverValueDecoder<T | null, unknown> => ({
  mapFromDriverValue: decode,
});
