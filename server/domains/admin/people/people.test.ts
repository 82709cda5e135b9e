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
  it('is found by name, mailbox, id and the number of an order, whoever placed it', async () => {
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
  });

  it('has everything on one page: orders also as a guest, votes by state, texts, mails with their fate', async () => {
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

  it('gets notes of the team, which go into the log without their words and away with the account', async () => {
    const ana = await app.member();
    const { id } = await admin.people.addNote({ id: ana.id, text: 'Llamó por teléfono' });
    expect((await admin.people.read({ id: ana.id })).notes).toMatchObject([{ id, text: 'Llamó por teléfono' }]);
    await expect(admin.people.addNote({ id: ana.id, text: '\u200b' })).rejects.toMatchObject({ code: 'NOT_VALID' });
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

describe('what a person sees', () => {
  it('is read only with a reason; it is written down, and they are told in their list and by mail', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate({ token_name: 'Colibrí' });
    await app.as(ana).voting.cast({ candidateId });
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
});
