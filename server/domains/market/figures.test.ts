import { describe, expect, it } from 'vitest';
import {
  app,
  box,
  CHECKSUMMED,
  figuresOf,
  HOUR,
  LOWER,
  MINUTE,
  market,
  mint,
  token,
  visitor,
} from '#tests/fixtures/market.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { html, pairOf } from '#tests/support/services/market-server.ts';
import { downsamplePrices } from './refresh.service.ts';

describe("the team's figures", () => {
  it('are marked with their source and time, and stay unchanged while the provider’s figures are shown', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const address = mint();
    const { id } = await app.project({ token_address: address, market_cap: '$12.1k', holders_count: 40 });
    const created = (await token(id)).sources.marketCap;
    expect(created).toMatchObject({ source: 'team', stale: false });
    app.pass(HOUR);
    const { version } = (await admin.projects.list({ q: '' })).rows[0] as { version: number };
    await admin.projects.update({ id, version, marketCap: '$15k' });
    const entered = await token(id);
    expect(entered).toMatchObject({
      marketCap: '$15k',
      sources: { marketCap: { source: 'team', at: app.now.toISOString() } },
    });
    expect(entered.sources.holders?.at).not.toBe(app.now.toISOString());

    box.pairs = [pairOf(address)];
    await market.refresh();
    expect(await token(id)).toMatchObject({
      marketCap: 2_500_000,
      holdersCount: 40,
      sources: { marketCap: { source: 'dexscreener' }, holders: { source: 'team' } },
    });
    const [row] = await app.sql('select market_cap, holders_count, version from projects where id = $1', [id]);
    expect(row).toEqual({ market_cap: '$15k', holders_count: 40, version: version + 1 });
    // Another address: data about the first does not apply to it.
    await app.sql('update projects set token_address = $2, contract_address = null where id = $1', [id, mint()]);
    expect(await token(id)).toMatchObject({ marketCap: '$15k', sources: { marketCap: { source: 'team' } } });
  });

  it('are shown in lists with their source, as those of providers are', async () => {
    const [trades, quiet] = [mint(), mint()];
    await app.project({ token_address: trades, market_cap: '$12.1k' });
    await app.project({ token_address: quiet, market_cap: '$9k' });
    await app.nextProject({ contract_address: trades });
    await app.nextProject({ token_address: null });
    const shown = async () =>
      [...(await visitor.projects.list({})).items, ...(await visitor.nextProjects.list({})).items]
        .map(({ marketCap, marketCapFrom }) => `${marketCap} ${marketCapFrom}`)
        .sort();
    expect(await shown()).toEqual(['$12.1k team', '$9k team', 'TBD null', 'TBD null']);
    for (const [marketCap, text] of [
      [1_234_567_890, '$1.23B'],
      [2_500_000, '$2.50M'],
      [12_345, '$12.35K'],
      [999.5, '$999.50'],
    ] as const) {
      box.pairs = [pairOf(trades, { marketCap })];
      await market.refresh();
      const description = `${text} dexscreener`;
      expect(await shown()).toEqual([description, description, '$9k team', 'TBD null'].sort());
      app.pass(HOUR);
    }
  });

  it('are unknown where a record has only default values; an entered zero counts', async () => {
    const project = await app.project();
    const next = await app.nextProject();
    const candidate = await app.candidate();
    expect((await token(project.id)).sources).toMatchObject({ marketCap: null, holders: null, price: null });
    expect(await token(next.id)).toMatchObject({
      price: null,
      marketCap: 'TBD',
      sources: { price: null, marketCap: null },
    });
    expect(Object.values((await token(candidate.id)).sources)).toEqual(Array(6).fill(null));
    const zero = await app.candidate({ volume_24h: 0 });
    expect(await token(zero.id)).toMatchObject({ volume24h: 0, sources: { volume24h: { source: 'team' } } });
  });
});

