-- What two tokens look alike by: name, symbol, links, contract and picture of every live record, kept by triggers, found by an
-- index. Another picture is one more change that ends the proofs of a verified creator.
-- Step: expand; safe while the old server still runs: its records get their keys by the triggers, its images none yet.
-- Mode: online
-- Undo: drop table likeness_keys; drop functions florka_likeness…(…) and keep_likeness() cascade; drop media.picture_key; make the three
--   triggers …_changed_ends_proofs without image_url again.

-- Of the brightness of an uploaded image (server/domains/media/picture-key.ts); all zeros: there is nothing to know it by.
alter table media add column if not exists picture_key bit(128);

-- Letters that look alike are one (florka_name_key); digits and signs stand for the letters that they imitate; signs go.
create or replace function florka_likeness(input text) returns text language sql immutable parallel safe strict as $$
  select left(regexp_replace(translate(florka_name_key(input), '345789$@!', 'eastbgsal'), '[\s!-/:-@\[-`{-~]', '', 'g'), 60)
$$;

-- A name without the words that many have, unless nothing would be left.
create or replace function florka_likeness_name(input text) returns text language sql immutable parallel safe strict as $$
  select case when length(rest) >= 3 then left(rest, 60) else florka_likeness(input) end
  from (select coalesce(string_agg(florka_likeness(word), '' order by place) filter (where
      lower(word) !~ '^v?[0-9]+$' and lower(word) <> all ('{token,coin,official,oficial,the,real,new,el,la,v}')), '') as rest
    from regexp_split_to_table(input, '[\s_.,:|/()\[\]-]+') with ordinality as words (word, place)) kept
$$;

-- A key and everything that is left of it without one character: two that differ in one edit have one of these in common.
create or replace function florka_likeness_near(kind text, key text) returns text[]
language plpgsql immutable parallel safe strict as $$
declare
  near text[] := array[kind || key];
begin
  if key = '' then return '{}'; end if;
  if length(key) >= 4 then
    for place in 1..length(key) loop
      near := near || (kind || left(key, place - 1) || substr(key, place + 1));
    end loop;
  end if;
  return near;
end $$;

-- Where a link leads: a host, or an account on a host that many share.
create or replace function florka_likeness_place(url text) returns text language sql immutable parallel safe as $$
  select case
    when host is null then null
    when host in ('x.com', 'twitter.com', 'mobile.twitter.com') then 'x.com/' || nullif(account, '')
    when host in ('t.me', 'telegram.me', 'telegram.dog') then 't.me/' || nullif(account, '')
    when host in ('discord.com', 'discordapp.com', 'discord.gg') then 'discord/' || nullif(invite, '')
    when host in ('github.com', 'medium.com', 'linktr.ee', 'instagram.com', 'facebook.com', 'youtube.com', 'reddit.com', 'tiktok.com',
      'linkedin.com', 'pump.fun', 'dexscreener.com', 'etherscan.io', 'bscscan.com', 'solscan.io', 'sites.google.com', 'docs.google.com',
      'notion.site', 'bit.ly', 'linkin.bio') then host || '/' || nullif(account, '')
    else host end
  from (select regexp_replace(lower(substring(url from '^[A-Za-z]+://(?:[^/?#@]*@)?([^/:?#]+)')), '^www\.|\.$', '', 'g') as host,
    lower(substring(url from '^[A-Za-z]+://[^/?#]+/@?([^/?#]*)')) as account,
    substring(url from '^[A-Za-z]+://[^/?#]+/(?:invite/)?([^/?#]*)') as invite) parts
$$;

-- The part of a host that people read as its name; null of places that many share.
create or replace function florka_likeness_label(place text) returns text language sql immutable parallel safe as $$
  select case when place is null or position('/' in place) > 0 or cardinality(labels) < 2 then null
    when cardinality(labels) > 2 and labels[cardinality(labels) - 1] = any
      ('{com,co,org,net,github,gitlab,vercel,netlify,pages,web,firebaseapp,herokuapp,wixsite,webflow,framer,carrd}')
      then nullif(florka_likeness(labels[cardinality(labels) - 2]), '')
    else nullif(florka_likeness(labels[cardinality(labels) - 1]), '') end
  from (select string_to_array(place, '.') as labels) parts
$$;

-- Everything that a token is found by, each with its kind in front: n: name, s: symbol, h: place of a link, d: the name in a host,
-- c: contract, e: the ends of a contract, which is what people compare.
create or replace function florka_likeness_keys(name text, symbol text, links text[], addresses text[]) returns text[]
language sql immutable parallel safe as $$
  select array(select distinct key from (
    select unnest(florka_likeness_near('n:', florka_likeness_name(name)))
    union all select unnest(florka_likeness_near('s:', florka_likeness(symbol)))
    union all select 'h:' || florka_likeness_place(link) from unnest(links) link
    union all select unnest(florka_likeness_near('d:', florka_likeness_label(florka_likeness_place(link)))) from unnest(links) link
    union all select 'c:' || case when address ~ '^0[xX]' then lower(address) else address end from unnest(addresses) address
    union all select 'e:' || left(plain, 4) || right(plain, 4)
      from (select lower(regexp_replace(address, '^0[xX]', '')) as plain from unnest(addresses) address) ends where length(plain) >= 30
  ) keys (key) where key is not null)
