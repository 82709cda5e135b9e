import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();
const find = (slug: string) => visitor.tokens.find({ slug });
const MISSING = { code: 'NOT_FOUND', status: 404, data: { what: 'token' } };

const V4 = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('the lookup of a token', () => {
  it('finds a project by slug and by id [CAND-01] [CAND-34..35] [CAND-41]', async () => {
    const { id } = await app.project({ token_slug: 'luna-park', token_name: 'Luna' });
    for (const slug of ['luna-park', id, id.toUpperCase()])
      expect(await find(slug), slug).toMatchObject({ kind: 'project', id, tokenName: 'Luna' });
  });

  it('finds a candidate by slug and by id [CAND-36..37]', async () => {
    const { id } = await app.candidate({ token_slug: 'sol-feria' });
    for (const slug of ['sol-feria', id]) expect(await find(slug), slug).toMatchObject({ kind: 'candidate', id });
  });

  it('finds a NEXT project by id, with its launch [AMB-69] [AMB-102]', async () => {
    const { id } = await app.nextProject({ countdown_end: '2027-01-01T00:00:00Z', is_voting_winner: true, price: 0 });
    expect(await find(id)).toMatchObject({
      kind: 'next',
      tokenSlug: null,
      price: null,
      launch: {
        status: 'published',
        countdownEnd: '2027-01-01T00:00:00.000Z',
        launchDate: null,
        isVotingWinner: true,
        wonRound: null,
      },
    });
  });

  it('prefers, when one text matches several: project by slug, by id, candidate by slug, by id, NEXT [CAND-34..38] [AMB-80]', async () => {
    // The slug of one record can be the id of another; deleting the match reveals the next one.
    const text = V4(1);
    const steps: [table: string, kind: string, id: string][] = [];
    const projectBySlug = await app.project({ id: V4(2), token_slug: text });
    steps.push(['projects', 'project', projectBySlug.id]);
    await app.project({ id: text, token_slug: 'project-with-that-id' });
    steps.push(['projects', 'project', text]);
    const candidateBySlug = await app.candidate({ id: V4(3), token_slug: text });
    steps.push(['voting_candidates', 'candidate', candidateBySlug.id]);
    await app.candidate({ id: text, token_slug: 'candidate-with-that-id' });
    steps.push(['voting_candidates', 'candidate', text]);
    await app.nextProject({ id: text });
    steps.push(['next_projects', 'next', text]);
    for (const [table, kind, id] of steps) {
      expect(await find(text)).toMatchObject({ kind, id });
      await app.sql(`delete from ${table} where id = $1`, [id]);
    }
    await expect(find(text)).rejects.toMatchObject(MISSING);
  });

  it('treats a text as an id only when it is a UUID of version 1 to 5 [CAND-40] [AMB-81]', async () => {
    for (const version of [1, 2, 3, 4, 5]) {
      const { id } = await app.candidate({ id: `0a0b0c0d-0000-${version}000-a000-000000000000` });
      expect(await find(id), id).toMatchObject({ id });
    }
    for (const id of [
      '0a0b0c0d-0000-0000-a000-000000000000',
      '0a0b0c0d-0000-6000-a000-000000000000',
      '0a0b0c0d-0000-7000-a000-000000000000',
      '0a0b0c0d-0000-4000-c000-000000000000',
    ]) {
      await app.candidate({ id });
      await expect(find(id), id).rejects.toMatchObject(MISSING);
    }
  });

  it.each([
    'nothing-here',
    '11111111-1111-4111-8111-111111111111',
    '{11111111-1111-4111-8111-111111111111}',
    "' or 1=1 --",
    '%',
    '../admin',
    '<script>alert(1)</script>',
    'x'.repeat(160),
    'UPPER',
    'ñandú',
    'nul\0',
    '\ud800',
  ])('answers NOT_FOUND for %j [CAND-06] [CAND-38]', async (slug) => {
    await expect(find(slug)).rejects.toMatchObject(MISSING);
  });

  it('does not find what is not public, by slug or by id, for admins either [AMB-33]', async () => {
    const hidden = [
      ...(await Promise.all(
        ['pending', 'rejected', 'published_next'].map((status) =>
          app.project({ status, token_slug: `p-${status.replace('_', '-')}` }),
        ),
      )),
      await app.project({ token_slug: 'p-trashed', deleted_at: new Date() }),
      await app.candidate({ token_slug: 'c-inactive', is_active: false }),
      await app.candidate({ token_slug: 'c-trashed', deleted_at: new Date() }),
      await app.nextProject({ is_active: false }),
      await app.nextProject({ status: 'pending' }),
      await app.nextProject({ deleted_at: new Date() }),
    ];
    const admin = app.as(await app.member({ role: 'admin' }));
    for (const row of hidden)
      for (const slug of [row.id, row['token_slug']])
        if (typeof slug === 'string') {
          await expect(find(slug), slug).rejects.toMatchObject(MISSING);
          await expect(admin.tokens.find({ slug })).rejects.toMatchObject(MISSING);
        }
  });

  it('finds a candidate although a hidden project has the same slug', async () => {
    await app.project({ token_slug: 'shared-slug', status: 'rejected' });
    await app.candidate({ token_slug: 'shared-slug' });
    expect(await find('shared-slug')).toMatchObject({ kind: 'candidate' });
  });

  it('returns null for what is absent, and zero votes [CAND-33] [AMB-78]', async () => {
    const { id } = await app.candidate();
    expect(await find(id)).toMatchObject({
      price: null,
      volume24h: null,
      marketCap: null,
      holdersCount: null,
      maxSupply: null,
      contractAddress: null,
      description: null,
      descriptionFull: null,
      imageUrl: null,
      websiteUrl: null,
      telegramUrl: null,
      twitterUrl: null,
      discordUrl: null,
      progressPercentage: null,
      launch: null,
      totalVotes: 0,
      votesToday: 0,
    });
  });

  it('returns figures as numbers, a text market cap as text, and each link in its field [CAND-26] [DATA-09] [AMB-73] [AMB-79]', async () => {
    const links = {
      website_url: 'https://web.example',
      telegram_url: 'https://t.example',
      twitter_url: 'https://x.example',
      discord_url: 'https://d.example',
    };
    const { id } = await app.candidate({
      ...links,
      price: '0.000123456',
      volume_24h: '12345.5',
      market_cap: '98765432109876',
      max_supply: '1000000000',
      holders_count: 42,
    });
    expect(await find(id)).toMatchObject({
      price: 0.000123456,
      volume24h: 12345.5,
      marketCap: 98765432109876,
      maxSupply: 1e9,
      holdersCount: 42,
      websiteUrl: links.website_url,
      telegramUrl: links.telegram_url,
      twitterUrl: links.twitter_url,
      discordUrl: links.discord_url,
    });
    const project = await app.project({ market_cap: '$12.1k' });
    expect(await find(project.id)).toMatchObject({ marketCap: '$12.1k' });
  });

  it('never has a link that is not a web address: the table refuses it', async () => {
    await expect(app.candidate({ website_url: 'javascript:alert(1)' })).rejects.toThrow(/check constraint/);
  });

  it('counts the votes of a candidate, those of today until midnight UTC [CAND-18..19]', async () => {
    const { id } = await app.candidate();
    app.setNow('2026-03-10T23:59:59Z');
    await app.as(await app.member()).voting.cast({ candidateId: id });
    expect(await find(id)).toMatchObject({ totalVotes: 1, votesToday: 1, serverTime: '2026-03-10T23:59:59.000Z' });
    app.setNow('2026-03-11T00:00:00Z');
    expect(await find(id)).toMatchObject({ totalVotes: 1, votesToday: 0 });
  });

  it('returns nothing internal', async () => {
    const notes = { admin_notes: 'SECRET-NOTE' };
    const rows = [await app.project({ ...notes, token_address: 'SECRET-ADDRESS' }), await app.candidate(notes)];
    rows.push(await app.nextProject(notes));
    for (const { id } of rows) expect(JSON.stringify(await find(id))).not.toMatch(/SECRET/);
  });
});
