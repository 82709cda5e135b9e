import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/test-app.ts';

const app = await startTestApp();
let serial = 0;
const guest = () => app.as(null, { address: `10.5.${++serial}.1` });
const FORM = {
  projectName: 'Luna',
  symbol: 'LUN',
  description: 'Una luna.',
  submitterName: 'Ana',
  submitterEmail: 'ana@florka.test',
};

describe('asking for a publication [AMB-82]', () => {
  it('reaches the admins’ queue, with a reference and a private status page', async () => {
    const api = guest();
    const made = await api.submissions.create({
      ...FORM,
      network: 'solana',
      websiteUrl: 'https://luna.test/',
      twitterUrl: 'javascript:alert(1)',
    });
    expect(made.reference).toMatch(/^PR-[0-9A-Z]{10}$/);
    const [row] = await app.sql('select * from project_submissions where id = $1', [made.id]);
    expect(row).toMatchObject({
      submitter_name: 'Ana',
      submitter_email: 'ana@florka.test',
      status: 'new',
      reviewed_at: null,
      project_data: {
        projectName: 'Luna',
        symbol: 'LUN',
        network: 'solana',
        address: '',
        description: 'Una luna.',
        websiteUrl: 'https://luna.test/',
        telegramUrl: '',
        twitterUrl: '',
        discordUrl: '',
        imageUrl: '',
      },
    });
    const seen = await app.as().submissions.read({ id: made.id, key: made.key });
    expect(seen).toEqual({
      id: made.id,
      reference: made.reference,
      status: 'new',
      projectName: 'Luna',
      symbol: 'LUN',
      createdAt: made.createdAt,
      reviewedAt: null,
    });
    await app.sql("update project_submissions set status = 'approved', reviewed_at = $2 where id = $1", [
      made.id,
      app.now,
    ]);
    expect(await app.as().submissions.read({ id: made.id, key: made.key })).toMatchObject({ status: 'approved' });
    expect(
      await app.sql("select after from audit_events where action = 'submission.created' and resource_id = $1", [
        made.id,
      ]),
    ).toEqual([{ after: { reference: made.reference, project: 'Luna' } }]);
  });

  it('is nobody else’s', async () => {
    const [one, two] = [await guest().submissions.create(FORM), await guest().submissions.create(FORM)];
    for (const key of [two.key, 'x'.repeat(43), `${one.key}x`])
      await expect(app.as().submissions.read({ id: one.id, key })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    { projectName: '' },
    { projectName: '\u200b\u200b' },
    { submitterEmail: 'a b@c.de' },
    { submitterEmail: 'ana' },
    { description: ' ' },
    { symbol: 'ELEVENSIGNS' },
    { status: 'approved' },
    { admin_notes: 'x' },
  ])('refuses %j', async (over) => {
    const response = await app.post('/rpc/submissions/create', { json: { ...FORM, ...over } });
    expect(response.status).toBe(400);
  });

  it('takes five an hour from one address', async () => {
    const api = app.as(null, { address: '10.6.0.1' });
    for (let i = 0; i < 5; i++) await api.submissions.create(FORM);
    app.pass(61_000);
    await expect(api.submissions.create(FORM)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('can be turned off by the operator', async () => {
    expect(await app.as().submissions.state()).toEqual({ open: true });
    await app.sql("insert into settings (key, value) values ('publicSubmissions', 'false')");
    expect(await app.as().submissions.state()).toEqual({ open: false });
    await expect(guest().submissions.create(FORM)).rejects.toMatchObject({ code: 'SUBMISSIONS_CLOSED' });
    await app.sql("update settings set value = 'true' where key = 'publicSubmissions'");
    expect((await guest().submissions.create(FORM)).reference).toBeTruthy();
  });
});
