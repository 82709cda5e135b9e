import { describe, expect, it } from 'vitest';
import { MANY_FOUND } from '#contract/limits.ts';
import { deliverMail, queueMail } from '#server/mail/mail.ts';
import type { MailData, MailTemplate } from '#server/mail/templates.ts';
import { admin, api, app } from '#tests/fixtures/admin.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

describe('inbox', () => {
  it('lists open work and since when it waits, and lets one person claim an item', async () => {
    const other = await app.member({ role: 'admin' });
    const waiting = await app.member();
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = '2026-03-01' where user_id = $1`,
      [waiting.id],
    );
    await app.sql(
      `insert into project_submissions (submitter_name, project_data) values ('Ana', '{"projectName": "Luna"}')`,
    );
    const { items, counts } = await api.admin.inbox.list({});
    expect(counts).toMatchObject({ moderator: 1, submission: 1, payment: 0, report: 0 });
    expect(items[0]).toMatchObject({
      source: 'moderator',
      id: waiting.id,
      title: waiting.username,
      since: '2026-03-01T00:00:00.000Z',
      owner: null,
    });
    expect(items).toContainEqual(expect.objectContaining({ source: 'submission', title: 'Luna' }));
    const item = { source: 'moderator' as const, id: waiting.id };
    const results = await Promise.allSettled([api.admin.inbox.take(item), app.as(other).admin.inbox.take(item)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'TAKEN' } });
    await api.admin.inbox.release(item);
    await api.admin.inbox.take(item);
    expect((await api.admin.inbox.list({ mine: 'yes' })).items).toMatchObject([{ owner: { id: admin.id } }]);
    const counted = await api.admin.dashboard.counts();
    expect(counted.inboxFree).toBe((counted.inbox ?? 0) - 1);
    // Items are not closed: they end with their cause.
    await app.sql(`update user_roles set moderator_request_status = 'approved' where user_id = $1`, [waiting.id]);
    expect((await api.admin.inbox.list({ mine: 'yes' })).items).toEqual([]);
    await expect(api.admin.inbox.take(item)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('counts items up to a thousand, and beyond that reports only that there are more', async () => {
    const before = await api.admin.dashboard.counts();
    await app.sql(
      `insert into project_submissions (submitter_name, project_data, created_at)
       select 'Many ' || n, '{}', '2026-01-01'::timestamptz + n * interval '1 second' from generate_series(1, $1::int) n`,
      [MANY_FOUND - 1],
    );
    const counted = async () => {
      const [inbox, { counts, items }] = [await api.admin.dashboard.counts(), await api.admin.inbox.list({})];
      expect(await api.admin.inbox.counts()).toEqual(counts);
      return { submission: counts.submission, all: inbox.inbox, free: inbox.inboxFree, listed: items.length };
    };
    const known = (await counted()).submission ?? 0;
    const others = (before.inbox ?? 0) - (known - MANY_FOUND + 1);
    expect(known).toBeLessThanOrEqual(MANY_FOUND + 1);
    await app.sql(`delete from project_submissions where submitter_name not like 'Many %'`);
    expect(await counted()).toMatchObject({ submission: MANY_FOUND - 1, all: others + MANY_FOUND - 1 });
    // Claimed items are included; the unclaimed ones have a count of their own.
    await app.sql(
      `insert into inbox_owners (source, item_id, owner_id) select 'submission', id::text, $1 from project_submissions
       where submitter_name in ('Many 1', 'Many 2')`,
      [admin.id],
    );
    const { all, free } = await counted();
    expect((all ?? 0) - (free ?? 0)).toBe(2 + (before.inbox ?? 0) - (before.inboxFree ?? 0));
    await app.sql(
      `insert into project_submissions (submitter_name, project_data) select 'Many more ' || n, '{}' from generate_series(1, 50) n`,
    );
    expect((await counted()).submission).toBe(MANY_FOUND + 1);
    // The oldest are listed, claimed or not.
    expect((await api.admin.inbox.list({ source: 'submission' })).items.map(({ details }) => details[0])).toEqual(
      Array.from({ length: 200 }, (_, i) => `Many ${i + 1}`),
    );
    const listed = (await api.admin.inbox.list({})).items.filter(({ source }) => source === 'submission');
    expect(listed.map(({ details }) => details[0])).toEqual(Array.from({ length: 50 }, (_, i) => `Many ${i + 1}`));
    await app.sql(`delete from project_submissions where submitter_name like 'Many %'`);
  });

  it('lists reported texts until they are kept or hidden', async () => {
    const [author, first, second] = [await app.member(), await app.member(), await app.member()];
    const post = await app.as(author).forum.create({ title: 'Buy now', content: 'Send me your seed phrase' });
    const reported = { what: 'post' as const, id: post.id };
    await app.as(first).forum.report({ ...reported, reason: 'scam', note: 'asks for keys' });
    await app.as(second).forum.report({ ...reported, reason: 'spam' });
    await expect(app.as(first).forum.report({ ...reported, reason: 'spam' })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
    await expect(app.as().forum.report({ ...reported, reason: 'spam' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    const { items } = await api.admin.inbox.list({ source: 'report' });
    expect(items).toMatchObject([{ id: post.id, title: 'Buy now', details: ['post', '2', 'scam', 'spam'] }]);
    await api.admin.inbox.resolveReport({ id: post.id, decision: 'hidden', ...REMOVAL_REASON, reason: 'estafa' });
    expect((await api.admin.inbox.list({ source: 'report' })).items).toEqual([]);
    await expect(app.as().forum.post({ id: post.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.admin.audit.list({ resourceId: post.id })).rows[0]).toMatchObject({
      action: 'post.report_hidden',
      reason: 'estafa',
      after: { reports: 2 },
    });
    await expect(api.admin.inbox.resolveReport({ id: post.id, decision: 'kept' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('lists each reported text once, by its oldest open report, also when reports have the same time', async () => {
    const reporters = (await app.members(4)).map(({ id }) => id);
    const texts: { id: string; post: string | null; comment: string | null }[] = [];
    for (const title of ['Late', 'Early', 'Settled']) {
      const [post] = await app.sql<{ id: string }>(
        `insert into forum_posts (title, content) values ($1, 'c') returning id`,
        [title],
      );
      const [comment] = await app.sql<{ id: string }>(
        `insert into forum_comments (post_id, content) values ($1, $2) returning id`,
        [post?.id, title],
      );
      texts.push({ id: post?.id ?? '', post: post?.id ?? '', comment: null });
      texts.push({ id: comment?.id ?? '', post: null, comment: comment?.id ?? '' });
    }
    const at = (minutes: number) => new Date(app.now.getTime() - minutes * 60_000);
    // Index of the text above, the ages of its open reports in minutes, and those of its resolved ones.
    const reports: [place: number, minutes: number[], resolved?: number[]][] = [
      [0, [10, 10, 10]],
      [1, [20, 5], [60]],
      [2, [40, 40]],
      [3, [30]],
      [4, [], [90, 80]],
    ];
    for (const [place, open, resolved = []] of reports)
      for (const [i, minutes] of [...open, ...resolved].entries())
        await app.sql(
          `insert into forum_reports (post_id, comment_id, reporter_id, reason, created_at, resolved_at, resolution, text_created_at)
           values ($1, $2, $3, 'spam', $4, $5, $6, $4)`,
          [
            texts[place]?.post,
            texts[place]?.comment,
            reporters[i],
            at(minutes),
            i < open.length ? null : app.now,
            i < open.length ? null : 'kept',
          ],
        );
    const { items, counts } = await api.admin.inbox.list({ source: 'report' });
    expect(items.map(({ id, since, details }) => [id, since, details])).toEqual([
      [texts[2]?.id, at(40).toISOString(), ['post', '2', 'spam']],
      [texts[3]?.id, at(30).toISOString(), ['comment', '1', 'spam']],
      [texts[1]?.id, at(20).toISOString(), ['comment', '2', 'spam']],
      [texts[0]?.id, at(10).toISOString(), ['post', '3', 'spam']],
    ]);
    expect(counts.report).toBe(4);
    await app.sql('delete from forum_reports');
  });

  it('dates the low balance of a network from the first report of the signer, not the latest', async () => {
    await app.worker('ethereum');
    const item = async () => (await api.admin.inbox.list({ source: 'chain' })).items[0];
    const report = (state: string) => app.sql('update signer_workers set state = $1, seen_at = now()', [state]);
    expect(await item()).toBeUndefined();
    await report('low_balance');
    expect(await item()).toMatchObject({ id: 'ethereum', details: ['low_balance'] });
    const since = '2026-03-01T00:00:00.000Z';
    await app.sql('update signer_workers set state_since = $1', [since]);
    await report('low_balance');
    expect(await item()).toMatchObject({ since });
    await report('cap_reached');
    expect(await item()).not.toMatchObject({ since });
    await app.sql('delete from signer_workers');
  });

  it('lists failed jobs, and retries or discards them', async () => {
    await app.services.jobs.start();
    const fail = async () => {
      await app.services.db.transaction((tx) => app.services.jobs.enqueue(tx, 'fetch-payment', { eventId: 0 }));
      await app.sql(`update jobs.job set state = 'failed', completed_on = now(), output = '{"message": "no route"}'
        where name = 'fetch-payment'`);
    };
    await fail();
    const [job] = (await api.admin.inbox.list({ source: 'job' })).items;
    expect(job).toMatchObject({ title: 'fetch-payment', details: ['no route'] });
    await api.admin.inbox.settleJob({ id: job?.id ?? '', decision: 'retry' });
    expect((await api.admin.inbox.list({ source: 'job' })).items).toEqual([]);
    expect(await app.sql('select state from jobs.job where id = $1', [job?.id])).toEqual([{ state: 'retry' }]);
    await app.sql(`update jobs.job set state = 'failed' where id = $1`, [job?.id]);
    await api.admin.inbox.settleJob({ id: job?.id ?? '', decision: 'discard' });
    expect(await app.sql('select state from jobs.job where id = $1', [job?.id])).toEqual([]);
    await expect(api.admin.inbox.settleJob({ id: job?.id ?? '', decision: 'retry' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('sends a failed mail when an admin retries it, and deletes it when they discard it', async () => {
    /** A mail whose attempts all failed, in the state of the queue and the mail's own table. */
    const given = async <T extends MailTemplate>(template: T, data: MailData[T]) => {
      const mailId = await app.services.db.transaction((tx) =>
        queueMail(tx, app.services.jobs, { to: 'ana@florka.test', locale: 'es', template, data }),
      );
      await expect(
        deliverMail(
          app.services.db,
          { target: '', kind: 'smtp', close: () => {}, send: () => Promise.reject(new Error('no route')) },
          mailId,
          {
            publicUrl: 'https://florka.test',
            secret: app.secret,
            site: app.services.settings.site(),
            supportEmail: null,
            now: app.now,
            last: true,
          },
        ),
      ).rejects.toThrow('no route');
      const [job] = await app.sql<{ id: string }>(
        `update jobs.job set state = 'failed', completed_on = now(), retry_count = retry_limit,
           output = '{"message": "no route"}' where data ->> 'mailId' = $1 returning id`,
        [mailId],
      );
      return { mailId, id: job?.id ?? '' };
    };
    const mail = (mailId: string) => app.sql('select status, data from mails where id = $1', [mailId]);
    const item = async (id: string) =>
      (await api.admin.inbox.list({ source: 'job' })).items.find((one) => one.id === id);
    const later = new Date(Date.now() + 86_400_000).toISOString();

    const link = await given('resetPassword', { path: '/reset?token=kept', until: later });
    await api.admin.inbox.settleJob({ id: link.id, decision: 'retry' });
    await app.deliverMails();
    expect(app.mails.at(-1)?.text).toContain('/reset?token=kept');
    expect(await mail(link.mailId)).toEqual([{ status: 'sent', data: {} }]);

    const ended = await given('signInCode', { code: '123456', until: later });
    expect((await item(ended.id))?.details).toEqual(['no route']);
    await app.sql(`update mails set data = jsonb_set(data, '{until}', '"2020-01-01T00:00:00.000Z"') where id = $1`, [
      ended.mailId,
    ]);
    expect((await item(ended.id))?.details).toEqual(['no route', 'mail_expired']);
    await expect(api.admin.inbox.settleJob({ id: ended.id, decision: 'retry' })).rejects.toMatchObject({
      code: 'MAIL_EXPIRED',
    });
    await api.admin.inbox.settleJob({ id: ended.id, decision: 'discard' });
    expect(await mail(ended.mailId)).toEqual([]);
    expect(await item(ended.id)).toBeUndefined();
  });
});
