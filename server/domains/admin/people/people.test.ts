import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

const app = await startTestApp();
const admin = app.as(await app.member({ role: 'admin' }), {}).admin;

/** A request of a member or a guest, with an order. */
async function ordered(of: { userId?: string; email?: string }, number: string): Promise<string> {
  const [request] = await app.sql<{ id: string }>(
    `insert into token_creation_submissions (user_id, petitioner_email, token_data, edit_secret_hash)
     values ($1, $2, $3, '\\x00') returning id`,
    [of.userId ?? null, of.email ?? null, JSON.stringify(COMPLETE)],
  );
  await app.sql(
    `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, is_current)
     values ($1, $2, 'entry', 50, 'es', true, '{}', now() + interval '7 days', true)`,
    [request?.id, number],
  );
  return request?.id ?? '';
}

describe('a person', () => {
  it('is found by name, mailbox, id and order number, also of an order placed as a guest', async () => {
    const ana = await app.member({ verified: true });
    const other = await app.member();
    await ordered({ userId: ana.id }, 'FL-000000000A');
    await ordered({ email: ana.email.toUpperCase() }, 'FL-000000000B');
    await ordered({ email: other.email }, 'FL-000000000C');
    const ids = async (q: string) => (await admin.people.find({ q })).map(({ id, by }) => [id, by]);
    expect(await ids(ana.username)).toEqual([[ana.id, 'name']]);
    expect(await ids(ana.email)).toEqual([[ana.id, 'name']]);
    expect(await ids(ana.id)).toEqual([[ana.id, 'account']]);
    expect(await ids('fl-000000000a')).toEqual([[ana.id, 'order']]);
    expect(await ids('FL-000000000B')).toEqual([[ana.id, 'order']]);
    // An unconfirmed mailbox proves nothing.
    expect(await ids('FL-000000000C')).toEqual([]);
    expect(await ids('FL-999')).toEqual([]);
    // A mailbox that begins like a number is none.
    await app.sql(`update users set email = 'pr-team@florka.test' where id = $1`, [other.id]);
    expect(await ids('PR-team@florka.test')).toEqual([[other.id, 'name']]);
  });

  it('comes first when the whole mailbox or name matches, however many others contain it', async () => {
    const [ana] = await app.sql<{ id: string }>(
      `insert into users (name, email, username) values ('x', 'ana@many.test', 'zz ana') returning id`,
    );
    await app.sql(
      `insert into users (name, email, username)
       select 'x', 'a' || n || 'ana@many.test', 'aa zz ana ' || n from generate_series(1, 1100) n`,
    );
    for (const q of ['ana@many.test', 'Ana@Many.test', 'ZZ Ana']) {
      const found = await admin.people.find({ q });
      expect([q, found.length, found[0]?.id]).toEqual([q, 20, ana?.id]);
    }
    expect((await admin.find({ q: 'ana@many.test' })).find(({ kind }) => kind === 'person')?.id).toBe(ana?.id);
    await app.sql(`delete from users where email like '%ana@many.test'`);
  });

  it('has everything on one page: orders also as a guest, votes by state, texts, mails with their status', async () => {
    const ana = await app.member({ verified: true });
    const api = app.as(ana);
    const { id: candidateId } = await app.candidate();
    await api.voting.cast({ candidateId });
    const { id: postId } = await api.forum.create({ title: 'Hola', content: 'Buenas' });
    await ordered({ userId: ana.id }, 'FL-000000001A');
    await ordered({ email: ana.email }, 'FL-000000001B');
    await app.sql(
      `insert into mails (to_address, locale, template, status, attempts, last_error)
       values ($1, 'es', 'test', 'failed', 3, '550 no such user')`,
      [ana.email],
    );
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    await app.sql("insert into linked_wallets (user_id, family, address) values ($1, 'evm', $2)", [ana.id, address]);
    const page = await admin.people.read({ id: ana.id });
    expect(page.wallets).toMatchObject([{ family: 'evm', address, lastUsedAt: null }]);
    expect(page.user).toMatchObject({ id: ana.id, email: ana.email, access: 'open' });
    expect(page.orders.map(({ asGuest, payments }) => [asGuest, payments[0]?.orderId]).sort()).toEqual([
      [false, 'FL-000000001A'],
      [true, 'FL-000000001B'],
    ]);
    expect(page.votes).toMatchObject({ counted: 1, underReview: 0, void: 0, newest: [{ state: 'counted' }] });
    expect(page.posts).toMatchObject({ count: 1, newest: [{ id: postId, title: 'Hola', hidden: false }] });
    expect(page.mails).toMatchObject([
      { template: 'test', status: 'failed', attempts: 3, lastError: '550 no such user' },
    ]);
    await expect(admin.people.read({ id: postId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has notes of the team, which are audited without their text and deleted with the account', async () => {
    const ana = await app.member();
    const { id } = await admin.people.addNote({ id: ana.id, text: 'Llamó por teléfono' });
    expect((await admin.people.read({ id: ana.id })).notes).toMatchObject([{ id, text: 'Llamó por teléfono' }]);
    await expect(admin.people.addNote({ id: ana.id, text: '\u200b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const entries = await app.sql<{ action: string }>(
      `select action, before, after from audit_events where resource_id = $1 and action like 'member.note%'`,
      [ana.id],
    );
    expect(JSON.stringify(entries)).not.toContain('teléfono');
    expect(entries).toHaveLength(1);
    await app.sql('delete from users where id = $1', [ana.id]);
    expect(await app.sql('select 1 from staff_notes where id = $1', [id])).toEqual([]);
  });
});

describe('the parts of a person', () => {
  /** Everything of a part: the newest records, and then page by page. */
  async function wholeOf<Row>(
    newest: Row[],
    after: string | null,
    older: (after: string) => Promise<{ rows: unknown[]; next: string | null }>,
  ): Promise<Row[]> {
    const rows = [...newest];
    for (let next = after; next !== null; ) {
      const page = await older(next);
      rows.push(...(page.rows as Row[]));
      next = page.next;
    }
    return rows;
  }

  it('are paginated after the newest 30 without duplicates or gaps, also when a newer record is added', async () => {
    const ana = await app.member({ verified: true });
    const { id: postId } = await app.as(ana).forum.create({ title: 'Hola', content: 'Buenas' });
    // Three of each moment, one microsecond apart.
    const moment = (n: string) => `timestamptz '2026-03-01 12:00:00.000001Z' + (${n} / 3) * interval '1 microsecond'`;
    await app.sql(
      `insert into forum_comments (post_id, user_id, content, created_at)
       select $1, $2, 'c' || n, ${moment('n')} from generate_series(1, 65) n`,
      [postId, ana.id],
    );
    await app.sql(
      `insert into staff_notes (user_id, text, created_at) select $1, 'n' || n, ${moment('n')} from generate_series(1, 31) n`,
      [ana.id],
    );
    await app.sql(
      `insert into mails (to_address, locale, template, status, created_at)
       select $1, 'es', 'm' || n, 'failed', ${moment('n')} from generate_series(1, 40) n`,
      [ana.email],
    );
    const { id: candidateId } = await app.candidate();
    await app.sql(
      `insert into votes (candidate_id, user_id, voted_on, created_at)
       select $1, $2, date '2026-03-01' + n, timestamptz '2026-03-01 12:00Z' + n * interval '1 day' from generate_series(0, 32) n`,
      [candidateId, ana.id],
    );
    for (let n = 1; n <= 31; n++) await ordered({ email: ana.email }, `FL-00000010${10 + n}`);
    const page = await admin.people.read({ id: ana.id });
    const older = (part: keyof typeof page.older) => (after: string) => admin.people.older({ id: ana.id, part, after });
    expect(page.comments.newest).toHaveLength(30);
    const comments = await wholeOf(page.comments.newest, page.older.comments, older('comments'));
    expect(comments.map(({ text }) => text).sort()).toEqual(Array.from({ length: 65 }, (_, n) => `c${n + 1}`).sort());
    expect(new Set(comments.map(({ at }) => at)).size).toBe(1);
    const notes = await wholeOf(page.notes, page.older.notes, older('notes'));
    expect(new Set(notes.map(({ text }) => text)).size).toBe(31);
    expect(notes).toHaveLength(31);
    const votes = await wholeOf(page.votes.newest, page.older.votes, older('votes'));
    expect(votes.map(({ at }) => at)).toEqual([...new Set(votes.map(({ at }) => at))].sort().reverse());
    expect(votes).toHaveLength(33);
    const orders = await wholeOf(page.orders, page.older.orders, older('orders'));
    expect(new Set(orders.map(({ requestId }) => requestId)).size).toBe(31);
    expect(orders.at(-1)?.payments[0]?.orderId).toBe('FL-0000001011');
    // A record added since sorts above the first page, and shifts no later one.
    await app.sql(`insert into mails (to_address, locale, template, status) values ($1, 'es', 'later', 'failed')`, [
      ana.email,
    ]);
    const mails = await wholeOf(page.mails, page.older.mails, older('mails'));
    expect(mails.map(({ template }) => template).sort()).toEqual(
      Array.from({ length: 40 }, (_, n) => `m${n + 1}`).sort(),
    );
    const box = await admin.mailboxes.read({ address: ana.email });
    expect(box.mails[0]?.template).toBe('later');
    const inBox = await wholeOf(box.mails, box.older.mails, (after) =>
      admin.mailboxes.older({ address: ana.email, part: 'mails', after }),
    );
    expect(new Set(inBox.map(({ id }) => id)).size).toBe(41);
    expect(page.older).toMatchObject({ posts: null, submissions: null });
  });

  it('are refused for an unknown account or an invalid cursor', async () => {
    const ana = await app.member();
    const cursor = '1770000000000000.1';
    await expect(
      admin.people.older({ id: '00000000-0000-4000-8000-000000000000', part: 'votes', after: cursor }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(admin.people.older({ id: ana.id, part: 'votes', after: '1 or true' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    // Submissions of an unconfirmed mailbox do not belong to the member.
    const { rows } = await admin.people.older({ id: ana.id, part: 'submissions', after: '1990000000000000.f' });
    expect(rows).toEqual([]);
  });
});

describe('a view of what a person sees', () => {
  it('requires a reason and is audited with it; the person is notified of it in their list and by mail', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate({ token_name: 'Colibrí' });
    await app.as(ana).voting.cast({ candidateId });
    for (const without of [{}, { reason: '' }, { reason: ' \u200b\n' }])
      await expect(admin.people.look({ id: ana.id, ...without } as never)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    expect((await app.as(ana).notifications.list({})).items).toEqual([]);
    const seen = await admin.people.look({ id: ana.id, reason: 'Preguntó por su voto' });
    expect(seen.votedToday).toMatchObject([{ token: 'Colibrí' }]);
    expect(seen.notifications).toMatchObject([{ kind: 'security', detail: 'viewed', read: false }]);
    expect((await app.as(ana).notifications.list({})).items).toMatchObject([{ kind: 'security', detail: 'viewed' }]);
    const mails = await app.deliverMails();
    expect(mails.filter(({ to }) => to === ana.email).map(({ subject }) => subject)).toEqual([
      'El equipo ha mirado tu cuenta',
    ]);
    expect(
      await app.sql(`select action, reason from audit_events where resource_id = $1 and action = 'member.looked_at'`, [
        ana.id,
      ]),
    ).toEqual([{ action: 'member.looked_at', reason: 'Preguntó por su voto' }]);
    // Nothing is marked as read, and no session was created.
    expect((await app.as(ana).notifications.unread()).unread).toBe(1);
    expect(await app.sql('select 1 from sessions where user_id = $1', [ana.id])).toHaveLength(1);
  });

  it('omits the key of the private page that a notification about a submission links to', async () => {
    const ana = await app.member();
    const submissionId = '5f6a1c2d-0000-4000-8000-000000000000';
    await app.sql(
      `insert into notifications (user_id, kind, cause, detail, data, in_app, created_at, changed_at)
       values ($1, 'decisions', 'a request', 'submission_approved', $2, true, $3, $3)`,
      [ana.id, JSON.stringify({ title: 'PR-0123456789', submissionId }), app.now],
    );
    const [own] = (await app.as(ana).notifications.list({})).items;
    const key = own?.path?.split('#')[1] ?? '';
    expect(key).toHaveLength(43);
    const seen = await admin.people.look({ id: ana.id, reason: 'Preguntó por su solicitud' });
    expect(seen.notifications.map(({ title }) => title)).toContain('PR-0123456789');
    expect(JSON.stringify(seen)).not.toContain(key);
  });
});
