import { beforeEach, expect, it } from 'vitest';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { notify } from './notify.service.ts';
import { signStop } from './unsubscribe-tokens.service.ts';

const app = await startTestApp();
const MAILED = { inApp: true, push: false } as const;
// Rate limits of writing are not tested here.
beforeEach(() => app.pass(120_000));

const person = () => app.member({ verified: true });
const named = async (username: string) => {
  const one = await person();
  await app.sql('update forum_users set username = $2 where id = $1', [one.id, username]);
  return one;
};
const postOf = async (one: Person) => (await app.as(one).forum.create({ title: 'Una nota', content: 'Algo' })).id;
const comment = async (one: Person, postId: string, content = `Respuesta ${Math.random()}`) => {
  app.pass(120_000);
  return app.as(one).forum.comment({ postId, content });
};
const mailsTo = async ({ email }: Person) => (await app.deliverMails()).filter(({ to }) => to === email);
const stop = (claim: string[]) => app.http(`/unsubscribe?token=${signStop(app.secret, claim)}`, { method: 'POST' });
const announce = (to: Person, cause: string) =>
  app.services.db.transaction((tx) =>
    notify(tx, { kind: 'replies', detail: 'comment', cause, to: [to], data: { title: 'Algo' }, now: app.now }),
  );

it('nothing is sent when the text that caused it was removed before, or its author was muted', async () => {
  const [ana, bob, eva] = [await named('Ana_Avisada'), await person(), await named('Eva_Muda')];
  for (const kind of ['replies', 'mentions', 'reactions'] as const)
    await app.as(ana).notifications.setKind({ kind, mail: 'now', ...MAILED });
  const id = await postOf(ana);
  const answer = await comment(bob, id);
  const mention = await comment(bob, id, 'Hola @Ana_Avisada');
  await app.as(bob).forum.deleteComment({ id: answer.id });
  await app.sql('update forum_comments set is_hidden = true where id = $1', [mention.id]);
  for (const on of [true, false]) await app.as(bob).forum.react({ postId: id, emojiType: 'like', on });
  await comment(eva, id);
  await app.as(ana).profiles.restrict({ name: 'Eva_Muda', level: 'mute' });
  expect(await mailsTo(ana)).toEqual([]);
  await comment(bob, id);
  expect((await mailsTo(ana)).length).toBe(1);
});

