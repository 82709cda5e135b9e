import { tokenKind } from '#contract/fields/schemas.ts';
import { arrayOf, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

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

/** The NEXT projects that these candidates became, the last one of each. */
export const readSuccessors = statement({
  parameters: { candidates: arrayOf(uuid) },
  row: { candidateId: uuid, nextId: uuid },
  text: (at) => `
    select distinct on (c.id) c.id as "candidateId", n.id as "nextId"
    from voting_candidates c join voting_rounds r on r.winner_candidate_id = c.id join next_projects n on n.voting_round_id = r.id
    where c.id = any(${at.candidates}) order by c.id, r.number desc`,
});

/**
 * Replaces saved candidates with the NEXT projects that they became, with the same choice of mails and the same place in the list. A member
 * who had saved both has one row left, with mails when either had them.
 */
export const carrySaved = command({
  parameters: { candidate: uuid, next: uuid },
  text: (at) => `
    with carried as (
      delete from saved_tokens where candidate_id = ${at.candidate} returning user_id, notify, notify_locale, saved_at
    )
    insert into saved_tokens as s (user_id, next_project_id, notify, notify_locale, saved_at)
    select user_id, ${at.next}, notify, notify_locale, saved_at from carried order by user_id
    on conflict on constraint saved_tokens_once do update set notify = s.notify or excluded.notify,
      notify_locale = case when s.notify then s.notify_locale else excluded.notify_locale end`,
});

/** Deletes mails about saved tokens that were queued for a member and not sent yet, by the paths that unsubscribe from them. */
export const dropSavedMails = command({
  parameters: { member: uuid, paths: arrayOf(text) },
  text: (at) => `
    delete from mails m using users u where u.id = ${at.member} and m.to_address = u.email and m.status in ('queued', 'failed')
      and m.template = 'savedToken' and m.data ->> 'unsubscribePath' = any(${at.paths})`,
});
