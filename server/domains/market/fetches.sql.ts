import { marketNetwork } from '#contract/fields/schemas.ts';
import { arrayOf, boolean, int4, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Schedules the three fetches of public tokens that have no price fetch yet. @param max number of tokens. */
export const insertDueFetches = command({
  parameters: { now: timestamptz, max: int4 },
  text: (at) => `
    insert into market_asks (network, address, ask, next_at)
    select t.network, t.address, a.ask, ${at.now}
    from (
      select l.network, l.address from market_listings l
      where l.shown and not exists (
        select 1 from market_asks m where m.network = l.network and m.address = l.address and m.ask = 'prices')
      limit ${at.max}
    ) t, (values ('prices'), ('pools'), ('holders')) a (ask)
    on conflict do nothing`,
});

/** With a limit the planner uses an index for the first rows, instead of joining all. */
const due = (at: {
  kind: string;
  now: string;
}) => `m.ask = ${at.kind} and m.next_at <= ${at.now} and (m.claimed_until is null or m.claimed_until <= ${at.now})
  and (select true from market_listings l where l.network = m.network and l.address = m.address and l.shown limit 1)`;

/** Claims the tokens of one network that have waited longest. */
export const claimFetches = statement({
  parameters: { claim: uuid, until: timestamptz, kind: text, now: timestamptz, max: int4 },
  row: { network: oneOf(marketNetwork.options), address: text, misses: int4 },
  text: (at) => `
    update market_asks u set claim = ${at.claim}, claimed_until = ${at.until}
    from (
      select m.network, m.address, m.ask from market_asks m
      where ${due(at)} and m.network = (select m.network from market_asks m where ${due(at)} order by m.next_at limit 1)
      order by m.next_at limit ${at.max} for update skip locked
    ) d
    where (u.network, u.address, u.ask) = (d.network, d.address, d.ask)
    returning u.network, u.address, u.misses`,
});

/** Ends a claim for some of its tokens, each with its misses and when it is due again. */
export const finishFetches = statement({
  parameters: {
    claim: uuid,
    network: text,
    kind: text,
    addresses: arrayOf(text),
    misses: arrayOf(int4),
    nextAt: arrayOf(timestamptz),
    /** Null: no provider responded. */
    answeredAt: orNull(timestamptz),
  },
  row: { address: text },
  text: (at) => `
    update market_asks m set misses = v.misses, next_at = v.next_at, claim = null, claimed_until = null,
      answered_at = coalesce(${at.answeredAt}, m.answered_at)
    from unnest(${at.addresses}, ${at.misses}, ${at.nextAt}) v (address, misses, next_at)
    where m.claim = ${at.claim} and m.network = ${at.network} and m.ask = ${at.kind} and m.address = v.address
    returning m.address`,
});

/** Records a successful response of a provider. */
export const recordAnswer = statement({
  parameters: { source: text, now: timestamptz },
  row: { back: boolean },
  text: (at) => `
    with before as (select failures from market_sources where source = ${at.source})
    insert into market_sources as s (source, answered_at) values (${at.source}, ${at.now})
    on conflict (source) do update set failures = 0, paused_until = null, answered_at = excluded.answered_at
    returning coalesce((select failures > 0 from before), false) as back`,
});
