import { arrayOf, int4, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Every file of an image that is not removed. */
export const readFiles = statement({
  parameters: {},
  row: { file: text },
  text: () => `
    select coalesce(variant ->> 'file', '') as file from media, jsonb_array_elements(variants) as variant
    where deleted_at is null`,
});

/** Removed images with their files, the longest removed first. */
export const readRemoved = statement({
  parameters: { most: int4 },
  row: { id: uuid, files: arrayOf(text) },
  text: (at) => `
    select id, array(select v ->> 'file' from jsonb_array_elements(variants) as v) as files
    from media where deleted_at is not null order by deleted_at limit ${at.most}`,
});
