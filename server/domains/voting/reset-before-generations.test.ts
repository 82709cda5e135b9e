// Resets of versions that moved the votes to a table of their own: their undo restores each vote in the state it must have now.
import { expect, it } from 'vitest';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import { added, app, candidates } from '#tests/fixtures/votes/manage-voting.ts';
import { BANNED } from './banned-votes.ts';

const OTHER_ROUND = '22222222-2222-4222-8222-222222222222';

type State = [state: string, reason: string | null, bannedState?: string | null, bannedReason?: string | null];
interface Case {
  what: string;
  archived: State;
  /** Of the open round, of another one, or of none: then the time decides, in milliseconds after the opening. */
  round: 'open' | 'other' | number;
  /** End of the ban of the member, in milliseconds from now; null for a member who is not banned. */
  ban: number | null;
  restored: State;
}

const CASES: Case[] = [
  { what: 'a counted vote', archived: ['counted', null], round: 'open', ban: null, restored: ['counted', null] },
  {
    what: 'a vote under review',
    archived: ['under_review', 'burst'],
    round: 'open',
    ban: null,
    restored: ['under_review', 'burst'],
  },
  {
    what: 'one of another round',
    archived: ['under_review', 'burst'],
    round: 'other',
    ban: null,
    restored: ['under_review', 'burst'],
  },
  {
    what: 'one of before the rounds',
    archived: ['under_review', 'burst'],
    round: -1,
    ban: null,
    restored: ['under_review', 'burst'],
  },
  {
    what: 'one without a round, of its first moment',
    archived: ['under_review', 'burst'],
    round: 0,
    ban: null,
    restored: ['under_review', 'burst'],
  },
  { what: 'a void vote', archived: ['void', 'moderator'], round: 'open', ban: null, restored: ['void', 'moderator'] },
  {
    what: 'a void vote of another round',
    archived: ['void', 'moderator'],
    round: 'other',
    ban: null,
    restored: ['void', 'moderator'],
  },
  {
    what: 'a vote of somebody banned since',
    archived: ['counted', null],
    round: 'open',
    ban: 60_000,
    restored: ['void', BANNED, 'counted', null],
  },
  {
    what: 'a vote under review of somebody banned since',
    archived: ['under_review', 'burst'],
    round: 0,
    ban: 60_000,
    restored: ['void', BANNED, 'under_review', 'burst'],
  },
  {
    what: 'a banned member, in another round',
    archived: ['counted', null],
    round: 'other',
    ban: 60_000,
    restored: ['counted', null],
  },
  {
    what: 'a banned member, before the rounds',
    archived: ['counted', null],
    round: -1,
    ban: 60_000,
    restored: ['counted', null],
  },
  { what: 'a ban that ends now', archived: ['counted', null], round: 'open', ban: 0, restored: ['counted', null] },
  {
    what: 'a void vote of somebody banned since',
    archived: ['void', 'moderator'],
    round: 'open',
    ban: 60_000,
    restored: ['void', 'moderator'],
  },
  {
    what: 'the vote of somebody who is still banned',
    archived: ['void', BANNED, 'counted', null],
    round: 'open',
    ban: 60_000,
    restored: ['void', BANNED, 'counted', null],
  },
  {
    what: 'the vote of somebody whose ban has ended',
    archived: ['void', BANNED, 'under_review', 'burst'],
    round: 'open',
    ban: null,
    restored: ['under_review', 'burst'],
  },
  {
    what: 'a vote that a ban and then a moderator made void',
    archived: ['void', 'moderator', 'counted', null],
    round: 'open',
    ban: null,
    restored: ['void', 'moderator', 'counted', null],
  },
  {
    what: 'a ban without the state of before',
    archived: ['void', BANNED],
    round: 'open',
    ban: null,
    restored: ['void', BANNED],
  },
];

it('the undo of a reset from before generations takes bans into account that began or ended since', async () => {
  const { id } = await added();
  const people = await app.members(CASES.length);
  const [open] = await app.sql<{ id: string; opens_at: Date }>(
    `update voting_rounds set opens_at = date_trunc('milliseconds', opens_at) where status = 'open' returning id, opens_at`,
  );
  const opensAt = open?.opens_at.getTime() ?? 0;
  const [reset] = await app.sql<{ id: string }>(
    'insert into vote_resets (candidate_id, votes, reset_at) values ($1, $2, $3) returning id',
    [id, CASES.length + 1, app.now],
  );
  const archive = (userId: string, day: string, { archived, round }: Pick<Case, 'archived' | 'round'>) =>
    app.sql(
      `insert into archived_votes (reset_id, user_id, voted_on, created_at, state, state_reason, banned_state, banned_reason, round_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        reset?.id,
        userId,
        day,
        new Date(opensAt + (typeof round === 'number' ? round : 1_000)),
        ...[...archived, null, null].slice(0, 4),
        round === 'open' ? open?.id : round === 'other' ? OTHER_ROUND : null,
      ],
    );
  for (const [i, one] of CASES.entries()) {
    const userId = people[i]?.id ?? '';
    await archive(userId, '2026-01-05', one);
    if (one.ban !== null)
      await app.sql('update users set banned_until = $2 where id = $1', [
        userId,
        new Date(app.now.getTime() + one.ban),
      ]);
  }
  // Two days of one member.
  await archive(people[0]?.id ?? '', '2026-01-06', { archived: ['under_review', 'burst'], round: 'open' });

  expect(await candidates.undoReset({ id, resetId: reset?.id ?? '' })).toMatchObject({ restored: CASES.length + 1 });
  const rows = await app.sql<Record<string, string | null>>(
    `select user_id, state, state_reason, banned_state, banned_reason from votes where candidate_id = $1 and voted_on = '2026-01-05'`,
    [id],
  );
  const restored = CASES.map(({ what }, i) => {
    const row = rows.find((one) => one['user_id'] === people[i]?.id);
    return [what, row?.['state'], row?.['state_reason'], row?.['banned_state'], row?.['banned_reason']];
  });
  expect(restored).toEqual(CASES.map((one) => [one.what, ...[...one.restored, null, null].slice(0, 4)]));
  const counted = restored.filter(([, state]) => state === 'counted').length;
  expect(
    await app.sql('select total_votes, votes_under_review, votes_void from voting_candidates where id = $1', [id]),
  ).toEqual([{ total_votes: counted, votes_under_review: 4, votes_void: 7 }]);
  expect(await findMiscounts(app.services.db)).toEqual([]);
});