it('queued mails are sent at once when a setting is changed that ends quiet hours or the daily mail', async () => {
  app.setNow('2026-04-03T22:30:00.000Z');
  const ana = await person();
  const me = app.as(ana).notifications;
  await me.setKind({ kind: 'replies', mail: 'now', ...MAILED });
  await me.setReader({ locale: 'es', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
  await announce(ana, 'before the change');
  expect(await mailsTo(ana)).toEqual([]);
  await me.setReader({ locale: 'es', zone: 'UTC', quiet: null });
  expect((await mailsTo(ana)).length).toBe(1);
  await me.setKind({ kind: 'replies', mail: 'daily', ...MAILED });
  await announce(ana, 'of the day');
  expect((await mailsTo(ana)).length).toBe(1);
  await me.setKind({ kind: 'replies', mail: 'now', ...MAILED });
  expect((await mailsTo(ana)).length).toBe(2);
});

it('an unsubscribe link also cancels the queued mails of its kind, and no others', async () => {
  const [ana, bob] = [await person(), await person()];
  for (const one of [ana, bob]) {
    await app.as(one).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
    await announce(one, 'queued');
  }
  // Queued and not sent, as while the mail server is unavailable.
  await app.deliverNotifications();
  expect((await stop([bob.id, 'notifications', 'rounds'])).status).toBe(200);
  for (let n = 0; n < 2; n++) expect((await stop([ana.id, 'notifications', 'replies'])).status).toBe(200);
  expect([(await mailsTo(ana)).length, (await mailsTo(bob)).length]).toEqual([0, 1]);
});

it('the unsubscribe link of a daily mail cancels a queued one, turning a kind off its queued mails', async () => {
  app.setNow('2026-04-02T10:00:00.000Z');
  const [ana, bob] = [await person(), await person()];
  await app.as(ana).notifications.setKind({ kind: 'replies', mail: 'daily', ...MAILED });
  await app.as(bob).notifications.setKind({ kind: 'replies', mail: 'now', ...MAILED });
  for (const one of [ana, bob]) await announce(one, 'of yesterday');
  app.pass(2 * 86_400_000);
  await app.deliverNotifications();
  await stop([ana.id, 'notifications', 'all']);
  await app.as(bob).notifications.setKind({ kind: 'replies', mail: 'off', ...MAILED });
  expect([(await mailsTo(ana)).length, (await mailsTo(bob)).length]).toEqual([0, 0]);
});

it('one daily mail contains everything that is due, and counts only what is still unread', async () => {
  app.setNow('2026-04-05T10:00:00.000Z');
  const ana = await person();
  const me = app.as(ana).notifications;
  await me.setKind({ kind: 'replies', mail: 'daily', ...MAILED });
  await me.setReader({ locale: 'en', zone: 'UTC', quiet: null });
  for (let n = 0; n < 130; n++) {
    app.pass(1_000);
    await announce(ana, `many ${n}`);
  }
  // The two newest are not among the hundred that are read first.
  const { items } = await me.list({ limit: 2 });
  await me.markRead({ ids: items.map(({ id }) => id) });
  app.setNow('2026-04-06T09:00:00.000Z');
  const [mail, ...others] = await mailsTo(ana);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('128 notifications from Florka');
  expect(mail?.text).toContain('And 108 more.');
  app.pass(24 * 3_600_000);
  expect((await mailsTo(ana)).length).toBe(1);
});

it('a daily mail lists or counts each notification of the day, also behind many that are only pushed', async () => {
  app.setNow('2026-04-08T20:00:00.000Z');
  const ana = await person();
  const me = app.as(ana).notifications;
  await me.setKind({ kind: 'mentions', mail: 'daily', ...MAILED });
  await me.setKind({ kind: 'replies', mail: 'off', inApp: true, push: true, telegram: true });
  await me.setReader({ locale: 'en', zone: 'UTC', quiet: { from: 20 * 60, to: 8 * 60 } });
  await app.sql(
    `insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
     select $1, id, 'https://push.test/waiting', 'AA', 'AA', $2 from sessions where user_id = $1 limit 1`,
    [ana.id, app.now],
  );
  const mention = (n: number) =>
    app.services.db.transaction((tx) =>
      notify(tx, {
        kind: 'mentions',
        detail: 'comment',
        cause: `mention ${n}`,
        to: [ana],
        data: { title: `Mention ${n}` },
        now: app.now,
      }),
    );
  for (let n = 0; n < 131; n++) {
    app.pass(1_000);
    if (n < 3 || n >= 123) await mention(n);
    else await announce(ana, `push ${n}`);
  }
  const [{ pushes } = {}] = await app.sql(
    `select count(*)::int as pushes from notification_deliveries d join notifications n on n.id = d.notification_id
     where n.user_id = $1 and d.channel = 'push' and n.kind = 'replies'`,
    [ana.id],
  );
  expect(pushes).toBe(120);
  // Without a subscription, no push has to be sent.
  await app.sql('delete from push_subscriptions where user_id = $1', [ana.id]);
  app.setNow('2026-04-09T09:00:00.000Z');
  const [mail, ...others] = await mailsTo(ana);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('11 notifications from Florka');
  expect(mail?.text.match(/Mention \d+/g)).toEqual(
    [0, 1, 2, 123, 124, 125, 126, 127, 128, 129, 130].map((n) => `Mention ${n}`),
  );
  expect(mail?.text).not.toMatch(/And \d+ more/);
});
