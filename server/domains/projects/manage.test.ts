import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { TRASH } from '#server/jobs/upkeep/purge-trash.job.ts';
import { purgeTrash } from '#server/records/trash.ts';
import {
  admin,
  api,
  app,
  codes,
  entries,
  fetched,
  fields,
  home,
  make,
  row,
  theirs,
  web,
} from '#tests/fixtures/manage-projects.ts';
import { listenTo } from '#tests/support/app/test-app.ts';

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();

describe('the fields of a project', () => {
  it('have the documented defaults [A-PROJ-45..51] [A-PROJ-59] [A-PROJ-66]', async () => {
    const made = await api.create({
      tokenName: '  Ajolote \u202edlog ',
      tokenSymbol: ' axo ',
      tokenAddress: ' So11111111111111111111111 ',
      description: '   ',
      marketCap: '',
      contractAddress: '',
    });
    expect(made).toMatchObject({
      tokenName: 'Ajolote dlog',
      tokenSymbol: 'AXO',
      tokenSlug: 'ajolote-dlog',
      tokenAddress: 'So11111111111111111111111',
      contractAddress: 'So11111111111111111111111',
      description: null,
      marketCap: '$0',
      progressPercentage: 0,
      status: 'pending',
      orderIndex: 999,
      isFeatured: false,
      version: 1,
      createdAt: app.now.toISOString(),
    });
    expect(await row(made.id)).toMatchObject({ submitted_by_user_id: null });
    expect(await entries(made.id)).toMatchObject([{ action: 'project.created', after: { tokenSymbol: 'AXO' } }]);
  });

  it.each([
    ['tokenName', ''],
    ['tokenName', ' x '],
    ['tokenName', 'x'.repeat(121)],
    ['tokenSymbol', ' '],
    ['tokenSymbol', 'x'.repeat(11)],
    ['tokenAddress', 'too-short'],
    ['progressPercentage', -1],
    ['progressPercentage', 101],
    ['progressPercentage', 1.5],
    ['status', 'published'],
    ['orderIndex', -1],
    ['websiteUrl', 'javascript:alert(1)'],
    ['twitterUrl', 'ftp://x.example'],
    ['imageUrl', 'data:image/png;base64,AAAA'],
    ['imageUrl', '/media/../etc/passwd'],
    ['tokenSlug', 'mine'],
    ['submittedByUserId', '5b6c5a3e-0d0b-4b6e-9a55-000000000000'],
    ['adminEmail', 'admin@florka.test'],
  ])('refuse %s %j on creation and on change [A-PROJ-34..44] [AMB-35] [AMB-171]', async (name, value) => {
    const made = await make();
    const bad = { [name]: value } as never;
    await expect(api.create({ ...fields(), ...(bad as object) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api.update({ id: made.id, version: 1, ...(bad as object) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await row(made.id)).toMatchObject({ version: 1 });
  });

  it('refuse a name of invisible characters only', async () => {
    await expect(make({ tokenName: '\u200b\u200b\u200b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('have no token address of another live project [AMB-112] [ERR-58] [ERR-65]', async () => {
    const [one, two] = [await make(), await make()];
    const taken = { code: 'DUPLICATE', data: { fields: ['tokenAddress'] } };
    await expect(make({ tokenAddress: one.tokenAddress })).rejects.toMatchObject(taken);
    await expect(api.update({ id: two.id, version: 1, tokenAddress: one.tokenAddress })).rejects.toMatchObject(taken);
    // In the trash it is free for another project, and the deleted one cannot be restored then.
    await api.remove({ id: one.id, version: 1 });
    await make({ tokenAddress: one.tokenAddress });
    await expect(api.restore({ id: one.id })).rejects.toMatchObject(taken);
    // Solana addresses are case-sensitive.
    await make({ tokenAddress: one.tokenAddress.toUpperCase() });
  });

  it('get an unused slug, also when ten projects of one name are created at once [AMB-80]', async () => {
    await app.candidate({ token_slug: 'mismo-nombre' });
    const made = await Promise.all(Array.from({ length: 10 }, () => make({ tokenName: 'Mísmo  Nombre!' })));
    expect(new Set(made.map(({ tokenSlug }) => tokenSlug)).size).toBe(10);
    expect(made.map(({ tokenSlug }) => tokenSlug)).not.toContain('mismo-nombre');
    expect((await make({ tokenName: '月月', tokenSymbol: '月' })).tokenSlug).toMatch(/^token/);
    expect((await make({ tokenName: '月月', tokenSymbol: 'Yue' })).tokenSlug).toBe('yue');
  });
});

describe('a project in the back office', () => {
  it('notifies open pages when it is created, changed, deleted and restored [RT-01] [AMB-144]', async () => {
    const listening = listenTo(app.services);
    await listening.forget();
    const notified = () => listening.changes('projects');
    const { id } = await api.create(fields());
    await expect.poll(notified).toBe(1);
    await api.update({ id, version: 1, description: 'Other words' });
    await expect.poll(notified).toBe(2);
    await api.remove({ id, version: 2 });
    await expect.poll(notified).toBe(3);
    await api.restore({ id, resemblanceAccepted: true });
    await expect.poll(notified).toBe(4);
  });

  it('changes the named fields only, enters old and new values into the audit log, and notifies open pages [A-PROJ-68] [A-PROJ-76]', async () => {
    const made = await make({ description: 'Old', marketCap: '$1' });
    const liveEvents = listenTo(app.services);
    const changed = await api.update({ id: made.id, version: 1, description: 'New', marketCap: ' ' });
    expect(changed).toMatchObject({ description: 'New', marketCap: '$0', tokenName: made.tokenName, version: 2 });
    expect((await entries(made.id)).at(-1)).toEqual({
      action: 'project.updated',
      before: { description: 'Old', marketCap: '$1' },
      after: { description: 'New', marketCap: '$0' },
    });
    await liveEvents.changed('projects');
    // Links contain the slug: it does not change.
    expect((await api.update({ id: made.id, version: 2, tokenName: 'Renamed' })).tokenSlug).toBe(made.tokenSlug);
    expect(await api.update({ id: made.id, version: 3, tokenName: 'Renamed' })).toMatchObject({ version: 3 });
    expect(
      await api.update({ id: made.id, version: 3, tokenAddress: 'another-address', contractAddress: null }),
    ).toMatchObject({
      contractAddress: 'another-address',
    });
  });

  it('does not record a contract address that was empty and that the form sends empty', async () => {
    const made = await make({ description: 'Old' });
    await app.sql('update projects set contract_address = null where id = $1', [made.id]);
    const changed = await api.update({ id: made.id, version: 1, description: 'New', contractAddress: null });
    expect(changed).toMatchObject({ contractAddress: null, version: 2 });
    expect((await entries(made.id)).at(-1)).toEqual({
      action: 'project.updated',
      before: { description: 'Old' },
      after: { description: 'New' },
    });
    const { versions } = await app.as(admin).admin.editorial.versions({ kind: 'project', id: made.id });
    expect(versions[0]?.fields).toMatchObject({ description: 'New', contractAddress: null });
    expect(await api.update({ id: made.id, version: 2, contractAddress: null })).toMatchObject({ version: 2 });
  });

  it('refuses the second of two concurrent changes; an unknown one is not found [A-PROJ-69] [A-PROJ-70] [AMB-24]', async () => {
    const made = await make();
    const results = await Promise.allSettled([
      api.update({ id: made.id, version: 1, description: 'Mine' }),
      theirs.update({ id: made.id, version: 1, description: 'Theirs' }),
    ]);
    expect(codes(results)).toEqual(['VERSION_CONFLICT', 'ok']);
    expect(await row(made.id)).toMatchObject({ version: 2 });
    const gone = { code: 'NOT_FOUND', data: { what: 'project' } };
    const absent = '5b6c5a3e-0d0b-4b6e-9a55-000000000000';
    await expect(api.update({ id: absent, version: 1, description: 'x' })).rejects.toMatchObject(gone);
    await expect(api.remove({ id: absent, version: 1 })).rejects.toMatchObject(gone);
    await expect(api.setTop3({ id: absent, on: true })).rejects.toMatchObject(gone);
    await expect(api.restore({ id: absent })).rejects.toMatchObject(gone);
  });

  it('changes from any status to any other, and its visibility at once [A-PROJ-58]', async () => {
    const made = await make();
    const seen = async () => (await app.as().projects.list({ limit: 100 })).items.some(({ id }) => id === made.id);
    let version = 1;
    for (const [status, visible] of [
      ['published_home', true],
      ['rejected', false],
      ['approved', true],
      ['published_next', false],
      ['pending', false],
    ] as const) {
      await api.update({ id: made.id, version: version++, status });
      expect(await seen(), status).toBe(visible);
    }
  });
});

describe('access to projects and NEXT projects of the back office', () => {
  it('is for admins only: a refused action changes nothing [A-PROJ-67] [A-PROJ-78] [A-NEXT-56..59] [AMB-25]', async () => {
    const made = await home();
    const next = await app.as(admin).admin.nextProjects.create({ tokenName: 'Next', tokenSymbol: 'N' });
    const counted = async () =>
      (
        await app.sql(`select (select count(*) from projects) as projects, (select count(*) from next_projects) as next,
          (select count(*) from audit_events) as entries`)
      )[0];
    const member = await app.member({ role: 'moderator' });
    const before = await counted();
    for (const [person, code] of [
      [null, 'UNAUTHORIZED'],
      [member, 'FORBIDDEN'],
    ] as const) {
      const { projects, nextProjects } = app.as(person).admin;
      const seen = { id: made.id, version: 1 };
      for (const action of [
        () => projects.create(fields()),
        () => projects.update({ ...seen, tokenName: 'Mine' }),
        () => projects.setTop3({ id: made.id, on: true }),
        () => projects.remove(seen),
        () => nextProjects.create({ tokenName: 'Mine', tokenSymbol: 'M' }),
        () => nextProjects.update({ id: next.id, version: 1, tokenName: 'Mine' }),
        () => nextProjects.remove({ id: next.id, version: 1 }),
      ])
        await expect(action()).rejects.toMatchObject({ code });
    }
    expect(await counted()).toEqual(before);
    expect(await row(made.id)).toMatchObject({ version: 1, token_name: made.tokenName, order_index: 999 });
  });
});

describe('the trash of projects', () => {
  it('removes a project from public pages, restores it unchanged, and is emptied after 30 days', async () => {
    const made = await make({ status: 'approved', description: 'Wanted' });
    const visitor = app.as();
    await visitor.tokens.find({ slug: made.tokenSlug });
    await api.remove({ id: made.id, version: 1 });
    await expect(visitor.tokens.find({ slug: made.tokenSlug })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Also with an outdated version.
    for (const version of [1, 2])
      await expect(api.remove({ id: made.id, version })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const bin = await api.list({ shelf: 'trash', q: made.tokenName });
    expect(bin.rows).toMatchObject([{ id: made.id, deletedAt: app.now.toISOString() }]);
    expect((await api.list({ q: made.tokenName })).rows).toEqual([]);
    expect(await api.restore({ id: made.id, resemblanceAccepted: true })).toMatchObject({
      description: 'Wanted',
      deletedAt: null,
    });
    await visitor.tokens.find({ slug: made.tokenSlug });
    await api.remove({ id: made.id, version: 3 });
    await purgeTrash(
      { db: app.services.db, images: app.services.media },
      TRASH,
      new Date(app.now.getTime() + 30 * 86_400_000),
    );
    expect(await row(made.id)).toBeUndefined();
  });
});

describe('the list of projects in the back office', () => {
  it('searches without accents, filters, sorts, and exports without formulas that a spreadsheet would run [A-PROJ-65]', async () => {
    await make({ tokenName: 'Águila de Cuyo', adminNotes: '=cmd()' });
    await make({ tokenName: '000 first' });
    const young = await make({ tokenName: 'Zorro 100%', status: 'rejected' });
    expect((await api.list({ q: 'aguila' })).rows.map(({ tokenName }) => tokenName)).toEqual(['Águila de Cuyo']);
    expect((await api.list({ q: '100%' })).rows.map(({ id }) => id)).toEqual([young.id]);
    expect((await api.list({ q: young.tokenAddress })).total).toBe(1);
    expect((await api.list({ status: 'rejected', q: 'zorro' })).total).toBe(1);
    const names = (await api.list({ sort: 'tokenName', size: 1_000 })).rows.map(({ tokenName }) => tokenName);
    expect(names[0]).toBe('000 first');
    await app.sql(`update projects set created_at = now() + interval '1 day' where id = $1`, [young.id]);
    const newest = (await api.list({ sort: '-createdAt', size: 1_000 })).rows.map(({ createdAt }) => createdAt);
    expect(newest).toEqual(newest.toSorted().toReversed());
    expect((await api.list({ sort: '-createdAt', size: 1 })).rows[0]?.id).toBe(young.id);
    const csv = await app.http('/api/admin/projects.csv?q=aguila', { headers: { cookie: admin.cookie } });
    const text = await csv.text();
    expect(text.trim().split('\r\n')).toHaveLength(2);
    expect(text).toContain("'=cmd()");
  });

  it('is for admins only, and so is its export [A-PROJ-65]', async () => {
    for (const [person, code, status] of [
      [null, 'UNAUTHORIZED', 401],
      [await app.member(), 'FORBIDDEN', 403],
      [await app.member({ role: 'moderator' }), 'FORBIDDEN', 403],
    ] as const) {
      await expect(app.as(person).admin.projects.list({})).rejects.toMatchObject({ code });
      const headers = { cookie: person?.cookie ?? '' };
      expect((await app.http('/api/admin/projects.csv', { headers })).status).toBe(status);
    }
  });
});

describe('the image of a project [A-PROJ-21] [MEDIA-09]', () => {
  const media = async (url: string | null) =>
    (
      await app.sql<{ status: string; deleted_at: Date | null; bucket: string; owner_user_id: string }>(
        'select status, deleted_at, bucket, owner_user_id from media where $1 like $2 || name || $3',
        [url, '/media/', '.webp'],
      )
    )[0];
  const upload = async () => {
    const answer = await app.http('/uploads?bucket=project-images', {
      method: 'POST',
      headers: { 'content-type': 'image/png', cookie: admin.cookie },
      body: new Uint8Array(png),
    });
    return ((await answer.json()) as { url: string }).url;
  };

  it('can be an upload, which is marked as used; the image that it replaces is deleted [MEDIA-10] [AMB-200]', async () => {
    const [first, second] = [await upload(), await upload()];
    const made = await make({ imageUrl: first });
    expect(made.imageUrl).toBe(first);
    expect(await media(first)).toMatchObject({ status: 'used', deleted_at: null });
    await api.update({ id: made.id, version: 1, imageUrl: second });
    expect(await media(first)).toMatchObject({ deleted_at: app.now });
    expect(await media(second)).toMatchObject({ status: 'used', deleted_at: null });
    await api.update({ id: made.id, version: 2, imageUrl: null });
    expect(await media(second)).toMatchObject({ deleted_at: app.now });
    await expect(make({ imageUrl: `/media/${'0'.repeat(32)}.webp` })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { what: 'image' },
    });
  });

  it('can be an address elsewhere, of which we store our own copy [AMB-35]', async () => {
    web.set('https://elsewhere.example/luna.png', png);
    const made = await make({ imageUrl: ' https://elsewhere.example/luna.png ' });
    expect(made.imageUrl).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/);
    expect(await media(made.imageUrl)).toMatchObject({
      status: 'used',
      bucket: 'project-images',
      owner_user_id: admin.id,
    });
    expect((await app.http(made.imageUrl ?? '')).headers.get('content-type')).toBe('image/webp');
    // Saving the same address again fetches nothing.
    const before = fetched.length;
    await api.update({ id: made.id, version: 1, imageUrl: made.imageUrl, description: 'x' });
    expect(fetched).toHaveLength(before);
  });

  it('of an old record keeps its address elsewhere when it is saved unchanged', async () => {
    const { id } = await app.project({ image_url: 'https://old.example/a.png' });
    const before = fetched.length;
    const stored = await api.update({ id, version: 1, imageUrl: 'https://old.example/a.png', description: 'x' });
    expect(stored.imageUrl).toBe('https://old.example/a.png');
    expect(fetched).toHaveLength(before);
  });

  it('that cannot be fetched is refused with the reason, and nothing is changed', async () => {
    const made = await make();
    web.set('https://elsewhere.example/page.html', Buffer.from('<html>'));
    web.set('https://elsewhere.example/broken.png', png.subarray(0, 40));
    for (const [imageUrl, why] of [
      ['https://nowhere.example/a.png', 'unreachable'],
      ['https://elsewhere.example/page.html', 'type'],
      ['https://elsewhere.example/broken.png', 'refused'],
    ] as const) {
      const refused = { code: 'IMAGE_NOT_FETCHED', status: 422, data: { why } };
      await expect(api.update({ id: made.id, version: 1, imageUrl, description: 'x' })).rejects.toMatchObject(refused);
      await expect(make({ imageUrl })).rejects.toMatchObject(refused);
    }
    expect(await row(made.id)).toMatchObject({ version: 1, description: null });
  });

  it('that was copied for a save that failed is deleted by the cleanup', async () => {
    web.set('https://elsewhere.example/lost.png', png);
    const made = await make();
    await api.update({ id: made.id, version: 1, description: 'x' });
    const late = api.update({ id: made.id, version: 1, imageUrl: 'https://elsewhere.example/lost.png' });
    await expect(late).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    const temporary = () =>
      app.sql(`select 1 from media where deleted_at is null and status = 'temporary' and bucket = 'project-images'`);
    expect(await temporary()).toHaveLength(1);
    await app.services.media.clean({ now: new Date(app.now.getTime() + 3 * 86_400_000), deletedOnly: false });
    expect(await temporary()).toHaveLength(0);
  });
});
