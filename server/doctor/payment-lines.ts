// The parts of the doctor's report about payments and token creations.
import type pg from 'pg';
import type { Env } from '#server/env.ts';
import {
  readCreationStates,
  readPaymentProblems,
  readPaymentStates,
  readSettlement,
  readSigners,
} from './doctor.sql.ts';
import { inWords, type Line, onlyRow, timeAgo } from './lines.ts';

/** @param paused payments are not polled during a pause. */
export async function paymentLines(pool: pg.Pool, env: Env, paused: boolean): Promise<Line[]> {
  const rows = await readPaymentStates(pool, {});
  const about = onlyRow(await readPaymentProblems(pool, {}));
  const settled = onlyRow(await readSettlement(pool, {}));
  const real = Boolean(env.NOWPAYMENTS_API_KEY);
  return [
    {
      name: 'Provider',
      value: real
        ? `NOWPayments at ${new URL(env.NOWPAYMENTS_URL).host}, key and callback secret set`
        : env.DEMO
          ? 'built-in simulation: no real money'
          : 'not configured: nobody can pay',
    },
    ...(real
      ? [
          {
            name: 'Account for lists',
            value: env.NOWPAYMENTS_EMAIL ? 'set' : 'not set: deposits whose callbacks were all lost are not found',
          },
        ]
      : []),
    ...(real
      ? [
          {
            name: 'Dashboard settings',
            value: 'not shown by its API: repeated payments and wrong-asset deposits should be "partially paid"',
          },
          ...(settled
            ? [
                {
                  name: 'Compared with the provider',
                  value: `${timeAgo(settled.at)}, ${settled.open} differences to explain`,
                  ...(settled.open > 0
                    ? { problem: 'Differences with the provider wait in the inbox of the back office.' }
                    : {}),
                },
              ]
            : []),
        ]
      : []),
    { name: 'By state', value: rows.map(({ state, n }) => `${n} ${inWords(state)}`).join(', ') || 'none' },
    { name: 'Provider answered', value: timeAgo(about.lastPolled) },
    {
      name: 'Need attention',
      value: String(about.attention),
      ...(about.attention > 0 ? { problem: 'Payments wait in the inbox of the back office.' } : {}),
    },
    {
      name: 'Overdue checks',
      value: String(about.late),
      ...(about.late > 0 && !paused
        ? { problem: 'Payments were not polled in time: is the server running, does the provider answer?' }
        : {}),
    },
  ];
}

/** Explanations of states that their names do not give. */
const WHY: Readonly<Record<string, string>> = {
  key_unavailable: 'its key service does not answer, or refuses to sign',
  wrong_key: 'its key service has another key than the configured address (wrong_key)',
};

/** @param paused signers sign nothing during a pause. */
export async function tokenLines(pool: pg.Pool, paused: boolean): Promise<Line[]> {
  const states = await readCreationStates(pool, {});
  const workers = await readSigners(pool, {});
  const stopped = states
    .filter(({ state }) => state === 'held' || state === 'failed')
    .reduce((sum, { n }) => sum + n, 0);
  return [
    {
      name: 'Creations',
      value: states.map(({ state, n }) => `${n} ${inWords(state)}`).join(', ') || 'none',
      ...(stopped > 0 ? { problem: `${stopped} creations wait in the inbox of the back office.` } : {}),
    },
    ...(workers.length === 0 ? [{ name: 'Signer', value: 'none has connected yet: no token can be created' }] : []),
    ...workers.map(({ network, state, seen, silent, enough, used, cap, waiting }) => ({
      name: network,
      value:
        state === null
          ? `no signer, ${waiting} waiting`
          : `${inWords(state)}, ${timeAgo(seen)}, enough for ${enough ?? '?'}, ${used} of ${cap ?? '?'} today, ${waiting} waiting`,
      ...(paused
        ? {}
        : silent && waiting > 0
          ? { problem: `Tokens on ${network} wait, and no signer is running: start it (npm run signer).` }
          : !silent && state !== 'ready' && state !== 'cap_reached'
            ? {
                problem: `The signer cannot create tokens on ${network}: ${WHY[state ?? ''] ?? inWords(state ?? 'unknown')}. See docs/chains.md.`,
              }
            : {}),
    })),
  ];
}
