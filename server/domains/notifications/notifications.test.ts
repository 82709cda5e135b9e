import { beforeEach, describe, expect, it } from 'vitest';
import { type NotificationKind, notificationKind } from '#contract/domains/notifications.ts';
import { MENTIONS_MAX } from '#contract/limits.ts';
import { mentionOf } from '#contract/text/mention.ts';
import { publishChange } from '#server/live/publish.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { mentionedIn } from './mentions.policy.ts';
import { notify } from './notify.service.ts';

const app = await startTestApp();
const MAILED = { inApp: true, push: false } as const;
// Rate limits of writing are not tested here.
beforeEach(() => app.pass(120_000));

const people = (count: number): Promise<Person[]> => app.members(count, { verified: true });
const person = async () => (await people(1))[0] as Person;
const named = async (username: string) => {
  const one = await person();
  await app.sql('update forum_users set username = $2 where id = $1', [one.id, username]);
  return { ...one, username };
};
const listOf = async (one: Person) => (await app.as(one).notifications.list({})).items;
const postOf = async (one: Person, title = 'Una nota') => {
  app.pass(120_000);
  return (await app.as(one).forum.create({ title, content: `Algo ${Math.random()}` })).id;
};
const comment = async (one: Person, postId: string, content = `Respuesta ${Math.random()}`) => {
  app.pass(120_000);
  return app.as(one).forum.comment({ postId, content });
};
const namesTo = (count: number) => Array.from({ length: count }, (_, n) => `@name_${n}`);
const mailsTo = async ({ email }: Person) => (await app.deliverMails()).filter(({ to }) => to === email);
const announce = (to: Person[], cause: string, kind: NotificationKind = 'replies') =>
  app.services.db.transaction((tx) =>
    notify(tx, { kind: kind as 'replies', detail: 'comment', cause, to, data: { title: 'Algo' }, now: app.now }),
  );

