import { tokenKind } from '#contract/fields/schemas.ts';
import { arrayOf, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

const SHARED = 'id, token_name as "tokenName", token_symbol as "tokenSymbol", description, image_url as "imageUrl"';

/** Public data of these tokens. */
export const readSavedTokens = statement({
  parameters: { projects: arrayOf(uuid), candidates: arrayOf(uuid), nextProjects: arrayOf(uuid) },
  row: {
    kind: oneOf(tokenKind.options),
    id: uuid,
    tokenName: text,
    tokenSymbol: text,
    description: orNull(text),
    imageUrl: orNull(text),
    tokenSlug: orNull(text),
  },
  text: (at) => `
    select 'project' as kind, ${SHARED}, token_slug as "tokenSlug" from projects
      where id = any(${at.projects}) and status in ('published_home', 'approved') and deleted_at is null
    union all
    select 'candidate', ${SHARED}, token_slug from voting_candidates
      where id = any(${at.candidates}) and is_active and deleted_at is null
    union all
    select 'next', ${SHARED}, null from next_projects
      where id = any(${at.nextProjects}) and is_active and status in ('published', 'launched') and deleted_at is null`,
});
