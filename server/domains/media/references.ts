import { type SQL, sql } from 'drizzle-orm';

/** Every column that may contain the URL of an image. */
export const IMAGE_COLUMNS = [
  ['projects', 'image_url'],
  ['voting_candidates', 'image_url'],
  ['next_projects', 'image_url'],
  ['news', 'image_url'],
  ['users', 'image'],
  ['deliverables', 'evidence'],
] as const;

/** Columns with JSON that may contain one, and its key there. */
const JSON_COLUMNS = [
  ['token_creation_submissions', 'token_data', 'imageUrl'],
  ['project_submissions', 'project_data', 'imageUrl'],
  // Never changed: tokens that version 0.2.0 created refer to it permanently, while the form of the request may get another image.
  ['token_creations', 'metadata', 'image'],
] as const;

/**
 * Condition: some row shows the image with this name. Names are 128 random bits, so that any occurrence in a URL means this image.
 * The uses recorded by triggers (media_uses), which cover the texts of news and pages, are included.
 */
export const shownAnywhere = (name: SQL): SQL => {
  const holds = (table: string, address: SQL) =>
    sql`exists (select 1 from ${sql.identifier(table)} as shown where position(${name} in ${address}) > 0)`;
  return sql`(${sql.join(
    [
      ...IMAGE_COLUMNS.map(([table, column]) => holds(table, sql`shown.${sql.identifier(column)}`)),
      ...JSON_COLUMNS.map(([table, column, key]) =>
        holds(table, sql`shown.${sql.identifier(column)} ->> ${key}::text`),
      ),
    ],
    sql` or `,
  )} or exists (select 1 from forum_post_images as shown where shown.url = '/media/' || ${name} || '.webp')
    or exists (select 1 from media_uses as shown where shown.name = ${name}))`;
};
