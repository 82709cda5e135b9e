import { describe, expect, it } from 'vitest';
import { MANY_FOUND } from '#contract/limits.ts';
import { listenTo, type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';
import { dropRemovalCopies } from './removals.service.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const api = app.as(admin).admin.forum;
const visitor = app.as(null).forum;
const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';

let serial = 0;
async function write(author: Person) {
  app.pass(120_000);
  const word = `palabra${++serial}`;
  const { id } = await app.as(author).forum.create({ title: `Título ${word}`, content: `Texto con ${word} acción` });
  const comment = await app.as(author).forum.comment({ postId: id, content: `Comentario ${word}` });
  return { id, word, comment: comment.id };
}
const entriesOf = (id: string) =>
  app.sql<{ action: string; reason: string | null; actor_id: string }>(
    `select action, reason, actor_id from audit_events where resource_id = $1 and action ~ 'deleted|restored' order by id`,
    [id],
  );

describe('moderation [AMB-198] [AMB-132]', () => {
  it('hides and restores posts and comments, each with an audit entry and a live event, with exact counters', async () => {
    const ana = await app.member();
    const { id, comment } = await write(ana);
    const { liveEvents, until } = listenTo(app.services);
    expect(await api.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON, reason: 'insulto' })).toEqual({
      results: [{ id: comment, outcome: 'done', code: null }],
    });
    expect(await visitor.post({ id })).toMatchObject({ commentCount: 0, comments: [] });
    await until((event) => event.type === 'post.changed' && event.postId === id);
    liveEvents.length = 0;
    expect((await api.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON })).results[0]?.outcome).toBe(
      'unchanged',
    );
    await api.restore({ what: 'comment', ids: [comment] });
    expect(await visitor.post({ id })).toMatchObject({ commentCount: 1, comments: [{ id: comment }] });
    await until((event) => event.type === 'post.changed' && event.postId === id);

    await api.hide({ what: 'post', ids: [id], ...REMOVAL_REASON, reason: 'estafa' });
    await expect(visitor.post({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(visitor.comments({ postId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api.restore({ what: 'post', ids: [id] });
    expect(await visitor.post({ id })).toMatchObject({ id });
    expect(await entriesOf(id)).toEqual([
      { action: 'post.deleted', reason: 'estafa', actor_id: admin.id },
      { action: 'post.restored', reason: null, actor_id: admin.id },
    ]);
    expect((await entriesOf(comment)).map(({ action }) => action)).toEqual(['comment.deleted', 'comment.restored']);
  });

  it('counts once when two admins hide the same comment concurrently', async () => {
    const { id, comment } = await write(await app.member());
    const other = app.as(await app.member({ role: 'admin' })).admin.forum;
    const answers = await Promise.all(
      [api, other].map((one) => one.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON })),
    );
    expect(answers.map(({ results }) => results[0]?.outcome).toSorted()).toEqual(['done', 'unchanged']);
    expect(await visitor.post({ id })).toMatchObject({ commentCount: 0 });
  });

  it('has an outcome per text, and refuses unknown texts and those deleted by their authors', async () => {
    const ana = await app.member();
    const [mine, theirs] = [await write(ana), await write(await app.member())];
    await app.as(ana).forum.deletePost({ id: mine.id });
    await api.hide({ what: 'post', ids: [theirs.id], ...REMOVAL_REASON });
    expect((await api.restore({ what: 'post', ids: [mine.id, theirs.id, UNKNOWN_ID] })).results).toEqual([
      { id: mine.id, outcome: 'refused', code: 'AUTHORS_DELETION' },
      { id: theirs.id, outcome: 'done', code: null },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
    ]);
    const { rows } = await api.list({ q: mine.id });
    expect(rows).toEqual([expect.objectContaining({ isHidden: true, byAuthor: true, hiddenBy: ana.username })]);
  });

  it('lists by kind and shelf, finds words, authors and ids, and has the reports', async () => {
    const [ana, ben] = [await app.member(), await app.member()];
    const { id, word, comment } = await write(ana);
    await app.as(ben).forum.report({ what: 'post', id, reason: 'scam' });
    await app.as(ben).forum.report({ what: 'comment', id: comment, reason: 'abuse' });
    const found = async (input: Parameters<typeof api.list>[0]) => (await api.list(input)).rows.map((row) => row.id);
    for (const q of [word, ana.username.toUpperCase(), id]) expect(await found({ q })).toEqual([id]);
    for (const q of [word, ana.username, comment]) expect(await found({ q, what: 'comment' })).toEqual([comment]);
    const [row] = (await api.list({ shelf: 'reported' })).rows;
    expect(row).toMatchObject({ id, reports: 1, reasons: ['scam'], author: ana.username, title: `Título ${word}` });
    expect(await found({ what: 'comment', shelf: 'reported' })).toEqual([comment]);

    // Hiding resolves the reports, so the inbox is empty.
    await api.hide({ what: 'post', ids: [id], ...REMOVAL_REASON });
    await api.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON });
    expect(await found({ shelf: 'reported' })).toEqual([]);
    expect((await app.as(admin).admin.inbox.list({ source: 'report' })).items).toEqual([]);
    expect(await found({ q: word, shelf: 'hidden' })).toEqual([id]);
    expect(await found({ q: word, shelf: 'shown' })).toEqual([]);
  });

  it('lists a reported text once, by its own age, also among many with the same word', async () => {
    const [ana, ben, eva] = [await app.member(), await app.member(), await app.member()];
    const [old, young] = [await write(ana), await write(ana)];
    for (const by of [ben, eva]) await app.as(by).forum.report({ what: 'post', id: young.id, reason: 'spam' });
    await app.as(eva).forum.report({ what: 'post', id: old.id, reason: 'other' });
    const filter = { shelf: 'reported' } as const;
    const expected = { total: 2, rows: [{ id: old.id }, { id: young.id, reports: 2, reasons: ['spam'] }] };
    expect(await api.list(filter)).toMatchObject(expected);
    expect((await api.list({ ...filter, sort: '-createdAt' })).rows.map(({ id }) => id)).toEqual([young.id, old.id]);
    expect(await api.list({ ...filter, q: young.word })).toMatchObject({ total: 1, rows: [{ id: young.id }] });
    await app.sql(
      `insert into forum_posts (forum_user_id, title, content)
       select id, 'Título número ' || n, 'Texto' from forum_users, generate_series(1, $2) n where new_auth_user_id = $1`,
      [ana.id, MANY_FOUND + 1],
    );
    expect(await api.list({ ...filter, q: 'título' })).toMatchObject(expected);
    expect((await api.list({ q: 'título' })).total).toBe(MANY_FOUND + 1);
    await app.sql('delete from forum_posts where title ~ $1', ['^Título número']);
  });

  it('shows figures and ten rows of each table, without e-mails [A-FORUM-09..12] [DATA-58] [AMB-38] [AMB-202]', async () => {
    await app.members(12);
    const debug = await api.debug();
    expect(debug.stats).toEqual(await api.stats());
    const [counted] = await app.sql(`
      select (select count(*)::int from forum_users) as "totalUsers",
        (select count(*)::int from forum_posts where not is_hidden) as "totalPosts",
        (select count(*)::int from user_roles where role = 'moderator' and moderator_request_status = 'approved') as "totalModerators",
        (select count(*)::int from user_roles where moderator_request_status = 'pending') as "pendingModeratorRequests"`);
    expect(debug.stats).toEqual(counted);
    expect(debug.users).toHaveLength(10);
    expect(debug.roles).toHaveLength(10);
    expect(JSON.stringify(debug)).not.toContain('@');
  });
});

