import { arrayOf, int4, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Images that are not removed, with their files, by name: the first ones after a name, up to another. */
export const readFiles = statement({
  parameters: { after: text, upTo: text, max: int4 },
  row: { name: text, files: arrayOf(text) },
  text: (at) => `
    select name, array(select v ->> 'file' from jsonb_array_elements(variants) as v) as files
    from media
    where deleted_at is null and name collate "C" > ${at.after} and name collate "C" <= ${at.upTo}
    order by name collate "C" limit ${at.max}`,
});

/** Removed images with their files, the longest removed first. */
export const readRemoved = statement({
  parameters: { max: int4, skip: int4 },
  row: { id: uuid, files: arrayOf(text) },
  text: (at) => `
    select id, array(select v ->> 'file' from jsonb_array_elements(variants) as v) as files
    from media where deleted_at is not null order by deleted_at, id limit ${at.max} offset ${at.skip}`,
});
