import { arrayOf, boolean, int4, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { MAX_BITS_WITH_OTHER_RESEMBLANCE } from './resemblance.policy.ts';

/** Maximum number of tokens that one query compares. */
const MAX_LOOKED_AT = 200;

/** The keys of a token as computed by the database. */
export const readKeys = statement({
  parameters: { name: text, symbol: text, links: arrayOf(text) },
  row: { nameKey: text, symbolKey: text, labels: arrayOf(text) },
  text: (at) => `
    select coalesce(florka_likeness_name(${at.name}), '') as "nameKey", coalesce(florka_likeness(${at.symbol}), '') as "symbolKey",
      array(select distinct coalesce(label, '') from unnest(${at.links}) link, florka_likeness_label(florka_likeness_place(link)) label
        where label is not null) as labels`,
});

/**
 * Records outside of the trash that share a key with a token or have a similar image, with the data to judge the
 * resemblance. Keys are found by the index likeness_keys_found; images by a comparison of 128 bits with each. A winning
 * candidate and its NEXT project are the same token and not compared with each other.
 */
export const findResembling = statement({
  parameters: {
    name: text,
    symbol: text,
    links: arrayOf(text),
    addresses: arrayOf(text),
    image: orNull(text),
    kind: orNull(text),
    id: orNull(uuid),
  },
  row: {
    kind: oneOf(['project', 'candidate', 'next_project']),
    id: uuid,
    name: text,
    symbol: text,
    slug: orNull(text),
    isPublic: boolean,
    nameKey: text,
    symbolKey: text,
    labels: arrayOf(text),
    common: arrayOf(text),
    distance: orNull(int4),
  },
  text: (at) => `
    with subject as materialized (
      select florka_likeness_keys(${at.name}, ${at.symbol}, ${at.links}, ${at.addresses}) as keys,
        (select picture_key from media where name = ${at.image} and bit_count(picture_key) > 0) as picture
    ), near as (
      select k.kind, k.record_id, d.distance from subject s
        join media m on m.picture_key is not null and s.picture is not null
        cross join lateral (select bit_count(m.picture_key # s.picture)::int as distance) d
        join likeness_keys k on k.image = m.name
      where d.distance <= ${MAX_BITS_WITH_OTHER_RESEMBLANCE}
    ), found as (
      select k.kind, k.record_id from subject s join likeness_keys k on k.keys && s.keys
      union select kind, record_id from near
    )
    select k.kind, k.record_id as id, coalesce(p.token_name, c.token_name, n.token_name, '') as name,
      coalesce(p.token_symbol, c.token_symbol, n.token_symbol, '') as symbol, coalesce(p.token_slug, c.token_slug) as slug,
      coalesce(p.status in ('published_home', 'approved'), c.is_active, n.is_active and n.status in ('published', 'launched'), false)
        as "isPublic",
      k.name_key as "nameKey", k.symbol_key as "symbolKey", k.labels,
      array(select coalesce(key, '') from unnest(k.keys) key where key = any (s.keys) and left(key, 2) in ('h:', 'c:', 'e:')) as common,
      near.distance
    from found f
      join likeness_keys k on k.kind = f.kind and k.record_id = f.record_id
      cross join subject s
      left join near on near.kind = k.kind and near.record_id = k.record_id
      left join projects p on k.kind = 'project' and p.id = k.record_id
      left join voting_candidates c on k.kind = 'candidate' and c.id = k.record_id
      left join next_projects n on k.kind = 'next_project' and n.id = k.record_id
    where (${at.kind} is null or k.kind <> ${at.kind} or k.record_id <> ${at.id})
      and not exists (select 1 from next_projects won join voting_rounds r on r.id = won.voting_round_id
        where (k.kind = 'candidate' and ${at.kind} = 'next_project' and won.id = ${at.id} and r.winner_candidate_id = k.record_id)
          or (k.kind = 'next_project' and ${at.kind} = 'candidate' and won.id = k.record_id and r.winner_candidate_id = ${at.id}))
    limit ${MAX_LOOKED_AT}`,
});