describe('a notification', () => {
  it('of a comment goes to the author of the post, and never to its own author', async () => {
    const [ana, bob] = [await person(), await named('Bob_Uno')];
    const id = await postOf(ana, 'Hola');
    const { id: answer } = await comment(bob, id);
    await comment(ana, id);
    expect(await listOf(ana)).toMatchObject([
      {
        kind: 'replies',
        detail: 'comment',
        actor: 'Bob_Uno',
        title: 'Hola',
        path: `/forum/${id}#comment-${answer}`,
        read: false,
      },
    ]);
    expect(await listOf(bob)).toEqual([]);
  });

  it('of a mention is sent once, also to the author of the post who is mentioned in the answer', async () => {
    const [ana, bob, eva] = [await named('Ana_Dos'), await named('Bob_Dos'), await named('Eva.Dos')];
    const id = await postOf(ana);
    await comment(bob, id, 'Hola @ana_dos y @Eva.Dos. ¿Qué tal, @nadie y @bob_dos? (bob@ana_dos.test)');
    expect((await listOf(ana)).map(({ kind }) => kind)).toEqual(['mentions']);
    expect((await listOf(eva)).map(({ kind, detail }) => [kind, detail])).toEqual([['mentions', 'comment']]);
    expect(await listOf(bob)).toEqual([]);
  });

  it('of a mention is sent for a name with a space or quote, as the suggestion writes it', async () => {
    const [ana, bob, eva] = [await named('Ana Ruiz Dos'), await named("Bob O'Neil"), await named('Eva_Cinco')];
    const id = await postOf(eva);
    await comment(eva, id, `Hola ${mentionOf('Ana Ruiz Dos')} y ${mentionOf("Bob O'Neil")}`);
    for (const one of [ana, bob]) expect((await listOf(one)).map(({ kind }) => kind)).toEqual(['mentions']);
    expect(mentionOf('Eva_Cinco')).toBe('@Eva_Cinco');
  });

  it.each([
    ['@ana, @Bob. y (@eva)', ['ana', 'bob.', 'bob', 'eva']],
    ['correo ana@bob.test, x@y, @@no, @ab', []],
    ['@ñandú_1', ['ñandú_1']],
    ['@eva @Eva @eva.', ['eva', 'eva.']],
    ['Hola @"Ana López", @"O\'Neil" y @"" y @"ab" y x@"Eva Paz"', ['ana lópez', "o'neil"]],
    ['@"Ana\nLópez" @"Ana."', ['ana.']],
    [namesTo(MENTIONS_MAX + 2).join(' '), namesTo(MENTIONS_MAX).map((name) => name.slice(1))],
  ])('for the mentions in %s goes to %j', (text, names) => {
    expect(mentionedIn(text)).toEqual(names);
  });

  it('of reactions is aggregated per post and day, with each member counted once', async () => {
    const [ana, bob, eva] = [await person(), await named('Bob_Tres'), await named('Eva_Tres')];
    const id = await postOf(ana);
    for (const emojiType of ['like', 'love'] as const)
      await app.as(bob).forum.react({ postId: id, emojiType, on: true });
    expect(await listOf(ana)).toMatchObject([{ kind: 'reactions', actor: 'Bob_Tres', count: 1 }]);
    await app.as(ana).notifications.markRead({ until: app.now.toISOString() });
    await app.as(bob).forum.react({ postId: id, emojiType: 'like', on: false });
    await app.as(bob).forum.react({ postId: id, emojiType: 'like', on: true });
    expect(await listOf(ana)).toMatchObject([{ count: 1, read: true }]);
    await app.as(eva).forum.react({ postId: id, emojiType: 'wow', on: true });
    expect(await listOf(ana)).toMatchObject([{ kind: 'reactions', actor: 'Eva_Tres', count: 2, read: false }]);
    // One's own reaction causes no notification.
    await app.as(ana).forum.react({ postId: id, emojiType: 'wow', on: true });
    expect(await listOf(ana)).toMatchObject([{ count: 2 }]);
  });

  it('of a change to the account or a decision about a member links to the account', async () => {
    const { api } = app.browser({ address: '198.51.100.24' });
    const password = 'twelve-or-more';
    await api.auth.signUp({ email: 'changes@florka.test', password, locale: 'es' });
    await api.account.changePassword({ current: password, next: 'violet-harbour-52', locale: 'es' });
    expect((await api.notifications.list({})).items).toMatchObject([
      { kind: 'security', detail: 'password', path: '/account' },
    ]);
    const ana = await person();
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
      [ana.id],
    );
    await admin.moderatorRequests.decide({ ids: [ana.id], decision: 'approve' });
    expect(await listOf(ana)).toMatchObject([{ kind: 'decisions', detail: 'moderator_approved', path: '/account' }]);
  });

  it('of a hidden post has neither title nor link', async () => {
    const [ana, bob] = [await person(), await person()];
    const id = await postOf(ana, 'Secreto');
    await comment(bob, id);
    await app.sql('update forum_posts set is_hidden = true where id = $1', [id]);
    expect(await listOf(ana)).toMatchObject([{ title: null, path: null }]);
    expect(await mailsTo(ana)).toEqual([]);
  });

  it('is deleted with its account, and has no actor once the account of the actor is deleted', async () => {
    const [ana, bob] = [await person(), await named('Bob_Ido')];
    await comment(bob, await postOf(ana));
    await app.sql('delete from users where id = $1', [bob.id]);
    expect(await listOf(ana)).toMatchObject([{ actor: null }]);
    await app.sql('delete from users where id = $1', [ana.id]);
    expect(await app.sql('select 1 from notifications where user_id = $1', [ana.id])).toEqual([]);
  });
});

