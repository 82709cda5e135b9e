import { describe, expect, it } from 'vitest';
import { api, app } from '#tests/fixtures/admin.ts';

describe('dashboard [AMB-195]', () => {
  it('counts shown posts, active news, open work, and members with a heartbeat in the last five minutes [A-DASH-22..28]', async () => {
    const before = (await api.admin.dashboard.counts()) as Record<string, number>;
    const people = await app.members(3);
    const [here, away, left] = people.map(({ id }) => id);
    await app.sql(
      `update user_roles set role = 'moderator', moderator_request_status = 'approved' where user_id = $1`,
      [here],
    );
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = any($1)`,
      [[away, left]],
    );
    const seen = (minutes: number) => new Date(app.now.getTime() - minutes * 60_000);
    const connect = (user: string | undefined, online: boolean, at: Date) =>
      app.sql(
        'insert into user_connections (user_id, session_id, is_online, last_seen) values ($1, gen_random_uuid(), $2, $3)',
        [user, online, at],
      );
    // Two tabs count as one person; five minutes without a heartbeat count as offline.
    await connect(here, true, seen(1));
    await connect(here, true, seen(4.9));
    await connect(away, true, seen(5.1));
    await connect(left, false, seen(1));
    await app.sql(
      `insert into forum_posts (title, content, is_hidden) values ('Seen', 'Text', false), ('Hidden', 'Text', true)`,
    );
    const writing = { title: 'T', content: 'C' };
    await api.admin.news.create({ ...writing, isActive: true });
    await api.admin.news.create({ ...writing, isActive: false });
    const trashed = await api.admin.news.create({ ...writing, isActive: true });
    await api.admin.news.remove({ id: trashed.id, version: 1 });
    await app.project({ status: 'rejected' });
    await app.project({ deleted_at: app.now });
    await app.sql(`insert into project_submissions (status) values ('new'), ('new'), ('reviewed')`);
    // Only paid requests wait for the team; the others wait for their payers.
    for (const [status, payment] of [
      ['pending_payment', 'pending'],
      ['incomplete', 'pending'],
      ['completed', 'completed'],
    ])
      await app.sql(
        'insert into token_creation_submissions (status, payment_status, edit_secret_hash) values ($1, $2, $3)',
        [status, payment, Buffer.alloc(1)],
      );
    // A settlement difference is no work of the inbox: it has a screen of its own.
    await app.sql(
      `insert into settlement_differences (kind, subject, asset, ours, theirs, found_at, seen_at)
       values ('missing_here', '1', 'eth', '', '1', now(), now())`,
    );
    expect(await api.admin.dashboard.counts()).toMatchObject({
      newSubmissions: (before['newSubmissions'] ?? 0) + 2,
      pendingRequests: (before['pendingRequests'] ?? 0) + 1,
      inbox: (before['inbox'] ?? 0) + 6,
      users: (before['users'] ?? 0) + 3,
      moderators: (before['moderators'] ?? 0) + 1,
      pendingModerators: (before['pendingModerators'] ?? 0) + 2,
      online: (before['online'] ?? 0) + 1,
      posts: (before['posts'] ?? 0) + 1,
      news: (before['news'] ?? 0) + 1,
      projects: (before['projects'] ?? 0) + 1,
    });
  });

  it('counts users, tokens and votes, and returns figures for each UTC day [A-DASH-05..07] [A-DASH-10]', async () => {
    const before = (await api.admin.dashboard.counts()) as Record<string, number>;
    await app.project();
    await app.nextProject();
    const voter = await app.member();
    const candidate = await app.candidate();
    await app.as(voter).voting.cast({ candidateId: candidate.id });
    const after = await api.admin.dashboard.counts();
    expect(after).toMatchObject({
      users: (before['users'] ?? 0) + 1,
      projects: (before['projects'] ?? 0) + 1,
      nextProjects: (before['nextProjects'] ?? 0) + 1,
      candidates: (before['candidates'] ?? 0) + 1,
      votes: (before['votes'] ?? 0) + 1,
    });
    const days = await api.admin.dashboard.days({ days: 7 });
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toMatchObject({ day: app.now.toISOString().slice(0, 10), votes: 1 });
    expect(days[0]).toEqual({ day: '2026-03-04', votes: 0, signUps: 0, posts: 0, views: 0, revenueUsd: 0 });
  });
});
