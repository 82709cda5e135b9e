import { describe, expect, it } from 'vitest';
import { signStop } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { notifyLaunches } from './launches.service.ts';
import { notifyFollowers } from './notices.service.ts';

const app = await startTestApp();

let serial = 0;

/** A member who saved a NEXT project and enabled mails about it. */
async function follower(options: { verified: boolean }) {
  const [ana] = await app.members(1, { verified: options.verified });
  if (!ana) throw new Error('no member');
  const next = await app.nextProject();
  const { api } = app.browser({ person: ana });
  await api.saved.set({ kind: 'next', id: next.id, saved: true });
  await api.saved.setNotice({ kind: 'next', id: next.id, on: true, locale: 'en' });
  return { ana, api, ref: { kind: 'next', id: next.id } as const };
}

const announce = (ref: { kind: 'next'; id: string }) =>
  app.services.db.transaction((tx) =>
    notifyFollowers(tx, ref, {
      now: app.now,
      of: String(++serial),
      name: 'Ajolote <b>',
      news: 'dateChanged',
      path: `/token/${ref.id}`,
    }),
  );

describe('notices about saved tokens [AMB-72]', () => {
  it('reach followers with a verified mailbox, in their language, with a link that unsubscribes', async () => {
    const { ana, api, ref } = await follower({ verified: true });
    expect(await api.saved.notices()).toEqual([ref]);
    expect(await announce(ref)).toBe(1);
    const mail = (await app.deliverMails()).find(({ to }) => to === ana.email);
    expect(mail).toMatchObject({ subject: 'News of Ajolote <b>' });
    expect(mail?.text).toContain('The launch date of Ajolote <b> has changed.');
    expect(mail?.html).toContain('Ajolote &lt;b&gt;');
    expect(mail?.html).not.toContain('<b>');

    // The links of the mail are in its language.
    expect(mail?.text).toContain(`/en/token/${ref.id}?notice=`);
    const link = new URL(mail?.unsubscribeUrl ?? '');
    expect(link.pathname).toBe('/en/unsubscribe');
    const answer = await app.http(link.pathname + link.search, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    // A mail program must not be redirected.
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await api.saved.notices()).toEqual([]);
    expect(await announce(ref)).toBe(0);
  });

  it('are not sent when the unsubscribe link was used while they were queued', async () => {
    const [{ ana, ref }, other] = [await follower({ verified: true }), await follower({ verified: true })];
    for (const one of [ref, other.ref]) await announce(one);
    await app.deliverNotifications();
    await app.http(`/unsubscribe?token=${signStop(app.secret, [ana.id, ref.kind, ref.id])}`, { method: 'POST' });
    const reached = (await app.deliverMails()).map(({ to }) => to);
    expect([reached.includes(ana.email), reached.includes(other.ana.email)]).toEqual([false, true]);
  });

  type Follower = Awaited<ReturnType<typeof follower>>;
  it.each<[string, (one: Follower) => Promise<unknown>]>([
    ['they were turned off', ({ api, ref }) => api.saved.setNotice({ ...ref, on: false })],
    ['the token was removed from the saved ones', ({ api, ref }) => api.saved.set({ ...ref, saved: false })],
  ])('are not sent when %s while they were queued', async (_, act) => {
    const one = await follower({ verified: true });
    const other = await app.nextProject();
    await one.api.saved.set({ kind: 'next', id: other.id, saved: true });
    await one.api.saved.setNotice({ kind: 'next', id: other.id, on: true, locale: 'en' });
    for (const ref of [one.ref, { kind: 'next' as const, id: other.id }]) await announce(ref);
    await app.deliverNotifications();
    await act(one);
    const mails = (await app.deliverMails()).filter(({ to }) => to === one.ana.email);
    expect(mails.map(({ text }) => text.includes(one.ref.id))).toEqual([false]);
  });

  it('do not go to unverified mailboxes', async () => {
    const { ref } = await follower({ verified: false });
    expect(await announce(ref)).toBe(0);
  });

  it('are not sent when the change is rolled back', async () => {
    const { ref } = await follower({ verified: true });
    const before = await app.sql('select count(*)::int as n from mails');
    await app.services.db
      .transaction(async (tx) => {
        await notifyFollowers(tx, ref, {
          now: app.now,
          of: String(++serial),
          name: 'X',
          news: 'launched',
          path: '/',
        });
        throw new Error('no');
      })
      .catch(() => {});
    expect(await app.sql('select count(*)::int as n from mails')).toEqual(before);
  });

  it.each(['', 'x', 'x.y', `${Buffer.from('[]').toString('base64url')}.`])(
    'refuse the forged link %j',
    async (token) => {
      expect((await app.http(`/unsubscribe?token=${token}`, { method: 'POST' })).status).toBe(400);
      const form = await app.http(`/unsubscribe?token=${token}&form=1`, { method: 'POST' });
      expect(form.headers.get('location')).toBe('/unsubscribe?unknown=1');
    },
  );

  it('belong to their owner: one’s link does not stop another’s, and only a saved token can be followed', async () => {
    const { ana, ref } = await follower({ verified: true });
    const [bob] = await app.members(1);
    await expect(
      app.browser({ person: bob }).api.saved.setNotice({ kind: 'next', id: ref.id, on: true }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const token = signStop(app.secret, [bob?.id ?? '', ref.kind, ref.id]);
    await app.http(`/unsubscribe?token=${token}`, { method: 'POST' });
    expect(await app.browser({ person: ana }).api.saved.notices()).toEqual([ref]);
  });
});

describe('launches of NEXT projects [AMB-72]', () => {
  const notify = () => notifyLaunches({ db: app.services.db, now: app.now });
  const subjectsAndWords = async (to: string) =>
    (await app.deliverMails())
      .filter((mail) => mail.to === to)
      .map(
        ({ text }) =>
          /has a launch date|no launch date|The launch date|The announced hour|The team says|is proven|a test chain/.exec(
            text,
          )?.[0],
      );
  const inHours = (hours: number) => new Date(app.now.getTime() + hours * 3_600_000);

  it('are announced when their time changes and when they are due, once each, also after a change in SQL', async () => {
    const { ana, ref } = await follower({ verified: true });
    await notify();
    expect(await subjectsAndWords(ana.email)).toEqual([]);
    await app.sql('update next_projects set launch_date = $2 where id = $1', [ref.id, inHours(5)]);
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    await app.sql('update next_projects set countdown_end = $2 where id = $1', [ref.id, inHours(7)]);
    const both = await Promise.all([notify(), notify()]);
    expect(both.toSorted()).toEqual([0, 1]);
    // Both can have the same time, in any order.
    expect((await subjectsAndWords(ana.email)).toSorted()).toEqual(['The launch date', 'has a launch date']);
    app.pass(7 * 3_600_000 - 1);
    expect(await notify()).toBe(0);
    app.pass(1);
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    expect((await subjectsAndWords(ana.email)).at(-1)).toBe('The announced hour');
  });

  it('are announced when an admin sets them to launched early, and when they are postponed again', async () => {
    const { ana, ref } = await follower({ verified: true });
    await app.sql("update next_projects set status = 'launched' where id = $1", [ref.id]);
    expect(await notify()).toBe(1);
    await app.sql("update next_projects set status = 'published', launch_date = $2 where id = $1", [
      ref.id,
      inHours(9),
    ]);
    expect(await notify()).toBe(1);
    expect((await subjectsAndWords(ana.email)).sort()).toEqual(['The team says', 'has a launch date']);
  });

  it('are announced once when their date is removed, and when they get one again', async () => {
    const { ana, ref } = await follower({ verified: true });
    const setDate = (at: Date | null) =>
      app.sql('update next_projects set launch_date = $2 where id = $1', [ref.id, at]);
    await setDate(inHours(5));
    await notify();
    await setDate(null);
    expect((await Promise.all([notify(), notify()])).toSorted()).toEqual([0, 1]);
    await setDate(inHours(6));
    expect(await notify()).toBe(1);
    expect((await subjectsAndWords(ana.email)).toSorted()).toEqual([
      'has a launch date',
      'has a launch date',
      'no launch date',
    ]);
    const { items } = await app.as(ana).notifications.list({});
    expect(items.map(({ detail }) => detail).toSorted()).toEqual(['dateSet', 'dateSet', 'dateWithdrawn']);
  });

  it('are announced once more when a chain proves them, not before their time', async () => {
    const { ana, ref } = await follower({ verified: true });
    const { id } = await app.as(null, { address: '10.68.2.1' }).tokenRequests.create({ data: COMPLETE });
    const { address } = await createdToken(app, id);
    await app.sql("update next_projects set launch_date = $2, contract_address = $3, network = 'bnb' where id = $1", [
      ref.id,
      inHours(2),
      address,
    ]);
    expect(await notify()).toBe(1);
    app.pass(2 * 3_600_000);
    expect(await notify()).toBe(2);
    expect(await notify()).toBe(0);
    expect((await subjectsAndWords(ana.email)).sort()).toEqual([
      'The announced hour',
      'a test chain',
      'has a launch date',
    ]);
    // A proof on a chain with real value supersedes one on a test chain.
    const { id: real } = await app.as(null, { address: '10.68.2.2' }).tokenRequests.create({ data: COMPLETE });
    const made = await createdToken(app, real, { simulation: false });
    await app.sql('update next_projects set contract_address = $2 where id = $1', [ref.id, made.address]);
    expect((await Promise.all([notify(), notify()])).toSorted()).toEqual([0, 1]);
    expect(await notify()).toBe(0);
    expect((await subjectsAndWords(ana.email)).slice(3)).toEqual(['is proven']);
    // Postponed and due again: the time is announced again, the proof is not.
    await app.sql('update next_projects set launch_date = $2 where id = $1', [ref.id, inHours(1)]);
    expect(await notify()).toBe(1);
    app.pass(3_600_000);
    expect(await notify()).toBe(1);
    expect((await subjectsAndWords(ana.email)).slice(4)).toEqual(['The launch date', 'The announced hour']);
  });

  it('are announced although those of another project fail, which are retried', async () => {
    const [one, two] = [await follower({ verified: true }), await follower({ verified: true })];
    const [stuck, other] = one.ref.id < two.ref.id ? [one, two] : [two, one];
    for (const { ref } of [stuck, other])
      await app.sql('update next_projects set launch_date = $2 where id = $1', [ref.id, inHours(5)]);
    await app.sql(`create function not_told() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$`);
    await app.sql(`create trigger not_told before update on next_projects for each row
      when (old.id = '${stuck.ref.id}') execute function not_told()`);
    await expect(notify()).rejects.toThrow('1 projects could not be notified of');
    expect(await subjectsAndWords(other.ana.email)).toEqual(['has a launch date']);
    await app.sql('drop trigger not_told on next_projects');
    expect(await notify()).toBe(1);
    expect(await subjectsAndWords(stuck.ana.email)).toEqual(['has a launch date']);
  });

  it('are not announced while the project is not public', async () => {
    const { ana, ref } = await follower({ verified: true });
    await app.sql('update next_projects set is_active = false, launch_date = $2 where id = $1', [ref.id, inHours(1)]);
    expect(await notify()).toBe(0);
    expect(await subjectsAndWords(ana.email)).toEqual([]);
  });

  it('are preceded by a notice that a followed candidate won its round [AMB-72]', async () => {
    const ana = await app.member({ verified: true });
    const { id } = await app.candidate({ token_name: 'Colibrí' });
    const { api } = app.browser({ person: ana });
    await api.saved.set({ kind: 'candidate', id, saved: true });
    await api.saved.setNotice({ kind: 'candidate', id, on: true, locale: 'en' });
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, opens_at, closes_at, status, winner_candidate_id)
       values (77, $1, $2, 'closed', $3) returning id`,
      [inHours(-24), inHours(-1), id],
    );
    await app.nextProject({ voting_round_id: round?.id, is_voting_winner: true });
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    const mails = (await app.deliverMails()).filter(({ to }) => to === ana.email);
    expect(mails.map(({ text }) => text.includes('Colibrí won the vote'))).toEqual([true]);
  });
});

describe('a mail about a saved token that waits for the end of quiet hours [AMB-72]', () => {
  const night = '2030-04-01T02:00:00.000Z';
  const morning = '2030-04-01T09:00:00.000Z';
  const stopLink = (member: string, { kind, id }: { kind: string; id: string }) =>
    app.http(`/unsubscribe?token=${signStop(app.secret, [member, kind, id])}`, { method: 'POST' });

  async function duringQuietHours() {
    app.setNow(night);
    const one = await follower({ verified: true });
    await one.api.notifications.setReader({ locale: 'en', zone: 'UTC', quiet: { from: 22 * 60, to: 8 * 60 } });
    expect(await announce(one.ref)).toBe(1);
    const mails = async () => (await app.deliverMails()).filter(({ to }) => to === one.ana.email);
    expect(await mails()).toEqual([]);
    return { ...one, mails };
  }
  type QuietFollower = Awaited<ReturnType<typeof duringQuietHours>>;

  it.each<[string, number, (one: QuietFollower) => Promise<unknown>]>([
    ['is sent after them', 1, async () => {}],
    ['is not sent when the link of an earlier mail was used', 0, ({ ana, ref }) => stopLink(ana.id, ref)],
    ['is not sent when its notices were turned off', 0, ({ api, ref }) => api.saved.setNotice({ ...ref, on: false })],
    ['is not sent when the token is not saved any more', 0, ({ api, ref }) => api.saved.set({ ...ref, saved: false })],
    [
      'is sent when the notices of another token were stopped',
      1,
      async ({ ana }) => stopLink(ana.id, { kind: 'next', id: (await app.nextProject()).id }),
    ],
    [
      'is sent when its notices were turned off and on again',
      1,
      async ({ api, ref }) => {
        await api.saved.setNotice({ ...ref, on: false });
        await api.saved.setNotice({ ...ref, on: true });
      },
    ],
  ])('%s', async (_, expected, act) => {
    const one = await duringQuietHours();
    await act(one);
    app.setNow(morning);
    expect((await one.mails()).length).toBe(expected);
  });

  it('is left out of the daily mail and its count after an unsubscribe, also beyond the first batch', async () => {
    app.setNow(night);
    const { ana, api, ref } = await follower({ verified: true });
    const kept = await app.nextProject();
    await api.saved.set({ kind: 'next', id: kept.id, saved: true });
    await api.saved.setNotice({ kind: 'next', id: kept.id, on: true, locale: 'en' });
    await api.notifications.setKind({ kind: 'follows', inApp: true, mail: 'daily', push: false });
    await api.notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
    // Those of the stopped token are the newest, so that they are beyond the hundred that are read first.
    for (let n = 0; n < 101; n++) await announce({ kind: 'next', id: kept.id });
    app.pass(1_000);
    for (let n = 0; n < 3; n++) await announce(ref);
    await stopLink(ana.id, ref);
    app.setNow('2030-04-02T09:00:00.000Z');
    const mails = (await app.deliverMails()).filter(({ to }) => to === ana.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['101 notifications from Florka']);
  });
});
