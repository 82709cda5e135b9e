import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  added,
  admin,
  app,
  balanced,
  candidates,
  entries,
  nextSerial,
  rounds,
  UNKNOWN_ID,
  voted,
} from '#tests/fixtures/votes/manage-voting.ts';
import { findMiscounts, recountVotes } from './manage-votes.service.ts';

/** Uploads an image for candidates. @returns its URL */
async function uploaded(): Promise<string> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const answer = await app.http('/uploads?bucket=voting-candidate-images', {
    method: 'POST',
    headers: { 'content-type': 'image/png', cookie: admin.cookie },
    body: new Uint8Array(png),
  });
  return ((await answer.json()) as { url: string }).url;
}

describe('candidates in the back office', () => {
  it('are created with name, symbol, description, image and order, and can be voted for at once [A-VOTE-08] [A-VOTE-11] [AMB-123] [AMB-124]', async () => {
    const imageUrl = await uploaded();
    expect(imageUrl).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/);
    const made = await added({
      tokenName: ' Ñandú\u202e  Coin ',
      tokenSymbol: 'ñan',
      description: 'Corre.',
      imageUrl,
      orderIndex: 7,
    });
    expect(made).toMatchObject({
      tokenName: 'Ñandú Coin',
      tokenSymbol: 'ÑAN',
      tokenSlug: 'nandu-coin',
      description: 'Corre.',
      imageUrl,
      orderIndex: 7,
      isActive: true,
      totalVotes: 0,
      version: 1,
    });
    expect((await added({ tokenName: 'Ñandú Coin' })).tokenSlug).toBe('nandu-coin-2');
    await app.project({ token_slug: 'zorro' });
    expect((await added({ tokenName: 'Zorro' })).tokenSlug).toBe('zorro-2');
    expect((await added({ tokenName: '月' })).tokenSlug).toBe('token');
    for (const wrong of [
      { tokenName: ' ' },
      { tokenSymbol: '' },
      { tokenSymbol: 'ELEVENCHARS' },
      { adminEmail: 'a@b.c' },
    ])
      await expect(added(wrong as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(added({ tokenName: '\u202e' })).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    const { items } = await app.as(null).voting.ranking({});
    expect(items.find(({ id }) => id === made.id)).toMatchObject({ tokenName: 'Ñandú Coin', imageUrl });
    expect(
      await app.sql(`select status, deleted_at from media where $1 = '/media/' || name || '.webp'`, [imageUrl]),
    ).toEqual([{ status: 'used', deleted_at: null }]);
    const ana = app.as(await app.member());
    await ana.voting.cast({ candidateId: made.id });
    expect(await balanced(made.id)).toBe(1);
  });

  it('store every field of the edit dialog, and refuse an outdated version [A-VOTE-15] [AMB-126]', async () => {
    const { createdAt, updatedAt, deletedAt, tokenSlug, totalVotes, votesToday, wonRound, ...rest } = await added();
    const { resetId, resetAt, resetVotes, ...fields } = rest;
    const saved = await candidates.update({
      ...fields,
      tokenSymbol: 'new',
      websiteUrl: 'https://alpha.example',
      price: 0.000_012_3,
      marketCap: 1e15,
      swapsCount: 4_000_000_000,
      holdersCount: 12,
      burntPercentage: 33.5,
      adminNotes: 'Entre nosotros',
    });
    expect(saved).toMatchObject({ tokenSymbol: 'NEW', price: 0.0000123, marketCap: 1e15, swapsCount: 4e9, version: 2 });
    await expect(candidates.update({ ...fields, tokenName: 'Stale' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { tokenSymbol: 'NEW' }, by: admin.username },
    });
    for (const wrong of [
      { websiteUrl: 'javascript:alert(1)' },
      { price: -1 },
      { burntPercentage: 101 },
      { holdersCount: 1.5 },
      { imageUrl: '/etc/passwd' },
    ])
      await expect(candidates.update({ ...fields, version: 2, ...wrong })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    const other = { ...fields, version: 2 };
    await expect(candidates.update({ ...other, imageUrl: 'https://example.org/x.png' })).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
    });
    const gone = '/media/00000000000000000000000000000000.webp';
    await expect(candidates.update({ ...other, imageUrl: gone })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const page = await app.http(`/api/tokens/${tokenSlug}`);
    expect(await page.text()).not.toContain('Entre nosotros');
  });

  it('are listed by place, then newest first; searched, filtered and exported [A-VOTE-13] [AMB-119]', async () => {
    const key = `Lista${nextSerial()}`;
    const second = await added({ tokenName: `${key} Ámbar`, orderIndex: -5 });
    app.pass(1_000);
    const first = await added({ tokenName: `${key} B`, orderIndex: -5 });
    const before = await added({ tokenName: `${key} C`, orderIndex: -6 });
    await candidates.setActive({ id: first.id, isActive: false });
    const ids = async (input: Parameters<typeof candidates.list>[0]) =>
      (await candidates.list({ q: key, ...input })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual([before.id, first.id, second.id]);
    expect(await ids({ status: 'inactive' })).toEqual([first.id]);
    expect(await ids({ q: 'AMBAR' })).toEqual([second.id]);
    expect(await ids({ q: '%' })).toEqual([]);
    await voted(second.id, 2);
    expect((await ids({ sort: '-totalVotes' }))[0]).toBe(second.id);
    const csv = await app.http(`/api/admin/candidates.csv?q=${key}&status=active`, {
      headers: { cookie: admin.cookie },
    });
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(3);
  });

  it('are sorted by votes as their totals are, whatever their size, in both directions, on all pages [A-VOTE-13]', async () => {
    const key = `Suma${nextSerial()}`;
    // Around the last total with a rank of its own, the beginning of a later rank, duplicates, and the maximum of the column.
    const totals = [
      0, 0, 1, 63, 64, 65, 66, 66, 67, 90, 91, 1_000, 1_001, 1_001, 1_030, 200_000, 200_001, 2_147_483_647,
    ];
    await app.sql(
      `insert into voting_candidates (token_name, token_symbol, token_slug, total_votes)
       select $1 || ' ' || n, 'SUMA', lower($1) || '-' || n, t from unnest($2::int[]) with ordinality as given (t, n)`,
      [key, totals],
    );
    const pagesOf = async (sort: 'totalVotes' | '-totalVotes') => {
      const rows = [];
      for (let page = 1; page <= 2; page++)
        rows.push(...(await candidates.list({ q: key, sort, page, size: 10 })).rows);
      return rows.map(({ totalVotes, id }) => ({ totalVotes, id }));
    };
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const up = await pagesOf('totalVotes');
    expect(up.map(({ totalVotes }) => totalVotes)).toEqual(totals);
    expect(up).toEqual(up.toSorted((a, b) => a.totalVotes - b.totalVotes || byId(a, b)));
    const down = await pagesOf('-totalVotes');
    expect(down).toEqual(up.toSorted((a, b) => b.totalVotes - a.totalVotes || byId(a, b)));
    // No votes belong to these totals.
    await app.sql("delete from voting_candidates where token_symbol = 'SUMA'");
  });

  it('have a coarse rank that grows with the total, and that most votes do not change', async () => {
    const [facts] = await app.sql<{ falls: number; steps: number; longest: number }>(
      `with made as (
         insert into voting_candidates (token_name, token_symbol, token_slug, total_votes, deleted_at)
         select 'Paso', 'PASO', 'paso-' || n, n, now() from generate_series(0, 2000) n returning total_votes, votes_rank
       ), pairs as (
         select total_votes, votes_rank, lag(votes_rank) over (order by total_votes) as before from made
       )
       select (select count(*)::int from pairs where votes_rank < before) as falls,
         (select count(*)::int from pairs where votes_rank <> before and total_votes > 1000) as steps,
         (select max(n)::int from (select count(*) as n from pairs where total_votes <= 64 group by votes_rank) s) as longest`,
    );
    // 32 steps for each factor of e, so 22.2 of them between 1,000 and 2,000.
    expect(facts).toEqual({ falls: 0, steps: 23, longest: 1 });
    await app.sql("delete from voting_candidates where token_symbol = 'PASO'");
  });

  it('leave and enter the ranking as they are deactivated and activated, and accept no votes while they are inactive [A-VOTE-09] [AMB-120]', async () => {
    const { id } = await added();
    const ana = app.as(await app.member());
    const isRanked = async () => (await app.as(null).voting.ranking({})).items.some((one) => one.id === id);
    expect(await isRanked()).toBe(true);
    await candidates.setActive({ id, isActive: false });
    expect(await isRanked()).toBe(false);
    await expect(ana.voting.cast({ candidateId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Idempotent.
    expect((await candidates.setActive({ id, isActive: false })).version).toBe(2);
    await candidates.setActive({ id, isActive: true });
    expect(await isRanked()).toBe(true);
    await ana.voting.cast({ candidateId: id });
    expect((await entries(id)).map(({ action }) => action)).toEqual([
      'candidate.created',
      'candidate.updated',
      'candidate.updated',
    ]);
    await expect(candidates.setActive({ id: UNKNOWN_ID, isActive: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuse to undo a switch after which another admin switched them', async () => {
    const { id } = await added();
    const theirs = app.as(await app.member({ role: 'admin' })).admin.candidates;
    const conflict = { code: 'VERSION_CONFLICT', status: 409 };
    const off = await candidates.setActive({ id, isActive: false });
    const on = await candidates.setActive({ id, isActive: true, undoOf: off.version });
    expect(on).toMatchObject({ isActive: true, version: off.version + 1 });
    await theirs.setActive({ id, isActive: false });
    await expect(candidates.setActive({ id, isActive: false, undoOf: on.version })).rejects.toMatchObject(conflict);
    // A click that changed nothing has nothing to undo.
    const same = await candidates.setActive({ id, isActive: false });
    await expect(candidates.setActive({ id, isActive: true, undoOf: same.version })).rejects.toMatchObject(conflict);
    expect((await candidates.list({})).rows.find((row) => row.id === id)).toMatchObject({ isActive: false });
  });

  it('keep their votes in the trash, and after they are restored [A-VOTE-18] [AMB-122]', async () => {
    const { id, version } = await added();
    await voted(id, 3);
    await candidates.remove({ id, version });
    expect((await candidates.list({ shelf: 'trash' })).rows[0]).toMatchObject({ id, totalVotes: 3 });
    await expect(candidates.resetVotes({ id, reason: 'Bots' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(app.as(await app.member()).voting.cast({ candidateId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await candidates.restore({ id, resemblanceAccepted: true })).toMatchObject({
      totalVotes: 3,
      deletedAt: null,
    });
    expect(await balanced(id)).toBe(3);
  });
});

describe('a recount', () => {
  it('finds every wrong counter, corrects it, and enters that into the audit log', async () => {
    const { id } = await added();
    const fine = await added();
    await voted(id, 4);
    await voted(fine.id, 2);
    await app.sql('update voting_candidates set total_votes = 9 where id = $1', [id]);
    await app.sql('update candidate_daily_votes set votes = 7 where candidate_id = $1', [id]);
    await app.sql(`insert into candidate_daily_votes values ($1, '2026-01-01', 2)`, [id]);
    expect(await findMiscounts(app.services.db)).toMatchObject([{ id, total: 9, counted: 4, days: 2 }]);
    const actor = { id: null, role: 'system' as const, ipHash: null, requestId: null };
    expect(await recountVotes(app.services.db, actor, id, app.now)).toMatchObject({ total: 9, counted: 4 });
    expect(await balanced(id)).toBe(4);
    expect(await recountVotes(app.services.db, actor, id, app.now)).toBeNull();
    expect((await entries(id)).filter(({ action }) => action === 'candidate.recounted')).toHaveLength(1);
    expect((await entries(fine.id)).map(({ action }) => action)).toEqual(['candidate.created']);
  });
});

describe('the winner of the last round', () => {
  it('links to its NEXT project only while that is public', async () => {
    const { id } = await added();
    await app.sql('update voting_candidates set is_active = false where id <> $1', [id]);
    await voted(id, 1);
    const { round } = await rounds.current();
    if (!round) throw new Error('no open round');
    await rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason: 'Prueba' });
    const { nextProjectId } = await rounds.promoteWinner({ id: round.id, candidateId: id });
    const link = async () => (await app.as(null).voting.ranking({})).lastRound?.winnerSlug;
    expect(await link()).toBe(nextProjectId);
    await app.sql(`update next_projects set status = 'pending' where id = $1`, [nextProjectId]);
    expect(await link()).toBeNull();
  });
});