describe('open pages', () => {
  it('are notified of new figures once per run, and not of a run that brought none', async () => {
    const listener = listenTo(app.services);
    const all = Array.from({ length: 3 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    await market.refresh();
    box.pairs = all.map((address) => pairOf(address));
    app.pass(HOUR);
    await market.refresh();
    await listener.changed('market');
    await new Promise((done) => setTimeout(done, 300));
    expect(listener.liveEvents).toEqual([{ type: 'domain.changed', domain: 'market' }]);
  });

  it('are rendered again for visitors after new figures', async () => {
    const { token_slug: slug } = await app.candidate({ contract_address: mint() });
    const [row] = await app.sql<{ contract_address: string }>('select contract_address from voting_candidates');
    await app.http(`/token/${slug}`);
    await app.http(`/token/${slug}`);
    expect(app.rendered.filter((path) => path === `/token/${slug}`)).toHaveLength(1);
    box.pairs = [pairOf(row?.contract_address ?? '')];
    const listener = listenTo(app.services);
    await market.refresh();
    await listener.until((event) => event.type === 'domain.changed');
    await app.http(`/token/${slug}`);
    expect(app.rendered.filter((path) => path === `/token/${slug}`)).toHaveLength(2);
  });
});

describe('prices over time', () => {
  const put = (address: string, at: Date, price: number) =>
    app.sql(`insert into market_prices (network, address, at, price) values ('solana', $1, $2, $3)`, [
      address,
      at,
      price,
    ]);
  const earlier = (ms: number) => new Date(app.now.getTime() - ms);

  it('are recorded once per step, with the newest price of the step', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    app.setNow('2026-04-01T10:01:00Z');
    for (const [priceUsd, minutes] of [
      ['1', 3],
      ['2', 3],
      ['3', 6],
      ['4', 1],
    ] as const) {
      box.pairs = [pairOf(address, { priceUsd })];
      await market.refresh();
      app.pass(minutes * MINUTE);
    }
    const rows = await app.sql('select at, price::float8 as price from market_prices where address = $1 order by at', [
      address,
    ]);
    expect(rows).toEqual([
      { at: new Date('2026-04-01T10:00:00Z'), price: 3 },
      { at: new Date('2026-04-01T10:10:00Z'), price: 4 },
    ]);
  });

  it('are returned in equal steps with the last price of each, without a price where none was recorded', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    app.setNow('2026-04-02T12:10:00Z');
    for (const [hours, price] of [
      [30, 9],
      [20.1, 1],
      [20, 2],
      [1, 3],
      [0, 4],
    ] as const)
      await put(address, earlier(hours * HOUR), price);
    const { points } = await visitor.market.prices({ kind: 'candidate', id, range: 'day' });
    expect(points).toHaveLength(48);
    const known = points.filter(({ price }) => price !== null);
    expect(known.map(({ price }) => price)).toEqual([2, 3, 4]);
    expect(known[0]?.at).toBe('2026-04-01T16:10:00.000Z');
    expect(points.at(-1)?.price).toBe(4);
    const week = await visitor.market.prices({ kind: 'candidate', id });
    expect(week.points).toHaveLength(56);
    expect(week.points.filter(({ price }) => price !== null).map(({ price }) => price)).toEqual([9, 2, 3, 4]);
    for (const range of ['month', 'year'] as const)
      expect((await visitor.market.prices({ kind: 'candidate', id, range })).points.at(-1)?.price).toBe(4);
  });

  it('are empty for a token that is not public', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, is_active: false });
    await put(address, earlier(HOUR), 1);
    expect(await visitor.market.prices({ kind: 'candidate', id })).toEqual({ points: [], source: null });
    expect(await visitor.market.prices({ kind: 'project', id })).toEqual({ points: [], source: null });
  });

  it('are thinned to one an hour, then one a day, then none; the newest of each stays', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    app.setNow('2026-06-15T12:00:00Z');
    await market.refresh();
    const day = 24 * HOUR;
    for (const days of [1, 10, 40, 401])
      for (let step = 0; step < 12; step++)
        await put(address, earlier(days * day - step * 10 * MINUTE), days * 100 + step);
    expect(await downsamplePrices(app.services.db, app.now)).toBeGreaterThan(0);
    const rows = await app.sql<{ price: number }>('select price::float8 as price from market_prices order by at');
    const prices = rows.map(({ price }) => price);
    expect(prices).toEqual([4_011, 1_005, 1_011, ...Array.from({ length: 12 }, (_, i) => 100 + i)]);
    expect(await downsamplePrices(app.services.db, app.now)).toBe(0);
  });

  it('are thinned day by day, so that no statement deletes the prices of more than one day', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    app.setNow('2026-06-15T12:00:00Z');
    await market.refresh();
    for (const days of [5, 10, 15, 50, 100, 150])
      for (let step = 0; step < 4; step++) await put(address, earlier(days * 24 * HOUR - step * 10 * MINUTE), 1 + step);
    await app.sql(`create function few_prices() returns trigger language plpgsql as $$ begin
      if (select count(distinct at::date) from gone) > 1 then raise exception 'too many days in one statement'; end if;
      return null; end $$`);
    await app.sql(`create trigger few_prices after delete on market_prices referencing old table as gone
      for each statement execute function few_prices()`);
    expect(await downsamplePrices(app.services.db, app.now)).toBe(18);
    await app.sql('drop trigger few_prices on market_prices');
  });

  it('are deleted a month after no record names their token any more', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address)];
    await market.refresh();
    await app.sql('update voting_candidates set contract_address = null where id = $1', [id]);
    app.pass(29 * 24 * HOUR);
    await downsamplePrices(app.services.db, app.now);
    expect(await figuresOf(address)).not.toEqual([]);
    app.pass(3 * 24 * HOUR);
    await downsamplePrices(app.services.db, app.now);
    expect(await figuresOf(address)).toEqual([]);
    expect(await app.sql('select 1 from market_prices')).toEqual([]);
  });
});