describe('the delivery of a notification', () => {
  it('happens once per cause, however often and concurrently it is attempted', async () => {
    const ana = await person();
    await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    const notified = await Promise.all(Array.from({ length: 5 }, () => announce([ana], 'same')));
    expect(notified.map(({ members }) => members).toSorted()).toEqual([0, 0, 0, 0, 1]);
    expect((await listOf(ana)).length).toBe(1);
    await Promise.all(Array.from({ length: 4 }, () => app.deliverNotifications()));
    expect((await mailsTo(ana)).length).toBe(1);
    expect((await mailsTo(ana)).length).toBe(1);
  });

  it('does not happen when the change is rolled back', async () => {
    const ana = await person();
    await app.services.db
      .transaction(async (tx) => {
        await notify(tx, { kind: 'replies', detail: 'comment', cause: 'never', to: [ana], now: app.now });
        throw new Error('no');
      })
      .catch(() => {});
    expect(await listOf(ana)).toEqual([]);
  });

  it('happens once when the process ends between queueing a mail and its commit', async () => {
    const ana = await person();
    await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    await announce([ana], 'cut');
    // Simulates a kill: a transaction that did everything and never committed.
    const client = await app.services.pool.connect();
    await client.query('begin');
    await client.query(
      `update notification_deliveries set state = 'done' where notification_id in (select id from notifications where user_id = $1)`,
      [ana.id],
    );
    await app.deliverNotifications();
    await client.query('rollback');
    client.release();
    expect((await mailsTo(ana)).length).toBe(1);
  });

  it('reaches the others when that to one member fails, which is retried an hour later', async () => {
    const some = await people(4);
    const [broken, ...others] = some;
    for (const one of some) {
      await app.as(one).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
      await announce([one], 'poison');
    }
    await app.sql(`create function no_mail() returns trigger language plpgsql as
      $$ begin raise exception 'no mail for this one'; end $$`);
    await app.sql(`create trigger no_mail before insert on mails for each row
      when (new.to_address = '${broken?.email}') execute function no_mail()`);
    await expect(app.deliverNotifications()).rejects.toThrow('Failed query');
    // Not retried immediately.
    await app.deliverNotifications();
    await app.sql('drop trigger no_mail on mails');
    for (const one of others) expect((await mailsTo(one)).length, one.email).toBe(1);
    expect((await mailsTo(broken as Person)).length).toBe(0);
    app.pass(61 * 60_000);
    expect((await mailsTo(broken as Person)).length).toBe(1);
  });

  it('about a saved token is one mail and one list entry, or the entry alone without the mail setting', async () => {
    const [ana, bob] = [await person(), await person()];
    const next = await app.nextProject({ token_name: 'Seguido' });
    for (const one of [ana, bob]) await app.as(one).saved.set({ kind: 'next', id: next.id, saved: true });
    await app.as(ana).saved.setNotice({ kind: 'next', id: next.id, on: true, locale: 'en' });
    await app.sql(`update next_projects set status = 'launched' where id = $1`, [next.id]);
    const { notifyLaunches } = await import('#server/domains/saved/launches.service.ts');
    await notifyLaunches({ db: app.services.db, now: app.now });
    await notifyLaunches({ db: app.services.db, now: app.now });
    expect((await mailsTo(ana)).map(({ subject }) => subject)).toEqual(['News of Seguido']);
    expect(await mailsTo(bob)).toEqual([]);
    for (const one of [ana, bob])
      expect(await listOf(one)).toMatchObject([{ kind: 'follows', detail: 'launchedByTeam', title: 'Seguido' }]);
  });
});

