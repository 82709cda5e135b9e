import { describe, expect, it } from 'vitest';
import { changeVoteStates } from '#server/domains/voting/vote-states.service.ts';
import {
  app,
  back,
  clustersOf,
  counters,
  DAY,
  db,
  farm,
  membersOf,
  run,
  size,
  vote,
} from '#tests/fixtures/votes/vote-review.ts';

describe('decisions about a cluster', () => {
  it('are undone to the exact counters, also during concurrent votes', async () => {
    const { id } = await app.candidate();
    const honest = await membersOf(20, 90 * DAY);
    // Accounts with different sign-up times: however many of their votes the final run finds, they are no signal.
    await app.sql(
      `update users u set created_at = created_at - n * interval '1 day'
       from unnest($1::uuid[]) with ordinality h (id, n) where u.id = h.id`,
      [honest.map((person) => person.id)],
    );
    for (const person of honest.slice(0, 5)) await vote(person, id, `192.0.2.${honest.indexOf(person)}`);
    await run();
    const counted = await counters(id);
    await farm(size, id);
    const all = await counters(id);
    await run();
    const held = await counters(id);
    expect(held).toEqual({ ...counted, review: size });
    const [cluster] = await clustersOf(id);
    const target = { id: cluster?.id ?? '' };
    expect(await back.void({ ...target, reason: 'a farm' })).toMatchObject({
      changed: size,
      cluster: { state: 'void', waiting: 0, reason: 'a farm' },
    });
    expect(await counters(id)).toEqual({ ...counted, void: size });
    expect((await back.undo(target)).changed).toBe(size);
    expect(await counters(id)).toEqual(held);
    expect((await back.release(target)).changed).toBe(size);
    expect(await counters(id)).toEqual(all);
    await back.undo(target);
    expect(await counters(id)).toEqual(held);
    // Concurrent votes, decisions and undoing, repeated: every total equals its votes.
    await Promise.allSettled([
      ...honest.slice(5).map((person, i) => vote(person, id, `203.0.113.${i}`)),
      back.void({ ...target, reason: 'once' }),
      back.release(target),
      back.undo(target),
      run(),
    ]);
    // A process that read the votes before another decision completed leaves its own to the job.
    await app.services.voteReview.finishDecisions();
    await Promise.allSettled([back.undo(target)]);
    expect(await counters(id)).toMatchObject({ total: 20, review: size, void: 0 });
    const entries = await app.sql<{ action: string }>(
      'select action from audit_events where resource_id = $1 order by id',
      [target.id],
    );
    expect(entries.map(({ action }) => action).slice(0, 5)).toEqual([
      'votes.held',
      'votes.voided',
      'votes.review_undone',
      'votes.released',
      'votes.review_undone',
    ]);
  });

  it('are possible after a failed run: the next one holds the same votes', async () => {
    const { id } = await app.candidate();
    await farm(size, id);
    await app.sql(`create function no_hold() returns trigger language plpgsql as
      $$ begin raise exception 'not now' using errcode = '57014'; end $$`);
    await app.sql(
      'create trigger no_hold before insert on vote_review_clusters for each statement execute function no_hold()',
    );
    await expect(run()).rejects.toThrow();
    await app.sql('drop trigger no_hold on vote_review_clusters');
    expect((await run()).held).toBeGreaterThanOrEqual(size);
    expect(await counters(id)).toMatchObject({ total: 0, review: size });
  });

  it('are made once, need a reason to void, and do not change votes that a ban voided before', async () => {
    const { id } = await app.candidate();
    const people = await farm(size, id);
    await run();
    const [cluster] = await clustersOf(id);
    const target = { id: cluster?.id ?? '' };
    await expect(back.void({ ...target, reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(
      app.sql(`update vote_review_clusters set state = 'void', decided_at = now() where id = $1`, [target.id]),
    ).rejects.toThrow(/vote_review_clusters_reason/);
    await expect(back.undo(target)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    // A ban voids this vote first, so the decision does not change it.
    const [banned] = await app.sql<{ id: string }>('select id from votes where user_id = $1', [people[0]?.id]);
    await db.transaction((tx) =>
      changeVoteStates(tx, { voteIds: [Number(banned?.id)], to: 'void', reason: 'member_banned', now: app.now }),
    );
    expect((await back.void({ ...target, reason: 'a farm' })).changed).toBe(size - 1);
    await expect(back.release(target)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(back.release({ id: '11111111-1111-4111-8111-111111111111' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await back.undo(target)).changed).toBe(size - 1);
    expect(await counters(id)).toMatchObject({ total: 0, review: size - 1, void: 1 });
  });

  it('are completed although an older one fails', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { id } = await app.candidate();
      await farm(size, id);
      await run();
      ids.push((await clustersOf(id))[0]?.id ?? '');
      // As a process leaves it that ends before the first votes.
      await app.sql(
        `insert into vote_review_decisions (cluster_id, act, reason, began_at, votes) values ($1, 'void', 'a farm', $2, $3)`,
        [ids[i], new Date(app.now.getTime() + i), size],
      );
      await app.sql(`update vote_review_clusters set deciding = 'void' where id = $1`, [ids[i]]);
    }
    await app.sql(`create function not_decided() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$`);
    await app.sql(`create trigger not_decided before update on vote_review_clusters for each row
      when (old.id = '${ids[0]}') execute function not_decided()`);
    const states = async () => {
      const rows = await app.sql<{ id: string; state: string }>(
        'select id, state from vote_review_clusters where id = any($1)',
        [ids],
      );
      return ids.map((id) => rows.find((row) => row.id === id)?.state);
    };
    await expect(app.services.voteReview.finishDecisions()).rejects.toThrow();
    expect(await states()).toEqual(['open', 'void']);
    await app.sql('drop trigger not_decided on vote_review_clusters');
    expect(await app.services.voteReview.finishDecisions()).toBe(size);
    expect(await states()).toEqual(['void', 'void']);
  });

  it('are exported as CSV with formulas escaped, as are the votes of a cluster; not for editors', async () => {
    const { id } = await app.candidate({ token_name: '=cmd|1' });
    await farm(size, id);
    await run();
    const admin = await app.member({ role: 'admin' });
    const answer = await app.http('/api/admin/vote-review.csv?state=all', { headers: { cookie: admin.cookie } });
    const text = await answer.text();
    expect(text).toMatch(/^﻿?id,signal,state/);
    expect(text).toContain(`"'=cmd|1"`);
    expect(text).toContain('network_burst');
    // The votes of a cluster are a file as well, which has all of them.
    const [cluster] = await clustersOf(id);
    const file = await app.http(`/api/admin/cluster-votes.csv?id=${cluster?.id}`, {
      headers: { cookie: admin.cookie },
    });
    const [head, ...lines] = (await file.text()).replace('\ufeff', '').trim().split('\r\n');
    expect(head).toBe('id,memberId,memberName,candidateName,at,ageSeconds,network,state,stateReason');
    expect(lines).toHaveLength(size);
    for (const line of lines) expect(line).toMatch(/,"'=cmd\|1",.*,under_review,network_burst$/);
    const [entry] = await app.sql("select after from audit_events where resource_id = 'clusterVotes'");
    expect(entry).toEqual({ after: { id: cluster?.id } });
    const editor = await app.member({ role: 'admin', staffRoles: ['editor'] } as never);
    const refused = await app.http(`/api/admin/cluster-votes.csv?id=${cluster?.id}`, {
      headers: { cookie: editor.cookie },
    });
    expect(refused.status).toBe(403);
  });
});
