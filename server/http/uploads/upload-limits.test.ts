import { describe, expect, it } from 'vitest';
import { UPLOAD_LIMITS } from '#contract/domains/media.ts';
import { app, codeOf, filesOf, keep, png, type Sent, upload } from '#tests/fixtures/uploads.ts';

async function draft(): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    "insert into token_creation_submissions (edit_secret_hash) values ('\\x00') returning id",
  );
  return row?.id ?? '';
}

describe('the rate limit of uploads', () => {
  it('is ten per minute and account', async () => {
    const person = await app.member();
    for (let i = 0; i < UPLOAD_LIMITS.minute.hits; i++) expect((await upload('no image', { person })).status).toBe(415);
    const refused = await upload(png, { person });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: expect.any(Number) } });
    expect((await upload(png, { person: await app.member() })).status).toBe(201);
    app.pass(60_001);
    expect((await upload(png, { person })).status).toBe(201);
  });

  it('is ten per minute for all guests of one address', async () => {
    app.pass(120_000);
    const drafts = [await draft(), await draft()];
    for (let i = 0; i < UPLOAD_LIMITS.minute.hits; i++)
      expect((await upload('no image', { headers: { 'x-test-draft': drafts[i % 2] ?? '' } })).status).toBe(415);
    expect((await upload(png, { headers: { 'x-test-draft': drafts[0] ?? '' } })).status).toBe(429);
    app.pass(120_000);
  });
});

describe('a guest with a draft', () => {
  const asGuest = (id: string): Sent => ({ headers: { 'x-test-draft': id } });

  it('has at most three files, and a removed one frees its place', async () => {
    app.pass(120_000);
    const id = await draft();
    for (let i = 0; i < 3; i++) expect((await upload(png, asGuest(id))).status).toBe(201);
    const [row] = await app.sql('select owner_user_id, owner_draft_id from media where owner_draft_id = $1', [id]);
    expect(row).toEqual({ owner_user_id: null, owner_draft_id: id });
    const before = await filesOf();
    expect(await codeOf(await upload(png, asGuest(id)))).toBe('409 DRAFT_FULL');
    expect(await filesOf()).toEqual(before);
    await app.sql(
      'update media set deleted_at = now() where id = (select id from media where owner_draft_id = $1 limit 1)',
      [id],
    );
    expect((await upload(png, asGuest(id))).status).toBe(201);
  });

  it('has at most three files also with four concurrent uploads', async () => {
    app.pass(120_000);
    const id = await draft();
    const before = await filesOf();
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(png, asGuest(id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
    const held = await app.sql('select name from media where owner_draft_id = $1', [id]);
    expect(held).toHaveLength(3);
    // The fourth was encoded and written, and then removed.
    expect(await filesOf()).toHaveLength(before.length + 15);
  });

  it('has at most 15 MB', async () => {
    app.pass(120_000);
    const id = await draft();
    await upload(png, asGuest(id));
    await app.sql('update media set bytes = $2 where owner_draft_id = $1', [id, 15 * 1024 * 1024 - png.length]);
    expect((await upload(png, asGuest(id))).status).toBe(201);
    await app.sql('delete from media where id = (select id from media where owner_draft_id = $1 and bytes < 1000000)', [
      id,
    ]);
    await app.sql('update media set bytes = bytes + 1 where owner_draft_id = $1', [id]);
    expect(await codeOf(await upload(png, asGuest(id)))).toBe('409 DRAFT_FULL');
  });

  it('uploads for a token only, and only into a draft that exists', async () => {
    app.pass(120_000);
    const id = await draft();
    for (const bucket of ['project-images', 'voting-candidate-images'])
      expect(await codeOf(await upload(png, { ...asGuest(id), bucket }))).toBe('400 BUCKET');
    expect(await codeOf(await upload(png, asGuest('11111111-1111-4111-8111-111111111111')))).toBe('401 UNAUTHORIZED');
  });

  it('counts as a member when signed in: the image belongs to both', async () => {
    const [person, id] = [await app.member(), await draft()];
    const { id: image } = await keep(png, { person, ...asGuest(id) });
    expect(await app.sql('select owner_user_id, owner_draft_id from media where id = $1', [image])).toEqual([
      { owner_user_id: person.id, owner_draft_id: id },
    ]);
  });
});