describe('a removal', () => {
  const second = () => app.member({ role: 'admin' });
  const logged = async (id: string) => {
    const [row] = await app.sql<{ id: string }>('select id from forum_removals where text_id = $1', [id]);
    return (await visitor.removalLog({})).items.find((item) => item.id === row?.id);
  };
  const mailsTo = (email: string) =>
    app.sql<{ template: string; data: Record<string, unknown> }>(
      `select template, data from mails where to_address = $1 and template in ('textRemoved', 'appealAnswered') order by created_at`,
      [email],
    );

  it('is mailed to its author, as is the answer to an appeal, in the language of earlier mails', async () => {
    const ana = await app.member();
    await app.as(ana).account.sendVerification({ locale: 'en' });
    await app.sql('update users set email_verified = true where id = $1', [ana.id]);
    const { id } = await write(ana);
    await app.as(await app.member({ role: 'moderator' })).forum.deletePost({ id, rule: 'scam', reason: 'Pide claves' });
    const [removal] = await app.as(ana).forum.myRemovals();
    await app.as(ana).forum.appeal({ id: removal?.id ?? '', text: 'It asked for nothing at all' });
    await app.as(admin).admin.forum.decideAppeal({ id: removal?.id ?? '', outcome: 'upheld', answer: 'It did' });
    const mailed = await app.sql(
      `select template, locale from mails where to_address = $1 and template in ('textRemoved', 'appealAnswered') order by template`,
      [ana.email],
    );
    expect(mailed).toEqual([
      { template: 'appealAnswered', locale: 'en' },
      { template: 'textRemoved', locale: 'en' },
    ]);
  });

  it('has a rule and a reason, is sent to its author with a copy, and is in the public log without names', async () => {
    const ana = await app.member({ verified: true });
    const { id } = await write(ana);
    const moderator = app.as(await app.member({ role: 'moderator' })).forum;
    await expect(moderator.deletePost({ id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await visitor.post({ id })).toMatchObject({ id });
    await moderator.deletePost({ id, rule: 'scam', reason: 'Pide claves' });
    const [mine] = await app.as(ana).forum.myRemovals();
    expect(mine).toMatchObject({
      what: 'post',
      rule: 'scam',
      reason: 'Pide claves',
      content: expect.stringContaining('Texto con'),
      outcome: null,
      appeal: null,
    });
    const { items } = await app.as(ana).notifications.list({});
    expect(items[0]).toMatchObject({ kind: 'decisions', detail: 'text_removed', path: '/moderation' });
    expect(await mailsTo(ana.email)).toMatchObject([
      { template: 'textRemoved', data: { rule: 'scam', content: mine?.content } },
    ]);
    const entry = await logged(id);
    expect(entry).toEqual({
      id: mine?.id,
      what: 'post',
      rule: 'scam',
      by: 'moderator',
      at: mine?.at,
      outcome: null,
      unseen: false,
      appealed: false,
      decidedAlone: false,
    });
    // Nobody else can read the copy.
    expect(await app.as(await app.member()).forum.myRemovals()).toEqual([]);
  });

  it('is not mailed to an unconfirmed mailbox; a deletion by the author is not recorded as one', async () => {
    const ana = await app.member();
    const { id, comment } = await write(ana);
    await api.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON });
    expect(await mailsTo(ana.email)).toEqual([]);
    expect(await app.as(ana).forum.myRemovals()).toHaveLength(1);
    await app.as(ana).forum.deletePost({ id });
    expect(await app.as(ana).forum.myRemovals()).toHaveLength(1);
    expect(await logged(id)).toBeUndefined();
  });

  it('is appealed once, within 14 days, by its author, and decided by somebody else', async () => {
    const ana = await app.member({ verified: true });
    const { id, comment } = await write(ana);
    await api.hide({ what: 'comment', ids: [comment], ...REMOVAL_REASON });
    const [mine] = await app.as(ana).forum.myRemovals();
    const removal = mine?.id ?? '';
    const text = 'Era una respuesta a una pregunta';
    await expect(app.as(await app.member()).forum.appeal({ id: removal, text })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await app.as(ana).forum.appeal({ id: removal, text });
    await expect(app.as(ana).forum.appeal({ id: removal, text })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(
      app.sql('update forum_removal_notices set appeal = $2 where removal_id = $1', [removal, 'otra']),
    ).rejects.toThrow(/made once/);
    const { items } = await app.as(admin).admin.inbox.list({ source: 'appeal' });
    expect(items).toMatchObject([{ id: removal, details: ['comment', 'spam'] }]);
    expect(Date.parse(items[0]?.dueAt ?? '')).toBe(app.now.getTime() + 7 * 86_400_000);
    // Refused for the remover while the team has somebody else, by the database as well.
    const colleague = await second();
    expect(await api.appeal({ id: removal })).toMatchObject({ decider: 'remover', appeal: text });
    await expect(api.decideAppeal({ id: removal, outcome: 'upheld', answer: 'Mirado' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(
      app.sql(`update forum_removals set outcome = 'upheld', ended_at = now(), ended_by = removed_by where id = $1`, [
        removal,
      ]),
    ).rejects.toThrow(/check constraint/);
    await expect(
      app.sql(
        `update forum_removals set outcome = 'upheld', ended_at = now(), ended_by = removed_by, decided_alone = true where id = $1`,
        [removal],
      ),
    ).rejects.toThrow(/somebody else on the team can decide/);
    const other = app.as(colleague).admin.forum;
    expect(await other.appeal({ id: removal })).toMatchObject({ decider: 'free', removedByName: admin.username });
    // Later than the notice of the removal, which is listed below the answer.
    app.pass(60_000);
    const answers = await Promise.allSettled(
      ['reversed', 'upheld'].map((outcome) =>
        other.decideAppeal({ id: removal, outcome: outcome as 'upheld', answer: 'Mirado' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const outcome = answers[0]?.status === 'fulfilled' ? 'reversed' : 'upheld';
    expect((await visitor.post({ id })).commentCount).toBe(outcome === 'reversed' ? 1 : 0);
    expect((await app.as(ana).forum.myRemovals())[0]).toMatchObject({ outcome, answer: 'Mirado', appeal: text });
    expect((await mailsTo(ana.email)).at(-1)).toMatchObject({ template: 'appealAnswered', data: { outcome } });
    expect((await app.as(ana).notifications.list({})).items[0]).toMatchObject({ detail: `appeal_${outcome}` });
    expect(await logged(comment)).toMatchObject({ outcome, appealed: true, decidedAlone: false });
    expect((await app.as(admin).admin.inbox.list({ source: 'appeal' })).items).toEqual([]);
  });

  /** Takes the rights of deciding from everybody but one, until the test ends. */
  async function leaveAlone(one: { id: string }, others: 'banned' | 'editors') {
    const rest = `from admin_profiles a where a.id = u.id and a.id <> $1`;
    const states = await app.sql<{ id: string; staff_roles: string[] }>(
      'select id, staff_roles from admin_profiles where id <> $1',
      [one.id],
    );
    if (others === 'banned') await app.sql(`update users u set banned_until = 'infinity' ${rest}`, [one.id]);
    else await app.sql(`update admin_profiles set staff_roles = '{editor}' where id <> $1`, [one.id]);
    return async () => {
      await app.sql(`update users u set banned_until = null ${rest}`, [one.id]);
      for (const { id, staff_roles } of states)
        await app.sql('update admin_profiles set staff_roles = $2 where id = $1', [id, staff_roles]);
    };
  }

  it.each(['banned', 'editors'] as const)(
    'has its appeal decided by its remover if nobody else can (the others are %s), which author and log show',
    async (others) => {
      const ana = await app.member({ verified: true });
      await second();
      const { id } = await write(ana);
      await api.hide({ what: 'post', ids: [id], ...REMOVAL_REASON });
      const [mine] = await app.as(ana).forum.myRemovals();
      const removal = mine?.id ?? '';
      await app.as(ana).forum.appeal({ id: removal, text: 'No es publicidad' });
      const decision = { id: removal, outcome: 'upheld', answer: 'Sí lo es' } as const;
      await expect(api.decideAppeal(decision)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      const giveBack = await leaveAlone(admin, others);
      try {
        expect(await api.appeal({ id: removal })).toMatchObject({ decider: 'alone' });
        await api.decideAppeal(decision);
      } finally {
        await giveBack();
      }
      expect(await logged(id)).toMatchObject({ outcome: 'upheld', decidedAlone: true });
      expect((await app.as(ana).forum.myRemovals())[0]).toMatchObject({ outcome: 'upheld', decidedAlone: true });
      expect((await mailsTo(ana.email)).at(-1)).toMatchObject({
        template: 'appealAnswered',
        data: { outcome: 'upheld', decidedAlone: true },
      });
      expect(
        await app.sql(`select after from audit_events where resource_id = $1 and action = 'post.appeal_upheld'`, [id]),
      ).toEqual([{ after: { decidedAlone: true } }]);
    },
  );

  it('never has its appeal decided by its author, even one with the rights to decide appeals', async () => {
    const author = await second();
    const { id } = await write(author);
    await api.hide({ what: 'post', ids: [id], ...REMOVAL_REASON });
    const [mine] = await app.as(author).forum.myRemovals();
    const removal = mine?.id ?? '';
    await app.as(author).forum.appeal({ id: removal, text: 'Es mío' });
    const own = app.as(author).admin.forum;
    expect(await own.appeal({ id: removal })).toMatchObject({ decider: 'author' });
    await expect(own.decideAppeal({ id: removal, outcome: 'reversed', answer: 'Tengo razón' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(
      app.sql(`update forum_removals set outcome = 'reversed', ended_at = now(), ended_by = $2 where id = $1`, [
        removal,
        author.id,
      ]),
    ).rejects.toThrow(/does not decide about their own appeal/);
    // The author does not count as another decider: the remover is alone.
    const giveBack = await leaveAlone({ id: admin.id }, 'editors');
    try {
      await app.sql(`update admin_profiles set staff_roles = '{owner}' where id = $1`, [author.id]);
      expect(await api.appeal({ id: removal })).toMatchObject({ decider: 'alone' });
    } finally {
      await giveBack();
    }
  });

  it('cannot be appealed after 14 days, nor when the text was restored', async () => {
    const ana = await app.member();
    const [first, late] = [await write(ana), await write(ana)];
    await api.hide({ what: 'post', ids: [first.id, late.id], ...REMOVAL_REASON });
    await api.restore({ what: 'post', ids: [first.id] });
    const mine = await app.as(ana).forum.myRemovals();
    const of = (title: string) => mine.find((one) => one.title.includes(title))?.id ?? '';
    expect(mine.find(({ id }) => id === of(first.word))).toMatchObject({ outcome: 'restored' });
    await expect(app.as(ana).forum.appeal({ id: of(first.word), text: 'Por qué' })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
    app.pass(14 * 86_400_000 + 1);
    await expect(app.as(ana).forum.appeal({ id: of(late.word), text: 'Por qué' })).rejects.toMatchObject({
      code: 'APPEAL_CLOSED',
    });
  });

  it('leaves its public log entry and nothing of the author when the account is deleted', async () => {
    const ana = await app.member();
    const { id } = await write(ana);
    await api.hide({ what: 'post', ids: [id], ...REMOVAL_REASON });
    await app.sql('delete from users where id = $1', [ana.id]);
    expect(await logged(id)).toMatchObject({ rule: 'spam' });
    expect(
      await app.sql(
        'select 1 from forum_removal_notices n join forum_removals r on r.id = n.removal_id where r.text_id = $1',
        [id],
      ),
    ).toEqual([]);
  });

  it('keeps the copy for its author for the configured days, and longer while an appeal is open', async () => {
    const ana = await app.member();
    const [plain, open] = [await write(ana), await write(ana)];
    await api.hide({ what: 'post', ids: [plain.id, open.id], ...REMOVAL_REASON });
    const mine = await app.as(ana).forum.myRemovals();
    const waits = mine.find(({ title }) => title.includes(open.word))?.id ?? '';
    await app.as(ana).forum.appeal({ id: waits, text: 'No es justo' });
    const left = async () => (await app.as(ana).forum.myRemovals()).map(({ title }) => title.includes(plain.word));
    app.pass(90 * 86_400_000);
    await dropRemovalCopies(app.services.db, 91, app.now);
    expect(await left()).toHaveLength(2);
    app.pass(2 * 86_400_000);
    await dropRemovalCopies(app.services.db, 91, app.now);
    expect(await left()).toEqual([false]);
    expect(await logged(plain.id)).toMatchObject({ rule: REMOVAL_REASON.rule });
    await app
      .as(await app.member({ role: 'admin' }))
      .admin.forum.decideAppeal({ id: waits, outcome: 'upheld', answer: 'Mirado' });
    await dropRemovalCopies(app.services.db, 91, app.now);
    expect(await left()).toEqual([]);
  });
});
