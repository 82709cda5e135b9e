import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

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

describe('submissions in the back office', () => {
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

  it('can get any status, store notes, and take the time of review from the server [A-SUB-19] [A-SUB-20] [A-SUB-21] [SEC-24] [AMB-194]', async () => {
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

  it('are reviewed by one of two admins at once; the other gets a conflict with what was saved', async () => {
    const id = await sent();
    const other = await app.member({ role: 'admin' });
    const answers = await Promise.allSettled([
      api.review({ id, version: 1, status: 'approved', adminNotes: 'sí' }),
      app.as(other).admin.submissions.review({ id, version: 1, status: 'rejected', adminNotes: 'no' }),
    ]);
    const lost = answers.filter((one) => one.status === 'rejected');
    expect(lost).toHaveLength(1);
    const stored = await api.read({ id });
    expect(stored.version).toBe(2);
    expect(lost[0]?.reason).toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { status: stored.status, adminNotes: stored.adminNotes }, by: expect.any(String) },
    });
    expect(await app.sql(`select 1 from audit_events where resource_id = $1`, [id])).toHaveLength(1);
  });

  it('return the project data as stored, also when it is missing or has no fields [A-SUB-13..15]', async () => {
    expect((await api.read({ id: await sent({ data: null }) })).projectData).toBeNull();
    expect((await api.read({ id: await sent({ data: '"<b>x' + '</b>"' }) })).projectData).toBe('<b>x</b>');
  });

  it('mail each decision to the applicant once, in their language, with the reason and the private link', async () => {
    const made = await app.as(null, { address: '198.51.100.77' }).submissions.create({
      projectName: 'Ajolote',
      symbol: 'AJO',
      description: 'Un token de lago.',
      submitterName: 'Ana',
      submitterEmail: 'ana.decision@florka.test',
      locale: 'en',
    });
    const { id } = made;
    await app.deliverMails();
    const mailsOf = async () =>
      (await app.deliverMails()).filter(({ to }) => to === 'ana.decision@florka.test').slice(1);
    const page = () => app.as(null).submissions.read({ id, key: made.key });

    // No mail before a decision; a prepared answer is not shown either.
    await api.review({ id, version: 1, status: 'reviewed', adminNotes: 'x', answer: 'Nearly.' });
    expect(await mailsOf()).toEqual([]);
    expect((await page()).answer).toBeNull();

    await api.review({ id, version: 2, status: 'rejected', adminNotes: 'secret', answer: 'No logo.\nNo site.' });
    const [rejected] = await mailsOf();
    expect(rejected).toMatchObject({ subject: `Your request ${made.reference} was not approved` });
    expect(rejected?.text).toContain('What the team says:\nNo logo.\nNo site.');
    expect(rejected?.text).toContain(`/submission/${id}#`);
    for (const part of [rejected?.text, rejected?.html]) expect(part).not.toMatch(/secret|Ajolote/);
    expect(await page()).toMatchObject({ status: 'rejected', answer: 'No logo.\nNo site.' });
    expect(JSON.stringify(await page())).not.toContain('secret');

    // An equal decision is not mailed again; another text or another decision is.
    await api.review({ id, version: 3, status: 'rejected', adminNotes: 'still' });
    expect(await mailsOf()).toHaveLength(1);
    await api.review({ id, version: 4, status: 'rejected', adminNotes: 'still', answer: 'No logo.' });
    expect(await mailsOf()).toHaveLength(2);
    await api.review({ id, version: 5, status: 'approved', adminNotes: '', answer: '' });
    const approved = (await mailsOf())[2];
    expect(approved).toMatchObject({ subject: `Your request ${made.reference} is approved` });
    expect(approved?.text).not.toContain('What the team says');
    await api.review({ id, version: 6, status: 'new', adminNotes: '' });
    expect(await mailsOf()).toHaveLength(3);
  });

  it('do not repeat the answer of one decision with another; an answer prepared before the decision is sent', async () => {
    const id = await sent({ email: 'otra.decision@florka.test' });
    const newest = async () =>
      (await app.deliverMails()).filter(({ to }) => to === 'otra.decision@florka.test').at(-1)?.text ?? '';
    await api.review({ id, version: 1, status: 'reviewed', adminNotes: '', answer: 'Falta el logo.' });
    await api.review({ id, version: 2, status: 'rejected', adminNotes: '' });
    expect(await newest()).toContain('Falta el logo.');
    const published = await api.publish({
      id,
      version: 3,
      as: 'next_project',
      adminNotes: '',
      answer: 'Falta el logo.',
    });
    expect(published.answer).toBe('');
    expect(await newest()).toContain('Hemos aprobado');
    expect(await newest()).not.toContain('Falta el logo.');
  });

  it('without a mailbox are decided without a mail; two concurrent decisions send one', async () => {
    const silent = await sent({ email: null });
    const before = (await app.deliverMails()).length;
    await api.review({ id: silent, version: 1, status: 'approved', adminNotes: '', answer: 'Sí' });
    expect(await app.deliverMails()).toHaveLength(before);
    const id = await sent();
    const decide = (status: 'approved' | 'rejected') => api.review({ id, version: 1, status, adminNotes: '' });
    await Promise.allSettled([decide('approved'), decide('rejected'), decide('approved')]);
    expect(await app.deliverMails()).toHaveLength(before + 1);
  });

  it('become a pending project or NEXT project and are approved in one step', async () => {
    const data = {
      projectName: 'Cenote',
      symbol: 'cen',
      network: 'solana',
      address: 'So11111111111111111111111111111111111111112',
      description: 'Agua.',
      websiteUrl: 'https://example.org/',
      telegramUrl: '',
      twitterUrl: '',
      discordUrl: '',
      imageUrl: '',
    };
    const id = await sent({ data: JSON.stringify(data) });
    const other = await sent({ data: JSON.stringify(data) });
    const mails = (await app.deliverMails()).length;
    const done = await api.publish({ id, version: 1, as: 'project', adminNotes: 'nota', answer: '¡Bienvenidos!' });
    expect(done).toMatchObject({
      status: 'approved',
      adminNotes: 'nota',
      answer: '¡Bienvenidos!',
      version: 2,
      withImage: true,
      made: { as: 'project', name: 'Cenote' },
    });
    expect((await app.deliverMails()).slice(mails).map(({ text }) => text.includes('¡Bienvenidos!'))).toEqual([true]);
    const [project] = await app.sql('select * from projects where id = $1', [done.made?.id]);
    expect(project).toMatchObject({
      token_symbol: 'CEN',
      token_address: data.address,
      contract_address: data.address,
      status: 'pending',
      market_cap: '$0',
      website_url: 'https://example.org/',
      submitted_by_user_id: null,
      admin_notes: null,
    });
    const entries = await app.sql<{ action: string }>(
      'select action from audit_events where resource_id = any($1) order by id',
      [[id, done.made?.id]],
    );
    expect(entries.map(({ action }) => action)).toEqual(['submission.published', 'project.created']);

    // A submission is published once; another one with the same address is refused, and stays unchanged.
    await expect(
      api.publish({ id, version: 2, as: 'next_project', adminNotes: '', resemblanceAccepted: true }),
    ).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
    await expect(api.publish({ id: other, version: 1, as: 'project', adminNotes: '' })).rejects.toMatchObject({
      code: 'DUPLICATE',
    });
    expect(await api.read({ id: other })).toMatchObject({ status: 'new', made: null, version: 1 });
    const next = await api.publish({
      id: other,
      version: 1,
      as: 'next_project',
      adminNotes: '',
      resemblanceAccepted: true,
    });
    expect(next.made).toMatchObject({ as: 'next_project', name: 'Cenote' });
    expect(await app.sql('select status, is_active from next_projects where id = $1', [next.made?.id])).toEqual([
      { status: 'pending', is_active: true },
    ]);
    // When the project is deleted permanently, the submission may become one again.
    await app.sql('delete from next_projects where id = $1', [next.made?.id]);
    expect((await api.read({ id: other })).made).toBeNull();
  });

  it('pass on their network, unless it has no market data', async () => {
    const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const DOGE = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
    const networkOf = async (as: 'project' | 'next_project', network: string, address: string) => {
      const data = { projectName: `Red ${++serial}`, symbol: `RED${serial}`, network, address };
      const id = await sent({ data: JSON.stringify(data) });
      const { made } = await api.publish({ id, version: 1, as, adminNotes: '', resemblanceAccepted: true });
      const table = as === 'project' ? 'projects' : 'next_projects';
      const [row] = await app.sql<{ network: string | null }>(`select network from ${table} where id = $1`, [made?.id]);
      return row?.network;
    };
    expect(await networkOf('project', 'ethereum', EVM)).toBe('ethereum');
    expect(await networkOf('next_project', 'ethereum', EVM)).toBe('ethereum');
    expect(await networkOf('project', 'dogechain', DOGE)).toBeNull();
  });

  it('become one project when two admins publish at once, and none when another admin decided before', async () => {
    const other = app.as(await app.member({ role: 'admin' })).admin.submissions;
    const count = async () => (await app.sql<{ n: number }>('select count(*)::int as n from next_projects'))[0]?.n ?? 0;
    const id = await sent();
    const before = await count();
    const input = { id, version: 1, as: 'next_project' as const, resemblanceAccepted: true, adminNotes: '' };
    const answers = await Promise.allSettled([api.publish(input), other.publish(input), api.publish(input)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await count()).toBe(before + 1);

    const late = await sent();
    await other.review({ id: late, version: 1, status: 'rejected', adminNotes: 'no' });
    await expect(api.publish({ ...input, id: late })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await count()).toBe(before + 1);
  });

  it('without a field that a project needs are refused with its name; an image that cannot be fetched is left out', async () => {
    const bare = await sent({ data: JSON.stringify({ projectName: 'Kiosco', symbol: 'KIO', address: '' }) });
    await expect(api.publish({ id: bare, version: 1, as: 'project', adminNotes: '' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: ['tokenAddress'] }] },
    });
    const nothing = await sent({ data: null });
    await expect(
      api.publish({ id: nothing, version: 1, as: 'next_project', adminNotes: '', resemblanceAccepted: true }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect((await api.read({ id: bare })).status).toBe('new');
    const faraway = await sent({
      data: JSON.stringify({ projectName: 'Lejos', symbol: 'LEJ', imageUrl: 'https://127.0.0.1/logo.png' }),
    });
    const done = await api.publish({
      id: faraway,
      version: 1,
      as: 'next_project',
      adminNotes: '',
      resemblanceAccepted: true,
    });
    expect(done).toMatchObject({ withImage: false, status: 'approved' });
    expect(await app.sql('select image_url from next_projects where id = $1', [done.made?.id])).toEqual([
      { image_url: null },
    ]);
  });

  it('are published as accepted: links with a scheme in capitals, tickers that are longer in capitals', async () => {
    const key = `${++serial}`;
    const sent = { projectName: `Straße ${key}`, symbol: 'ßßßßßßßßßß', description: 'Un lago.', submitterName: 'Ana' };
    const { id } = await app.as(null, { address: `10.77.${key}.1` }).submissions.create({
      ...sent,
      submitterEmail: `ana${key}@florka.test`,
      network: 'solana',
      address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      websiteUrl: 'HTTPS://EXAMPLE.ORG/A',
    });
    const input = { id, version: 1, as: 'project' as const, adminNotes: '', resemblanceAccepted: true };
    const { made } = await api.publish(input);
    expect(await app.sql('select token_symbol, website_url from projects where id = $1', [made?.id])).toEqual([
      { token_symbol: 'ßßßßßßßßßß', website_url: 'HTTPS://EXAMPLE.ORG/A' },
    ]);
  });

  it('are measured as they are stored: a character that normalization makes two counts as two', async () => {
    const twice = '\u0958';
    expect(twice.normalize('NFC')).toHaveLength(2);
    for (const [field, length] of [
      ['projectName', 61],
      ['symbol', 6],
      ['description', 2_501],
    ] as const) {
      const fields = { projectName: 'Lago', symbol: 'LAG', description: 'Un lago.', submitterName: 'Ana' };
      await expect(
        app.as(null, { address: `10.78.${length % 250}.1` }).submissions.create({
          ...fields,
          submitterEmail: 'eva@florka.test',
          [field]: twice.repeat(length),
        }),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path: [field] }] } });
    }
  });

  it('pass on their image, which remains while either uses it', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fa0' } })
      .png()
      .toBuffer();
    const claim = 'c'.repeat(43);
    const uploaded = await app.http('/uploads?bucket=token-images', {
      method: 'POST',
      headers: { 'content-type': 'image/png', 'x-claim': claim, 'x-forwarded-for': '198.51.100.78' },
      body: new Uint8Array(png),
    });
    expect(uploaded.status).toBe(201);
    const { url } = (await uploaded.json()) as { url: string };
    const { id } = await app.as(null, { address: '198.51.100.78' }).submissions.create({
      projectName: 'Con imagen',
      symbol: 'IMG',
      description: 'x',
      submitterName: 'Ana',
      submitterEmail: 'imagen@florka.test',
      imageUrl: url,
      claim,
    });
    const { made, withImage } = await api.publish({
      id,
      version: 1,
      as: 'next_project',
      adminNotes: '',
      resemblanceAccepted: true,
    });
    expect(withImage).toBe(true);
    expect(await app.sql('select image_url from next_projects where id = $1', [made?.id])).toEqual([
      { image_url: url },
    ]);
    const { nextProjects } = app.as(admin).admin;
    await nextProjects.update({ id: made?.id ?? '', version: 1, imageUrl: null });
    expect((await app.http(url)).status).toBe(200);
  });

  it('are not found by an unknown id, and refuse an unknown status', async () => {
    const gone = { id: '5b6c5a3e-0d0b-4b6e-9a55-000000000000', version: 1, adminNotes: '' };
    await expect(api.read({ id: gone.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.review({ ...gone, status: 'new' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.review({ ...gone, status: 'done' as never })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api.review({ ...gone, status: 'new', reviewedAt: 'x' } as never)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('are for admins only, and are in the inbox while they are new', async () => {
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
