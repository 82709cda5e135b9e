import { bigint, customType, numeric, text, timestamp } from 'drizzle-orm/pg-core';
import { eachLink } from '#contract/fields/links.ts';
import { eachProjectText } from '#contract/fields/project-texts.ts';
import { columnOf } from '#server/lib/column-name.ts';

/** Raw bytes: hashes, and encrypted secrets. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Document for full-text search; written by the database only. */
export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * A JSON value of any kind, as it was stored. `jsonb` of the query builder parses a text once more when the driver has parsed the
 * document already: the text "2048" would be read as a number, and "null" as nothing.
 */
export const jsonValue = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value,
});

/** A timestamp, read as a Date (milliseconds; PostgreSQL stores microseconds). */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** A price or market figure: numeric in the database, a double here. */
export const figure = (name: string) => numeric(name, { mode: 'number' });

/** A count that may exceed 2^31; exact up to 2^53. */
export const bigCount = (name: string) => bigint(name, { mode: 'number' });

/** Columns of the public links of a token; a function, because a column object belongs to one table. */
export const linkColumns = () => eachLink((link) => text(columnOf(link)));
/** Columns of the optional texts of a project; a function for the same reason. */
export const projectTextColumns = () => eachProjectText((name) => text(columnOf(name)));