$$;

create table if not exists likeness_keys (
  kind text not null check (kind in ('project', 'candidate', 'next_project')),
  record_id uuid not null,
  name_key text not null,
  symbol_key text not null,
  labels text[] not null,
  keys text[] not null,
  -- Of the image, when it is one of ours.
  image text,
  primary key (kind, record_id)
);
create index concurrently if not exists likeness_keys_found on likeness_keys using gin (keys);
create index concurrently if not exists media_without_picture_key on media (created_at) where picture_key is null and deleted_at is null;

create or replace function keep_likeness() returns trigger language plpgsql as $$
declare
  kept text := case tg_table_name when 'projects' then 'project' when 'voting_candidates' then 'candidate' else 'next_project' end;
  token jsonb;
  links text[];
begin
  if tg_op = 'DELETE' then token := to_jsonb(old); else token := to_jsonb(new); end if;
  if tg_op = 'DELETE' or token ->> 'deleted_at' is not null then
    delete from likeness_keys where kind = kept and record_id = (token ->> 'id')::uuid;
    return null;
  end if;
  links := array_remove(array[token ->> 'website_url', token ->> 'telegram_url', token ->> 'twitter_url', token ->> 'discord_url'], null);
  insert into likeness_keys (kind, record_id, name_key, symbol_key, labels, keys, image)
  select kept, (token ->> 'id')::uuid, florka_likeness_name(token ->> 'token_name'), florka_likeness(token ->> 'token_symbol'),
    array(select distinct label from unnest(links) link, florka_likeness_label(florka_likeness_place(link)) label where label is not null),
    florka_likeness_keys(token ->> 'token_name', token ->> 'token_symbol', links,
      array_remove(array[token ->> 'token_address', token ->> 'contract_address'], null)),
    substring(token ->> 'image_url' from '^/media/([0-9a-f]{32})')
  on conflict (kind, record_id) do update set name_key = excluded.name_key, symbol_key = excluded.symbol_key,
    labels = excluded.labels, keys = excluded.keys, image = excluded.image;
  return null;
end $$;
create or replace trigger projects_likeness after insert or delete or update of token_name, token_symbol, token_address,
  contract_address, website_url, telegram_url, twitter_url, discord_url, image_url, deleted_at on projects
  for each row execute function keep_likeness();
create or replace trigger candidates_likeness after insert or delete or update of token_name, token_symbol,
  contract_address, website_url, telegram_url, twitter_url, discord_url, image_url, deleted_at on voting_candidates
  for each row execute function keep_likeness();
create or replace trigger next_projects_likeness after insert or delete or update of token_name, token_symbol, token_address,
  contract_address, website_url, telegram_url, twitter_url, discord_url, image_url, deleted_at on next_projects
  for each row execute function keep_likeness();

-- Records from before: the triggers do it, as a change of nothing.
-- Batch
update projects set token_name = token_name where id in (select id from projects r where deleted_at is null
  and not exists (select 1 from likeness_keys k where k.kind = 'project' and k.record_id = r.id) limit 500);
-- Batch
update voting_candidates set token_name = token_name where id in (select id from voting_candidates r where deleted_at is null
  and not exists (select 1 from likeness_keys k where k.kind = 'candidate' and k.record_id = r.id) limit 500);
-- Batch
update next_projects set token_name = token_name where id in (select id from next_projects r where deleted_at is null
  and not exists (select 1 from likeness_keys k where k.kind = 'next_project' and k.record_id = r.id) limit 500);

-- Another picture is another token as much as another name is.
create or replace trigger projects_changed_ends_proofs after update on projects for each row
  when ((old.token_name, old.token_symbol, old.token_slug, old.token_address, old.contract_address, old.network, old.image_url,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_slug, new.token_address, new.contract_address, new.network,
      new.image_url, new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
create or replace trigger candidates_changed_ends_proofs after update on voting_candidates for each row
  when ((old.token_name, old.token_symbol, old.token_slug, old.contract_address, old.network, old.image_url,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_slug, new.contract_address, new.network, new.image_url,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
create or replace trigger next_projects_changed_ends_proofs after update on next_projects for each row
  when ((old.token_name, old.token_symbol, old.token_address, old.contract_address, old.network, old.image_url,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_address, new.contract_address, new.network, new.image_url,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
