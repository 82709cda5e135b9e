// The parts of the doctor's report about payments and the tokens that are made for them.
import type pg from 'pg';
import type { Env } from '#server/env.ts';
import { ago, type Line, one } from './report-lines.ts';

export async function paymentLines(pool: pg.Pool, env: Env): Promise<Line[]> {
  const { rows } = await pool.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from payments group by state order by state',
  );
  const about = await one<{ attention: number; asked: Date | null; late: number }>(
    pool,
    `select (count(*) filter (where attention <> '{}'))::int as attention, max(asked_at) as asked,
       (count(*) filter (where next_check_at < now() - interval '30 minutes'))::int as late from payments`,
  );
  const real = Boolean(env.NOWPAYMENTS_API_KEY);
  return [
    {
      name: 'Provider',
      value: real
        ? `NOWPayments at ${new URL(env.NOWPAYMENTS_URL).host}, key and callback secret set`
        : env.DEMO
          ? 'built-in simulation: nothing of it is money'
          : 'not configured: nobody can pay',
    },
    ...(real
      ? [
          {
            name: 'Account for lists',
            value: env.NOWPAYMENTS_EMAIL ? 'set' : 'not set: deposits whose every callback got lost are not found',
          },
        ]
      : []),
    { name: 'By state', value: rows.map(({ state, n }) => `${n} ${state}`).join(', ') || 'none' },
    { name: 'Provider answered', value: ago(about.asked) },
    {
      name: 'To look at',
      value: String(about.attention),
      ...(about.attention > 0 ? { problem: 'Payments wait in the inbox of the back office.' } : {}),
    },
    {
      name: 'Overdue questions',
      value: String(about.late),
      ...(about.late > 0
        ? { problem: 'The provider was not asked in time: is the server running, does the provider answer?' }
        : {}),
    },
  ];
}

export async function tokenLines(pool: pg.Pool): Promise<Line[]> {
  const { rows: states } = await pool.query<{ state: string; n: number }>(
    'select state, count(*)::int as n from token_creations group by state order by state',
  );
  const { rows: workers } = await pool.query<{
    network: string;
    state: string | null;
    seen: Date | null;
    silent: boolean;
    enough: number | null;
    used: number;
    cap: number;
    waiting: number;
  }>(
    `select coalesce(l.network, w.network) as network, l.state, l.seen_at as seen,
       coalesce(l.seen_at < now() - interval '60 seconds', true) as silent, l.enough_for as enough,
       case when l.used_on = (now() at time zone 'utc')::date then l.used_today else 0 end as used, l.daily_cap as cap,
       coalesce(w.n, 0)::int as waiting
     from chain_lanes l full join (select network, count(*) as n from token_creations where state in ('queued', 'working')
       group by network) w on w.network = l.network order by 1`,
  );
  const stopped = states
    .filter(({ state }) => state === 'held' || state === 'failed')
    .reduce((sum, { n }) => sum + n, 0);
  return [
    {
      name: 'Creations',
      value: states.map(({ state, n }) => `${n} ${state}`).join(', ') || 'none',
      ...(stopped > 0 ? { problem: `${stopped} creations wait in the inbox of the back office.` } : {}),
    },
    ...(workers.length === 0 ? [{ name: 'Signer', value: 'none was ever here: no token can be made' }] : []),
    ...workers.map(({ network, state, seen, silent, enough, used, cap, waiting }) => ({
      name: network,
      value:
        state === null
          ? `no signer, ${waiting} waiting`
          : `${state}, ${ago(seen)}, enough for ${enough ?? '?'}, ${used} of ${cap} today, ${waiting} waiting`,
      ...(silent && waiting > 0
        ? { problem: `Tokens on ${network} wait, and no signer answers: start it (npm run signer).` }
        : !silent && state !== 'ready' && state !== 'cap_reached'
          ? { problem: `The signer can make nothing on ${network}: ${state}. See docs/chains.md.` }
          : {}),
    })),
  ];
}
