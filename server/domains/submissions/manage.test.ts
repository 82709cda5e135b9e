import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/test-app.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const api = app.as(admin).admin.submissions;

let serial = 0;
async function sent(over: Record<string, unknown> = {}) {
  const key = `${++serial}`;
  const [row] = await app.sql<{ id: string }>(
    `insert into project_submissions (submitter_name, submitter_email, status, project_data, reference, created_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [
      'name' in over ? over['name'] : `Persona ${key}`,
      'email' in over ? over['email'] : `persona${key}@florka.test`,
      over['status'] ?? 'new',
      'data' in over ? over['data'] : JSON.stringify({ projectName: `Proyecto ${key}`, symbol: 'PRO' }),
      `PR-${key.padStart(10, '0')}`,
      over['at'] ?? app.now,
    ],
  );
  return row?.id ?? '';
}

describe('requests for publication in the back office', () => {
  it('are listed newest first, found by words without accents, and filtered by status [A-SUB-01] [A-SUB-23]', async () => {
    const old = await sent({ name: 'Ángela', at: '2026-01-01T00:00:00Z' });
    const young = await sent({ name: null, email: null, at: '2026-02-01T00:00:00Z', status: 'rejected' });
    const { rows, total } = await api.list({ sort: '-createdAt' });
    expect(rows.map(({ id }) => id)).toEqual([young, old]);
    expect(total).toBe(2);
    expect(rows[0]).toMatchObject({ submitterName: null, submitterEmail: null, status: 'rejected' });
    expect((await api.list({ q: 'angela' })).rows.map(({ id }) => id)).toEqual([old]);
    expect((await api.list({ q: '100%' })).rows).toEqual([]);
    expect((await api.list({ status: 'rejected' })).rows.map(({ id }) => id)).toEqual([young]);
    const csv = await app.http('/api/admin/submissions.csv?status=rejected', { headers: { cookie: admin.cookie } });
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(2);
  });

  it('take any status at any time, keep the notes, and stamp the review with the server’s clock [A-SUB-19] [A-SUB-20] [A-SUB-21] [AMB-194]', async () => {
    const id = await sent();
    const first = await api.review({ id, version: 1, status: 'approved', adminNotes: '  Buen equipo.\u202e ' });
    expect(first).toMatchObject({
      status: 'approved',
      adminNotes: 'Buen equipo.',
      reviewedAt: app.now.toISOString(),
      version: 2,
    });
    app.pass(60_000);
    const back = await api.review({ id, version: 2, status: 'new', adminNotes: '' });
    expect(back).toMatchObject({ status: 'new', adminNotes: '', reviewedAt: app.now.toISOString() });
    const [entry] = await app.sql(
      `select action, actor_id, before, after from audit_events where resource_id = $1 order by id limit 1`,
      [id],
    );
    expect(entry).toMatchObject({
      action: 'submission.reviewed',
      actor_id: admin.id,
      before: { status: 'new' },
      after: { status: 'approved', adminNotes: 'Buen equipo.' },
    });
  });

  it('never lose the answer of a colleague: of two at once one is told what the other saved', async () => {
    const id = await sent();
    const other = await app.member({ role: 'admin' });
    const answers = await Promise.allSettled([
      api.review({ id, version: 1, status: 'approved', adminNotes: 'sí' }),
      app.as(other).admin.submissions.review({ id, version: 1, status: 'rejected', adminNotes: 'no' }),
    ]);
    const lost = answers.filter((one) => one.status === 'rejected');
    expect(lost).toHaveLength(1);
    const kept = await api.read({ id });
    expect(kept.version).toBe(2);
    expect(lost[0]?.reason).toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { status: kept.status, adminNotes: kept.adminNotes }, by: expect.any(String) },
    });
    expect(await app.sql(`select 1 from audit_events where resource_id = $1`, [id])).toHaveLength(1);
  });

  it('hand out the project data as it is stored, also when it is none or nonsense [A-SUB-13..15]', async () => {
    expect((await api.read({ id: await sent({ data: null }) })).projectData).toBeNull();
    expect((await api.read({ id: await sent({ data: '"<b>x' + '</b>"' }) })).projectData).toBe('<b>x</b>');
  });

  it('answer for what is not there, and refuse what is no status', async () => {
    const gone = { id: '5b6c5a3e-0d0b-4b6e-9a55-000000000000', version: 1, adminNotes: '' };
    await expect(api.read({ id: gone.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.review({ ...gone, status: 'new' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.review({ ...gone, status: 'done' as never })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api.review({ ...gone, status: 'new', reviewedAt: 'x' } as never)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('are for admins only, and show in the inbox while they are new', async () => {
    const id = await sent();
    for (const role of ['user', 'moderator'] as const) {
      const { submissions } = app.as(await app.member({ role })).admin;
      await expect(submissions.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(submissions.read({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(submissions.review({ id, version: 1, status: 'approved', adminNotes: '' })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    const waiting = async () =>
      (await app.as(admin).admin.inbox.list({ source: 'submission' })).items.map((item) => item.id);
    expect(await waiting()).toContain(id);
    await api.review({ id, version: 1, status: 'reviewed', adminNotes: '' });
    expect(await waiting()).not.toContain(id);
  });
});