describe('the back office', () => {
  it('shows the provider’s figures beside those that the team enters', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, price: 7 });
    const read = () => admin.market.read({ kind: 'candidate', id });
    expect(await read()).toMatchObject({ enabled: true, network: 'solana', address, state: 'waiting', figures: [] });
    await market.refresh();
    expect(await read()).toMatchObject({ state: 'unlisted', answeredAt: app.now.toISOString(), figures: [] });
    app.pass(HOUR);
    box.pairs = [pairOf(address)];
    await market.refresh();
    const seen = await read();
    expect(seen).toMatchObject({ state: 'listed', pausedUntil: null });
    expect(seen.figures.find(({ figure }) => figure === 'price')).toEqual({
      figure: 'price',
      value: 0.0025,
      source: 'dexscreener',
      at: app.now.toISOString(),
      stale: false,
    });
    app.pass(HOUR);
    box.trouble = html(500);
    await market.refresh();
    expect((await read()).pausedUntil).not.toBeNull();
    await app.sql('update voting_candidates set is_active = false where id = $1', [id]);
    expect((await read()).state).toBe('hidden');
    await app.sql(`update voting_candidates set contract_address = $2 where id = $1`, [id, LOWER]);
    expect(await read()).toMatchObject({ state: 'nowhere', network: null, address: LOWER, figures: [] });
    await expect(admin.market.read({ kind: 'project', id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('sets the network of an address, and graduation copies that of the winner', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const project = await admin.projects.create({
      tokenName: 'Red',
      tokenSymbol: 'RED',
      tokenAddress: CHECKSUMMED,
      network: 'bnb',
    });
    expect(project.network).toBe('bnb');
    expect(
      (await admin.projects.update({ id: project.id, version: project.version, network: null })).network,
    ).toBeNull();
    await expect(
      admin.projects.update({ id: project.id, version: project.version + 1, network: 'tron' as never }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const next = await admin.nextProjects.create({
      tokenName: 'Red',
      tokenSymbol: 'RED',
      network: 'polygon',
      resemblanceAccepted: true,
    });
    expect(next.network).toBe('polygon');

    const voter = await app.member();
    const { id } = await app.candidate({ contract_address: CHECKSUMMED, network: 'ethereum' });
    await app.as(voter).voting.cast({ candidateId: id });
    const { round } = await admin.rounds.current();
    const seen = { id: round?.id ?? '', seenClosesAt: round?.closesAt ?? '' };
    await admin.rounds.closeEarly({ ...seen, reason: 'Prueba' });
    const won = await admin.rounds.promoteWinner({ id: seen.id, candidateId: id });
    const [promoted] = await app.sql('select network, contract_address from next_projects where id = $1', [
      won.nextProjectId,
    ]);
    expect(promoted).toEqual({ network: 'ethereum', contract_address: CHECKSUMMED });
  });
});