describe('the channels of a notification', () => {
  it('include an immediate mail, with a link that turns its kind off without a session', async () => {
    const [ana, bob] = [await person(), await named('Bob_Mail')];
    await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    await app.as(ana).notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
    const id = await postOf(ana, 'Mi <b>');
    const { id: answer } = await comment(bob, id);
    const [mail] = await mailsTo(ana);
    expect(mail?.subject).toBe('Bob_Mail commented on your note “Mi <b>”.');
    expect(mail?.text).toContain(`/en/forum/${id}?notice=${(await listOf(ana))[0]?.id}#comment-${answer}`);
    expect(mail?.html).not.toContain('<b>');
    const link = new URL(mail?.unsubscribeUrl ?? '');
    const stop = (from: string) => app.http(link.pathname + link.search + from, { method: 'POST' });
    expect((await stop('')).status, 'a mail program').toBe(200);
    expect((await stop('&form=1')).headers.get('location')).toBe('/en/unsubscribe?done=1');
    const { kinds } = await app.as(ana).notifications.settings();
    expect(kinds.find(({ kind }) => kind === 'replies')?.mail).toBe('off');
    await comment(bob, id);
    expect((await mailsTo(ana)).length).toBe(1);
    expect((await listOf(ana)).length).toBe(2);
  });

  it('include one daily mail at nine in the morning of the reader’s time zone', async () => {
    app.setNow('2026-03-12T15:00:00.000Z');
    const [ana, bob] = [await person(), await named('Bob_Dia')];
    await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'daily', ...MAILED });
    await app.as(ana).notifications.setReader({ locale: 'es', zone: 'America/Mexico_City', quiet: null });
    const id = await postOf(ana, 'Diaria');
    await comment(bob, id);
    await comment(bob, id);
    app.setNow('2026-03-13T14:59:00.000Z');
    expect(await mailsTo(ana)).toEqual([]);
    app.setNow('2026-03-13T15:00:00.000Z');
    const [mail, ...others] = await mailsTo(ana);
    expect([mail?.subject, others]).toEqual(['2 avisos de Florka', []]);
    expect(mail?.text.match(/Bob_Dia ha comentado tu nota «Diaria»/g)?.length).toBe(2);
    app.pass(3 * 24 * 3_600_000);
    expect((await mailsTo(ana)).length).toBe(1);
  });

  it('wait for the end of quiet hours', async () => {
    app.setNow('2026-04-01T22:30:00.000Z');
    const ana = await person();
    await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    await app.as(ana).notifications.setReader({ locale: 'es', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
    await announce([ana], 'at night');
    expect(await mailsTo(ana)).toEqual([]);
    expect((await listOf(ana)).length).toBe(1);
    app.setNow('2026-04-02T06:59:00.000Z');
    expect(await mailsTo(ana)).toEqual([]);
    app.setNow('2026-04-02T07:00:00.000Z');
    expect((await mailsTo(ana)).length).toBe(1);
  });

  it('exclude mail when it was read or turned off before, or the mailbox is unconfirmed', async () => {
    const [read, off] = (await people(2)) as [Person, Person];
    const unproven = await app.member();
    for (const one of [read, off, unproven])
      await app.as(one).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    await announce([read, off, unproven], 'unwanted');
    await app.as(read).notifications.markRead({ ids: (await listOf(read)).map(({ id }) => id) });
    await app.as(off).notifications.setKind({ kind: 'replies', mail: 'off', ...MAILED });
    for (const one of [read, off, unproven]) expect(await mailsTo(one)).toEqual([]);
    // Dropped permanently, not postponed.
    await app.as(off).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    expect(await mailsTo(off)).toEqual([]);
  });

  it('exclude the list when that is off', async () => {
    const ana = await person();
    await app.as(ana).notifications.setKind({ kind: 'replies', inApp: false, mail: 'now', push: false });
    await announce([ana], 'mail only');
    expect(await listOf(ana)).toEqual([]);
    expect((await app.as(ana).notifications.unread()).unread).toBe(0);
    expect((await mailsTo(ana)).length).toBe(1);
  });

  it('exclude a second mail for kinds that have a mail of their own', async () => {
    const ana = await person();
    for (const kind of ['orders', 'decisions', 'security'] as const) {
      await app.as(ana).notifications.setKind({ kind, inApp: true, mail: 'now', push: true });
      await announce([ana], `own ${kind}`, kind);
    }
    expect(await mailsTo(ana)).toEqual([]);
    const { kinds } = await app.as(ana).notifications.settings();
    expect(kinds.map(({ kind }) => kind)).toEqual(notificationKind.options.filter((kind) => kind !== 'staff'));
    const admin = await app.as(await app.member({ role: 'admin' })).notifications.settings();
    expect(admin.kinds.map(({ kind }) => kind)).toEqual(notificationKind.options);
    expect(kinds.find(({ kind }) => kind === 'orders')?.mail).toBe('off');
  });

  it('cannot be set to unknown time zones or invalid hours', async () => {
    const me = app.as(await person()).notifications;
    for (const wrong of [
      { zone: 'Mars/Olympus', quiet: null },
      { zone: 'UTC', quiet: { from: 60, to: 60 } },
      { zone: 'UTC', quiet: { from: -1, to: 60 } },
    ])
      await expect(me.setReader({ locale: 'es', ...wrong })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the list', () => {
  it('contains one’s own notifications, is paginated by keys, and counts the unread ones', async () => {
    const [ana, bob] = [await person(), await person()];
    for (let n = 0; n < 5; n++) {
      app.pass(1_000);
      await announce([ana], `page ${n}`);
    }
    const me = app.as(ana).notifications;
    const first = await me.list({ limit: 2 });
    const second = await me.list({ limit: 2, cursor: first.nextCursor });
    const third = await me.list({ limit: 2, cursor: second.nextCursor });
    expect([first.items.length, second.items.length, third.items.length, third.nextCursor]).toEqual([2, 2, 1, null]);
    const ids = [...first.items, ...second.items, ...third.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect((await me.unread()).unread).toBe(5);
    expect(await app.as(bob).notifications.markRead({ ids })).toEqual({ unread: 0 });
    expect((await me.unread()).unread).toBe(5);
    expect(await me.markRead({ ids: ids.slice(0, 2) })).toEqual({ unread: 3 });
    const { at } = (await me.list({})).items[2] ?? { at: '' };
    await me.markRead({ until: at });
    expect((await me.unread()).unread).toBe(0);
    await expect(me.list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is read from an index without sorting', async () => {
    const plan = await app.services.db.transaction(async (tx) => {
      await tx.execute('set local enable_seqscan = off');
      return JSON.stringify(
        (
          await tx.execute(`explain select id from notifications n where n.user_id = '11111111-1111-4111-8111-111111111111'
            and n.in_app order by n.changed_at desc, n.id limit 21`)
        ).rows,
      );
    });
    expect(plan).toContain('notifications_list');
    expect(plan).not.toContain('Sort');
  });

  it('has live events for the member’s own connections only, without an id', async () => {
    const [ana, bob] = [await person(), await person()];
    const screens = await Promise.all([ana.cookie, bob.cookie, ''].map(openStream));
    const [hers] = screens;
    // Determines whose stream it is while it is open.
    for (let n = 1; n <= 100 && !hers?.received().includes('member.notified'); n++) {
      await announce([ana], `live ${n}`);
      await app.services.db.transaction((tx) => publishChange(tx, 'news'));
      for (const one of screens) await one.until((received) => received.split('"domain":"news"').length > n);
    }
    expect(screens.map((one) => one.received().includes('member.notified'))).toEqual([true, false, false]);
    expect(screens.some((one) => one.received().includes(ana.id))).toBe(false);
    for (const one of screens) await one.close();
  });
});

/** A screen's live stream, as text. */
async function openStream(cookie: string) {
  const response = await app.http('/live', { headers: { cookie } });
  const reader = response.body?.getReader();
  if (!reader) throw new Error('no stream');
  const decoder = new TextDecoder();
  let text = '';
  return {
    received: () => text,
    async until(fits: (received: string) => boolean): Promise<void> {
      while (!fits(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
    close: () => reader.cancel(),
  };
}
