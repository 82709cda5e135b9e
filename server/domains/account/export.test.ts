import { expect, it, vi } from 'vitest';
import { app, newcomer } from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';
import { EXPORT_QUERIES } from './export.sql.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

/** Columns that belong to a member and are not exported: secrets and what expires, counts of others, and records of the staff's work. */
const LEFT_OUT = [
  'accounts.user_id',
  'account_tokens.user_id',
  'recovery_codes.user_id',
  'passkey_challenges.user_id',
  'wallet_challenges.user_id',
  'telegram_link_codes.user_id',
  'user_connections.user_id',
  'notification_actors.user_id',
  'vote_review_votes.user_id',
  'staff_notes.user_id',
  'admin_profiles.id',
  'admin_lists.user_id',
  'inbox_owners.owner_id',
  'record_editors.user_id',
];

/** Columns with a foreign key to a table and one of these on-delete actions (`confdeltype`) that no query of the export reads. */
async function unread(table: string, onDelete: string): Promise<string[]> {
  const columns = await app.sql<{ name: string }>(
    `select conrelid::regclass || '.' || attname as name from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where contype = 'f' and confrelid = $1::regclass and confdeltype = any($2) and conparentid = 0`,
    [table, [...onDelete]],
  );
  const parts = Object.values(EXPORT_QUERIES);
  return columns
    .map(({ name }) => name)
    .filter((name) => {
      const [from = '', column = ''] = name.split('.');
      return !parts.some((part) => new RegExp(`\\b${from}\\b`).test(part) && new RegExp(`\\b${column}\\b`).test(part));
    })
    .toSorted();
}

it('every table whose rows are deleted with the member is exported or listed as an exception', async () => {
  expect(await unread('users', 'c')).toEqual(LEFT_OUT.toSorted());
});

it('columns that become null with the member are exported, except actor columns (…_by) and two others', async () => {
  const columns = await unread('users', 'n');
  expect(columns.filter((name) => !name.endsWith('_by'))).toEqual(['deliverables.owner_id', 'notifications.actor_id']);
});

it('every table that references a token request is exported or listed as an exception', async () => {
  expect(await unread('token_creation_submissions', 'rcn')).toEqual([
    'media.owner_draft_id',
    'showcased_tokens.request_id',
    'token_creations.submission_id',
  ]);
});

it('what a member saved, set, restricted, reported and earned is exported, and deleted with the account', async () => {
  const ana = await newcomer({ verified: true });
  const ben = await newcomer();
  const { username: benName } = await ben.api.account.overview();
  const { id: candidateId } = await app.candidate();
  await ana.api.voting.cast({ candidateId });
  await ana.api.race.keepTicket({ candidateId });
  await ana.api.saved.set({ kind: 'candidate', id: candidateId, saved: true });
  await ana.api.profiles.setSettings({ showPage: true, showVotes: true, showFollows: false });
  await ana.api.notifications.setKind({ kind: 'replies', inApp: true, mail: 'daily', push: false });
  await ana.api.notifications.setReader({ locale: 'en', zone: 'America/St_Johns', quiet: { from: 60, to: 120 } });
  const post = await ana.api.forum.create({ title: 'Para llevar', content: 'hola' });
  app.pass(120_000);
  const answer = await ben.api.forum.comment({ postId: post.id, content: 'respuesta de ben' });
  await ana.api.profiles.restrict({ name: benName, level: 'block' });
  await ana.api.forum.report({ what: 'comment', id: answer.id, reason: 'spam', note: 'mi nota' });
  await app.sql(
    `insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
     select $1, id, 'https://push.example/very-private', 'key', 'auth', now() from sessions where user_id = $1`,
    [ana.id],
  );
  const data = (await ana.api.account.export()) as Record<string, unknown>;
  expect(data).toMatchObject({
    votes: [{ id: expect.any(Number), candidate_id: candidateId }],
    tickets: [{ candidate_id: candidateId, number: 1 }],
    saved: [{ candidate_id: candidateId }],
    restrictions: [{ username: benName, level: 'block' }],
    publicPage: [{ show_page: true, show_votes: true, show_follows: false, show_created: false }],
    notificationSettings: [{ kind: 'replies', mail: 'daily', push: false }],
    notificationHours: [{ locale: 'en', zone: 'America/St_Johns', quiet_from: 60, quiet_to: 120 }],
    notifications: [{ kind: 'replies', post_id: post.id }],
    pushedBrowsers: [{ service: 'push.example' }],
    reports: [{ comment_id: answer.id, reason: 'spam', note: 'mi nota' }],
    badges: expect.arrayContaining([{ badge: 'voter', step: 1, count: 1 }]),
  });
  expect(JSON.stringify(data)).not.toContain('very-private');
  expect(JSON.stringify(data)).not.toContain('respuesta de ben');

  await ana.api.account.remove({ password: PASSWORD });
  const tables = await app.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public' order by 1`,
  );
  const naming: string[] = [];
  for (const { name } of tables) {
    const rows = await app.sql(`select 1 from ${name} t where t::text ~* $1 limit 1`, [`${ana.id}|${ana.email}`]);
    if (rows.length > 0) naming.push(name);
  }
  // The log of actions, texts and the renamed profile stay, under the id alone; the rest is deleted within days by jobs, or once the
  // ledger has read it.
  expect(naming).toEqual([
    ...['audit_events', 'forum_posts', 'forum_users'],
    // The notice that the account was deleted.
    'mails',
    ...['rate_limits', 'vote_changes', 'vote_tries'],
  ]);
  for (const name of ['audit_events', 'forum_posts', 'forum_users'])
    expect(await app.sql(`select 1 from ${name} t where t::text like $1`, [`%${ana.email}%`]), name).toEqual([]);
});

it('mails and submissions of a mailbox are in the export only after the member has confirmed that mailbox', async () => {
  const ana = await newcomer();
  await app.sql(
    `insert into mails (to_address, template, locale, data) values ($1, 'orderPaid', 'es', '{"number": "FL-OF-A-BUYER"}')`,
    [ana.email],
  );
  await app.sql(
    `insert into project_submissions (reference, submitter_name, submitter_email, project_data)
     values ('PR-0000000001', 'Ana', upper($1::text), '{"projectName": "Luna"}')`,
    [ana.email],
  );
  const exported = async () => {
    app.pass(3_600_000);
    const { mails, publicationRequests } = (await ana.api.account.export()) as {
      mails: { template: string }[];
      publicationRequests: { reference: string }[];
    };
    return {
      templates: mails.map(({ template }) => template),
      references: publicationRequests.map(({ reference }) => reference),
    };
  };
  expect(await exported()).toEqual({ templates: [], references: [] });
  await app.sql('update users set email_verified = true where id = $1', [ana.id]);
  expect(await exported()).toEqual({
    templates: expect.arrayContaining(['orderPaid']),
    references: ['PR-0000000001'],
  });
});
