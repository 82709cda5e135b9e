import { type SQL, sql } from 'drizzle-orm';

/** Every column that may hold the address of an image. */
export const IMAGE_COLUMNS = [
  ['projects', 'image_url'],
  ['voting_candidates', 'image_url'],
  ['next_projects', 'image_url'],
  ['news', 'image_url'],
  ['users', 'image'],
] as const;

/**
 * Condition: some row shows the image of this name. Names are 128 random bits, so finding one anywhere in an address
 * means this image.
 */
export const shownAnywhere = (name: SQL): SQL =>
  sql`(${sql.join(
    IMAGE_COLUMNS.map(
      ([table, column]) =>
        sql`exists (select 1 from ${sql.identifier(table)} as shown where position(${name} in shown.${sql.identifier(column)}) > 0)`,
    ),
    sql` or `,
  )})`;
