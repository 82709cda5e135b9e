-- Market data: the network of an address, what providers say with source and time, and prices over time.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

alter table projects
  add column network text check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  add column figures_at jsonb not null default '{}';
alter table next_projects
  add column network text check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  add column figures_at jsonb not null default '{}';
alter table voting_candidates
  add column network text check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  add column figures_at jsonb not null default '{}';

-- Team-entered figures: each keeps when it was entered. The arguments are the columns to watch.
create function florka_figures_at() returns trigger language plpgsql as $$
declare
  name text;
  was jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}'::jsonb end;
  become jsonb := to_jsonb(new);
begin
  foreach name in array tg_argv loop
    if jsonb_typeof(become -> name) = 'null' then
      new.figures_at := new.figures_at - name;
    elsif tg_op = 'INSERT' or become -> name is distinct from was -> name then
      new.figures_at := new.figures_at || jsonb_build_object(name, new.updated_at);
    end if;
  end loop;
  return new;
end $$;
create trigger figures_at before insert or update of market_cap, holders_count on projects
  for each row execute function florka_figures_at('market_cap', 'holders_count');
create trigger figures_at before insert or update of market_cap, price on next_projects
  for each row execute function florka_figures_at('market_cap', 'price');
-- Votes update other columns, so they never wait for this.
create trigger figures_at before insert or update of price, volume_24h, market_cap, holders_count, max_supply on voting_candidates
  for each row execute function florka_figures_at('price', 'volume_24h', 'market_cap', 'holders_count', 'max_supply');

-- Addresses of Solana are known by their form; those of Ethereum and its like are the same on each, so somebody says which.
create function florka_market_network(network text, address text) returns text language sql immutable parallel safe as $$
  select case
    when address ~ '^0x[0-9a-fA-F]{40}$' and network in ('ethereum', 'bnb', 'polygon') then network
    when address ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$' and coalesce(network, 'solana') = 'solana' then 'solana'
  end
$$;
create function florka_market_address(address text) returns text language sql immutable parallel safe as $$
  select case when address like '0x%' then lower(address) else address end
$$;
create view market_listings as
  select t.kind, t.id, florka_market_network(t.network, t.address) as network, florka_market_address(t.address) as address, t.shown
  from (
    select 'project'::text as kind, id, network, coalesce(contract_address, token_address) as address,
      deleted_at is null and status in ('published_home', 'approved') as shown from projects
    union all
    select 'candidate', id, network, contract_address, deleted_at is null and is_active from voting_candidates
    union all
    select 'next', id, network, coalesce(contract_address, token_address),
      deleted_at is null and is_active and status in ('published', 'launched') from next_projects
  ) t where florka_market_network(t.network, t.address) is not null;

create index projects_market on projects (florka_market_address(coalesce(contract_address, token_address)));
create index next_projects_market on next_projects (florka_market_address(coalesce(contract_address, token_address)));
create index voting_candidates_market on voting_candidates (florka_market_address(contract_address));

create table market_asks (
  network text not null check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  address text not null,
  ask text not null check (ask in ('prices', 'pools', 'holders')),
  next_at timestamptz not null,
  misses integer not null default 0 check (misses >= 0),
  claim uuid,
  claimed_until timestamptz,
  answered_at timestamptz,
  primary key (network, address, ask),
  check ((claim is null) = (claimed_until is null))
);
create index market_asks_due on market_asks (ask, next_at);

create table market_figures (
  network text not null check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  address text not null,
  figure text not null check (figure in ('price', 'volume24h', 'marketCap', 'liquidity', 'holders')),
  value numeric not null check (value >= 0 and value < 1e30),
  source text not null check (source in ('dexscreener', 'geckoterminal', 'demo')),
  at timestamptz not null,
  primary key (network, address, figure),
  -- A price of nothing is no price.
  check (value > 0 or figure not in ('price', 'marketCap', 'holders'))
);

create table market_prices (
  network text not null check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  address text not null,
  at timestamptz not null,
  price numeric not null check (price > 0 and price < 1e30),
  primary key (network, address, at)
);
create index market_prices_age on market_prices (at);

create table market_sources (
  source text primary key check (source in ('dexscreener', 'geckoterminal')),
  paused_until timestamptz,
  failures integer not null default 0 check (failures >= 0),
  failed_at timestamptz,
  answered_at timestamptz
);
