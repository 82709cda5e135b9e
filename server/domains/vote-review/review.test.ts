import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import { LIMITS } from '#contract/limits.ts';
import { networkHasher } from '#server/lib/network/address.ts';
import {
  app,
  back,
  clustersOf,
  clusterVotes,
  counters,
  DAY,
  db,
  farm,
  membersOf,
  run,
  size,
  vote,
} from '#tests/fixtures/votes/vote-review.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';
import { holdFinding } from './hold.service.ts';
import { createVoteReview, REVIEW_SIZES } from './review.service.ts';
import { createSuspectThread } from './suspect-thread.ts';
import { REVIEW } from './thresholds.ts';

describe('votes under review', () => {
  it('are held in a cluster with its reason, its audit entry and a live event; other votes are not [AMB-213]', async () => {
    const { id } = await app.candidate();
    const [regular] = (await membersOf(1, 90 * DAY)) as [Person];
    await vote(regular, id, '192.0.2.1');
    await run();
    const before = await counters(id);
    await farm(size, id);
    const listener = listenTo(app.services);
    expect(await run()).toEqual({ looked: size, held: size });
    expect(await counters(id)).toEqual({ ...before, review: size });
    await listener.until((event) => event.type === 'domain.changed' && event.domain === 'voting');
    const [cluster, ...more] = await clustersOf(id);
    expect(more).toEqual([]);
    expect(cluster).toMatchObject({
      signal: 'network_burst',
      state: 'open',
      votes: size,
      waiting: size,
      members: size,
      networks: size,
      ageHours: 1,
      facts: { members: size, size: 'ipv6_48' },
    });
    const { rows } = await clusterVotes.list({ id: cluster?.id ?? '' });
    expect(rows[0]).toMatchObject({ state: 'under_review', stateReason: 'network_burst', ageSeconds: 3_600 });
    expect(new Set(rows.map(({ network }) => network)).size).toBe(size);
    expect(JSON.stringify(rows)).not.toMatch(/2001:db8/i);
    expect(
      await app.sql(`select action, actor_role, after from audit_events where resource_id = $1`, [cluster?.id]),
    ).toMatchObject([{ action: 'votes.held', actor_role: 'system', after: { signal: 'network_burst', votes: size } }]);
    expect(await app.sql("select count(*)::int as n from vote_changes where state = 'under_review'")).toEqual([
      { n: size },
    ]);
    // Again, here and in another process: no further votes.
    expect(await run()).toEqual({ looked: 0, held: 0 });
    expect((await createVoteReview(db, () => app.now).run()).held).toBe(0);
  });

  it('of members behind one IPv4 address are all accepted, and those beyond its daily capacity are held', async () => {
    const { id: candidateId } = await app.candidate();
    const people = await app.members(REVIEW.capacity.ipv4 + 40);
    await app.sql(
      `update users u set created_at = $2::timestamptz - interval '30 days' - n.place * interval '7 hours'
       from unnest($1::uuid[]) with ordinality as n (id, place) where u.id = n.id`,
      [people.map(({ id }) => id), app.now],
    );
    const networks = networkHasher('secret')('203.0.113.77');
    const limits = { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay };
    for (const [i, { id: userId }] of people.entries()) {
      await app.services.votes.cast({ candidateId, userId, networks, limits });
      // Like people: the standard deviation of the intervals equals their mean.
      app.pass(Math.round(-4_000 * Math.log((((i * 7_919) % 997) + 1) / 998)));
    }
    const { held } = await run();
    const late = await app.sql(
      `select state_reason as reason, count(*)::int as votes from votes where state = 'under_review' and user_id = any($1::uuid[])
       group by 1`,
      [people.map(({ id }) => id)],
    );
    expect(late).toEqual([{ reason: 'network_capacity', votes: 40 }]);
    expect(held).toBe(40);
  });

  it('beyond the capacity of one network are held and decided in parts, all in one cluster', async () => {
    const { id } = await app.candidate();
    const members = REVIEW.capacity.ipv6_64 + 1_101;
    const prefix = randomBytes(4).toString('hex');
    // In pairs: random intervals are regular enough for another signal in one run of fifty.
    await app.sql(
      `with made as (
         insert into users (name, email, email_verified, created_at)
         select 'm', $1 || n || '@' || $1 || n || '.test', true, $2::timestamptz - n * interval '3 hours' - interval '90 days'
         from generate_series(1, $3::int) n returning id
       ), cast_votes as (
         insert into votes (candidate_id, user_id, voted_on, created_at, round_id, networks)
         select $4, m.id, ($2::timestamptz at time zone 'UTC')::date,
           $2::timestamptz + (m.n / 2) * interval '8 seconds' + (m.n % 2) * interval '400 milliseconds', r.id,
           array['\\x01'::bytea, '\\x02', '\\x03']
         from (select id, row_number() over ()::int as n from made) m, voting_rounds r where r.status = 'open' returning voted_on
       ), days as (
         insert into candidate_daily_votes (candidate_id, day, votes) select $4, voted_on, count(*) from cast_votes group by 2
       )
       update voting_candidates set total_votes = $3, total_reached_at = $2 where id = $4`,
      [prefix, app.now, members, id],
    );
    await app.sql(
      `update voting_candidates set total_reached_at = (select max(created_at) from votes where candidate_id = $1) where id = $1`,
      [id],
    );
    expect((await run()).held).toBe(1_101);
    expect(await counters(id)).toMatchObject({ total: REVIEW.capacity.ipv6_64, review: 1_101 });
    const clusters = await app.sql(
      `select c.signal, c.votes, (select count(*)::int from vote_review_votes v where v.cluster_id = c.id) as held,
         (select json_build_array(sum((after->>'votes')::int), max((after->>'votes')::int) <= 500) from audit_events a
          where a.resource_id = c.id::text and a.action = 'votes.held') as entries
       from vote_review_clusters c where c.id in (select cluster_id from vote_review_votes where candidate_id = $1)`,
      [id],
    );
    expect(clusters).toEqual([{ signal: 'network_capacity', votes: 1_101, held: 1_101, entries: [1_101, true] }]);
    expect(await run()).toEqual({ looked: 0, held: 0 });

    // Decisions are made in parts too: their candidate accepts votes in between.
    const held = await counters(id);
    const [cluster] = await app.sql<{ id: string }>(
      'select distinct cluster_id as id from vote_review_votes where candidate_id = $1',
      [id],
    );
    const that = { id: cluster?.id ?? '' };
    const entries = (action: string) =>
      app.sql(
        `select sum((after->>'votes')::int)::int as votes, max((after->>'votes')::int) as max from audit_events
         where resource_id = $1 and action = $2`,
        [that.id, action],
      );
    // The first 500 immediately, the others by the job; meanwhile no other decision is possible, and the list shows the progress.
    const decisions = async (decide: () => Promise<{ changed: number; cluster: VoteCluster }>, decision: string) => {
      expect(await decide()).toMatchObject({
        changed: 500,
        cluster: { decision: { kind: decision, votes: 1_101, done: 500, beganAt: app.now.toISOString() } },
      });
      for (const other of [() => back.void({ ...that, reason: 'no' }), () => back.release(that), () => back.undo(that)])
        await expect(other()).rejects.toMatchObject({ code: 'ALREADY_DONE' });
      expect(await app.services.voteReview.finishDecisions()).toBe(601);
      expect(await app.services.voteReview.finishDecisions()).toBe(0);
      return (await back.list({ id: that.id, state: 'all' })).rows[0];
    };
    expect(await decisions(() => back.void({ ...that, reason: 'a farm' }), 'void')).toMatchObject({
      state: 'void',
      waiting: 0,
      reason: 'a farm',
      decision: null,
    });
    expect(await counters(id)).toEqual({ ...held, review: 0, void: 1_101 });
    expect(await entries('votes.voided')).toEqual([{ votes: 1_101, max: 500 }]);
    expect(await decisions(() => back.undo(that), 'undo')).toMatchObject({ state: 'open', waiting: 1_101 });
    expect(await counters(id)).toEqual(held);
    expect(await entries('votes.review_undone')).toEqual([{ votes: 1_101, max: 500 }]);
    // An interrupted process of the previous version left no row: only the same decision continues.
    await app.sql("update vote_review_clusters set deciding = 'counted' where id = $1", [that.id]);
    await expect(back.void({ ...that, reason: 'a farm' })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect(await counters(id)).toEqual(held);
    expect(await decisions(() => back.release(that), 'release')).toMatchObject({ state: 'released', waiting: 0 });
    expect(await counters(id)).toMatchObject({ total: members, review: 0, void: 0 });
    expect(await app.sql('select deciding from vote_review_clusters where id = $1', [that.id])).toEqual([
      { deciding: null },
    ]);
    // With the deciding admin as actor, also for the job's part.
    expect(
      await app.sql(
        `select count(distinct actor_id)::int as people, bool_and(actor_role = 'admin') as admins from audit_events
         where resource_id = $1 and action <> 'votes.held'`,
        [that.id],
      ),
    ).toEqual([{ people: 1, admins: true }]);
  });

  it('are read in batches that do not block the event loop, and evaluated again after their thread ended', async () => {
    const { id } = await app.candidate();
    const people = await farm(60, id);
    const thread = createSuspectThread(REVIEW_SIZES.window);
    /** Work of this thread per step: votes passed on, and marked as placed. */
    const pieces: number[] = [];
    let turns = 0;
    const sizes = { window: 100_000, page: 50, together: 100, overlap: 150, held: 5 };
    const review = createVoteReview(db, () => app.now, {
      sizes,
      suspects: {
        get alive() {
          return thread.alive;
        },
        add(votes) {
          pieces.push(votes.length);
          expect(votes.length).toBeLessThanOrEqual(sizes.page);
          return thread.add(votes);
        },
        place(voteIds) {
          pieces.push(voteIds.length);
          expect(voteIds.length).toBeLessThanOrEqual(sizes.held);
          return thread.place(voteIds);
        },
        next: thread.next,
        end: thread.end,
      },
    });
    const turn = () => {
      turns++;
      turning = setImmediate(turn);
    };
    let turning = setImmediate(turn);
    const first = await review.run();
    clearImmediate(turning);
    expect(first.held).toBe(60);
    // All votes that were read, and the findings in them; yielding after each.
    expect(pieces.reduce((sum, votes) => sum + votes, 0)).toBeGreaterThanOrEqual(first.looked + 60);
    expect(turns).toBeGreaterThanOrEqual(pieces.length);
    expect(await counters(id)).toMatchObject({ total: 0, review: 60 });
    // Nothing is passed on again, and no vote in a cluster is reported again.
    pieces.length = 0;
    expect(await review.run()).toEqual({ looked: 0, held: 0 });
    expect(pieces).toEqual([]);
    // The thread ended: with the next vote everything is evaluated again, so that it is compared with the earlier ones.
    thread.end();
    expect(await review.run()).toEqual({ looked: 0, held: 0 });
    expect(thread.alive).toBe(false);
    app.pass(DAY);
    await vote(people[0] as Person, id, '192.0.2.45');
    expect(await review.run()).toMatchObject({ held: 1, looked: first.looked + 1 });
    expect(thread.alive).toBe(true);
    thread.end();
  });

  it('are in the inbox until they are decided', async () => {
    const { id, token_name: tokenName } = await app.candidate();
    await farm(size, id);
    await run();
    const [cluster] = await clustersOf(id);
    const inbox = () => app.as(admin).admin.inbox.list({ source: 'vote_cluster' });
    const admin = await app.member({ role: 'admin' });
    expect((await inbox()).items).toContainEqual(
      expect.objectContaining({ id: cluster?.id, title: tokenName, details: ['network_burst', `${size}`, `${size}`] }),
    );
    await back.release({ id: cluster?.id ?? '' });
    expect((await inbox()).items.map((item) => item.id)).not.toContain(cluster?.id);
  });

  it('are not those of many regular members who share an address', async () => {
    const { id } = await app.candidate();
    const people = await membersOf(60, 90 * DAY);
    for (const [i, person] of people.entries()) {
      await vote(person, id, '198.51.100.7');
      // Like people: the standard deviation of the intervals equals their mean.
      app.pass(-Math.log(((i * 37) % 61) / 61 + 0.008) * 60_000);
    }
    await app.sql(
      `update users set created_at = created_at - random() * interval '100 days' where id = any($1::uuid[])`,
      [people.map((person) => person.id)],
    );
    await run();
    expect(await counters(id)).toMatchObject({ total: 60, review: 0 });
  });

  it('include later votes of their members, also after they were voided', async () => {
    const { id } = await app.candidate();
    const people = await farm(size, id);
    await run();
    const [first] = await clustersOf(id);
    app.pass(DAY);
    await vote(people[0] as Person, id, '192.0.2.44');
    expect((await run()).held).toBe(1);
    expect(await clustersOf(id)).toMatchObject([{ id: first?.id, votes: size + 1, members: size }]);
    await back.void({ id: first?.id ?? '', reason: 'a farm' });
    app.pass(DAY);
    await vote(people[1] as Person, id, '192.0.2.45');
    expect((await run()).held).toBe(1);
    const clusters = await clustersOf(id);
    expect(clusters.map(({ state, votes }) => [state, votes]).toSorted()).toEqual([
      ['open', 1],
      ['void', size + 1],
    ]);
    // After undoing, both stay separate, and nothing is held twice.
    await back.undo({ id: first?.id ?? '' });
    expect((await clustersOf(id)).map(({ state }) => state)).toEqual(['open', 'open']);
    expect(await counters(id)).toMatchObject({ total: 0, review: size + 2, void: 0 });
  });

  it('for many candidates are held, voided and restored ten candidates at a time, with exact totals [AMB-213]', async () => {
    const made = await Promise.all(Array.from({ length: 13 }, () => app.candidate()));
    const [person] = (await membersOf(1, 90 * DAY)) as [Person];
    for (const { id } of made) await vote(person, id, '192.0.2.60');
    const totals = () => Promise.all(made.map(({ id }) => counters(id)));
    const before = await totals();
    const [round] = await app.sql<{ id: string }>("select id from voting_rounds where status = 'open'");
    const rows = await app.sql<{ id: string }>('select id from votes where user_id = $1', [person.id]);
    const finding = {
      signal: 'disposable_mail',
      key: person.id,
      candidateId: null,
      facts: { domain: 'x.example' },
    } as const;
    const voteIds = rows.map(({ id }) => Number(id));
    expect((await holdFinding(db, round?.id ?? '', { ...finding, voteIds }, app.now)).held).toBe(13);
    expect(await totals()).toMatchObject(made.map(() => ({ total: 0, review: 1 })));
    const [cluster] = await app.sql<{ id: string }>('select id from vote_review_clusters where key = $1', [person.id]);
    const id = cluster?.id ?? '';
    const entries = () =>
      app.sql(`select action, (after->>'votes')::int as votes from audit_events where resource_id = $1 order by id`, [
        id,
      ]);
    expect(await entries()).toEqual([
      { action: 'votes.held', votes: 10 },
      { action: 'votes.held', votes: 3 },
    ]);
    expect((await back.void({ id, reason: 'a farm' })).changed).toBe(10);
    expect(await app.services.voteReview.finishDecisions()).toBe(3);
    expect(await totals()).toMatchObject(made.map(() => ({ review: 0, void: 1 })));
    expect((await back.undo({ id })).changed).toBe(10);
    expect(await app.services.voteReview.finishDecisions()).toBe(3);
    expect((await back.release({ id })).changed).toBe(10);
    expect(await app.services.voteReview.finishDecisions()).toBe(3);
    expect(await totals()).toEqual(before);
  });
});
