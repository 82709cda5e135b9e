import { bigint, customType, numeric, text, timestamp } from 'drizzle-orm/pg-core';
import { eachLink } from '#contract/fields/links.ts';
import { eachProjectText } from '#contract/fields/project-texts.ts';
import { columnOf } from '#server/lib/column-name.ts';

/** Raw bytes: hashes, and secrets that are sealed. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Words prepared for full-text search; written by the database only. */
export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** A moment, read as a Date (milliseconds; PostgreSQL keeps microseconds). */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** A price or market figure: numeric in the database, a double here. */
export const figure = (name: string) => numeric(name, { mode: 'number' });

/** A count that may pass 2^31; exact up to 2^53. */
export const bigCount = (name: string) => bigint(name, { mode: 'number' });

/** The public links of a token; a function, because a column belongs to one table. */
export const linkColumns = () => eachLink((link) => text(columnOf(link)));
/** The texts of a project that may be empty; a function for the same reason. */
export const projectTextColumns = () => eachProjectText((name) => text(columnOf(name)));
