import { describe, expect, it } from 'vitest';
import type { VoteState } from '#server/db/tables/voting.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { changeVoteStates } from './vote-states.service.ts';

const app = await startTestApp();
const { db } = app.services;

const change = (voteIds: number[], to: VoteState, reason: string | null) => {
  app.pass(1_000);
  return db.transaction((tx) => changeVoteStates(tx, { voteIds, to, reason, now: app.now }));
};
const idsOf = async (candidateId: string) =>
  (await app.sql<{ id: string }>('select id from votes where candidate_id = $1 order by id', [candidateId])).map(
    (row) => Number(row.id),
  );

describe('a member', () => {
  it('sees whether their vote counts and the general reason if not, and is notified of each change once', async () => {
    const { id } = await app.candidate();
    const [voter, other, third] = await app.members(3);
    if (!voter || !other || !third) throw new Error('no members');
    for (const one of [voter, other, third]) await app.as(one).voting.cast({ candidateId: id });
    const [own = 0, second = 0] = await idsOf(id);
    const tokenName = (
      await app.sql<{ name: string }>('select token_name as name from voting_candidates where id = $1', [id])
    )[0]?.name;
    const api = app.as(voter);
    const notified = async (one = voter) => {
      const { items } = await app.as(one).notifications.list({});
      return items.map(({ kind, detail, title, path }) => ({ kind, detail, title, path }));
    };
    expect(await api.voting.uncounted()).toEqual([]);
    expect(await api.ledger.mine()).toMatchObject([{ state: 'counted', reason: null }]);

    await change([own, second], 'under_review', 'network_burst');
    await change([own, second], 'under_review', 'network_burst');
    const held = { candidateId: id, tokenName, state: 'under_review', reason: 'signal' };
    expect(await api.voting.uncounted()).toMatchObject([held]);
    expect(JSON.stringify(await api.voting.uncounted())).not.toContain('network');
    expect(await api.ledger.mine()).toMatchObject([{ state: 'under_review', reason: 'signal' }]);
    const first = { kind: 'rounds', detail: 'vote_held', title: tokenName, path: '/ledger' };
    expect(await notified()).toEqual([first]);
    expect(await notified(other)).toEqual([first]);

    await change([own], 'void', 'moderator');
    expect(await api.voting.uncounted()).toMatchObject([{ ...held, state: 'void', reason: 'team' }]);
    await change([own], 'counted', null);
    expect(await api.voting.uncounted()).toEqual([]);
    expect((await notified()).map(({ detail }) => detail)).toEqual(['vote_counted', 'vote_void', 'vote_held']);
    expect(await notified(other)).toEqual([first]);
    // A voter whose vote did not change is not notified, and sees nothing of the others.
    expect(await notified(third)).toEqual([]);
    expect(await app.as(third).voting.uncounted()).toEqual([]);
    expect(await app.as().voting.uncounted()).toEqual([]);
  });

  it('gets a mail about the state of a vote at the time of sending, and none about earlier states', async () => {
    const { id } = await app.candidate();
    const voter = await app.member({ verified: true });
    await app.as(voter).notifications.setKind({ kind: 'rounds', inApp: true, mail: 'now', push: false });
    await app.as(voter).voting.cast({ candidateId: id });
    const votes = await idsOf(id);
    const mails = async () =>
      (await app.deliverMails()).filter(({ to }) => to === voter.email).map(({ subject }) => subject);
    await change(votes, 'under_review', 'lockstep');
    await change(votes, 'void', 'moderator');
    expect(await mails()).toEqual([expect.stringMatching(/anulado/)]);
    await change(votes, 'under_review', 'lockstep');
    expect(await mails()).toEqual([expect.stringMatching(/anulado/), expect.stringMatching(/en revisión/)]);
    await change(votes, 'counted', null);
    expect((await mails()).slice(2)).toEqual([expect.stringMatching(/vuelve a contar/)]);
    expect((await app.as(voter).notifications.list({})).items).toHaveLength(4);
  });

  it('sees that a vote does not count because of a ban', async () => {
    const { id } = await app.candidate();
    const voter = await app.member();
    await app.as(voter).voting.cast({ candidateId: id });
    await change(await idsOf(id), 'void', 'member_banned');
    expect(await app.as(voter).voting.uncounted()).toMatchObject([{ state: 'void', reason: 'banned' }]);
  });

  it('sees uncounted votes newest first, without those of a reset or from before the round', async () => {
    const voter = await app.member();
    const ids = [];
    for (let i = 0; i < 5; i++) {
      const { id } = await app.candidate();
      await app.as(voter).voting.cast({ candidateId: id });
      await change(await idsOf(id), 'under_review', 'lockstep');
      ids.push(id);
    }
    const [taken, older, first, another] = ids;
    // As a reset does.
    await app.sql('update voting_candidates set generations = array[9], votes_under_review = 0 where id = $1', [taken]);
    const [round] = await app.sql<{ opens_at: string }>(
      `select opens_at::text from voting_rounds where status = 'open'`,
    );
    const withoutRound = (id: string | undefined, earlier: string) =>
      app.sql(`update votes set round_id = null, created_at = $2::timestamptz - $3::interval where candidate_id = $1`, [
        id,
        round?.opens_at,
        earlier,
      ]);
    await withoutRound(older, '1 microsecond');
    await withoutRound(first, '0');
    await app.sql('update votes set round_id = gen_random_uuid() where candidate_id = $1', [another]);
    expect((await app.as(voter).voting.uncounted()).map(({ candidateId }) => candidateId)).toEqual([ids[4], first]);
    await app.sql('update voting_candidates set generations = array[1] where id = $1', [taken]);
  });

  it('sees uncounted votes of the open round only', async () => {
    const { id } = await app.candidate();
    const voter = await app.member();
    await app.as(voter).voting.cast({ candidateId: id });
    await change(await idsOf(id), 'under_review', 'lockstep');
    await app.sql("update voting_rounds set status = 'closed', closed_at = now() where status = 'open'");
    expect(await app.as(voter).voting.uncounted()).toEqual([]);
    expect(await app.as(voter).ledger.mine()).toMatchObject([{ state: 'under_review', reason: 'signal' }]);
  });
});
