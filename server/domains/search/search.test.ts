import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS, SEARCH_GROUPS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as(null);
// Tests search more often than the rate limit of a visitor permits.
beforeEach(() => app.pass(60_000));
const find = (q: string, limit?: number) => visitor.search.find({ q, purpose: 'typing', ...(limit ? { limit } : {}) });
const names = async (q: string) => (await find(q)).tokens.items.map(({ tokenName }) => tokenName);
const EVM = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';
const SOLANA = 'So11111111111111111111111111111111111111112';

describe('a search over all groups', () => {
  it('finds tokens, candidates, launches, news, posts and people, each in its group', async () => {
    const ana = await app.member();
    await app.sql('update forum_users set username = $2 where id = $1', [ana.id, 'Quetzal_Ana']);
    await app.project({ token_name: 'Quetzal Coin', token_symbol: 'QTZ' });
    await app.candidate({ token_name: 'Quetzal Vota', token_symbol: 'QVT' });
    await app.nextProject({ token_name: 'Quetzal Pronto', token_symbol: 'QPR' });
    await app.sql(
      `insert into news (title, content, is_active, published_at) values ('Llega el quétzal', '**Un** ave', true, now())`,
    );
    const post = await app.as(ana).forum.create({ title: 'Vuela', content: 'El quetzal vuela' });
    const found = await find('QUÉTZAL');
    expect(found).toMatchObject({
      tokens: { items: [{ kind: 'project', tokenName: 'Quetzal Coin', corrected: false }], more: false },
      candidates: { items: [{ kind: 'candidate', tokenName: 'Quetzal Vota' }], more: false },
      launches: { items: [{ kind: 'next', tokenName: 'Quetzal Pronto', tokenSlug: null }], more: false },
      news: { items: [{ title: 'Llega el quétzal', excerpt: 'Un ave' }], more: false },
      posts: { items: [{ id: post.id, title: 'Vuela', username: 'Quetzal_Ana' }], more: false },
      people: { items: [{ username: 'Quetzal_Ana', postId: post.id, postTitle: 'Vuela' }], more: false },
    });
    expect(Object.keys(found)).toEqual([...SEARCH_GROUPS]);
  });

  it('shows nothing that is not public', async () => {
    const eva = await app.member();
    const mute = await app.member();
    await app.sql('update forum_users set username = $2 where id = $1', [eva.id, 'Secreta_Eva']);
    await app.sql('update forum_users set username = $2 where id = $1', [mute.id, 'Secreta_Muda']);
    for (const over of [{ status: 'pending' }, { status: 'rejected' }, { deleted_at: new Date() }])
      await app.project({ token_name: 'Secreta', ...over });
    await app.candidate({ token_name: 'Secreta', is_active: false });
    await app.nextProject({ token_name: 'Secreta', status: 'pending' });
    await app.sql(`insert into news (title, content, is_active) values ('Secreta', 'x', false)`);
    const { id } = await app.as(eva).forum.create({ title: 'Secreta', content: 'algo secreta' });
    await app.as(eva).forum.deletePost({ id });
    expect(Object.values(await find('secreta'))).toEqual(SEARCH_GROUPS.map(() => ({ items: [], more: false })));
    // Mailboxes are not searched.
    expect((await find(eva.email)).people.items).toEqual([]);
  });

  it('finds people by their comments, and not after they left', async () => {
    const [author, guest] = await app.members(2);
    if (!author || !guest) throw new Error('no members');
    await app.sql('update forum_users set username = $2 where id = $1', [guest.id, 'Colibri_Luz']);
    const { id } = await app.as(author).forum.create({ title: 'Pregunta', content: 'Abierta a todos' });
    expect((await find('colibri')).people.items).toEqual([]);
    await app.as(guest).forum.comment({ postId: id, content: 'Respondo' });
    expect((await find('colibri')).people.items).toEqual([
      // With the author of that post, whom its reader may have blocked.
      expect.objectContaining({ postId: id, postTitle: 'Pregunta', postBy: author.username }),
    ]);
    await app.sql(`update forum_users set new_auth_user_id = null, migration_status = 'completed' where id = $1`, [
      guest.id,
    ]);
    expect((await find('colibri')).people.items).toEqual([]);
  });
});

describe('search terms', () => {
  it('ignore accents, except that ñ is a letter of its own', async () => {
    await app.project({ token_name: 'Año Nuevo', token_symbol: 'ANIO' });
    await app.project({ token_name: 'Campaña Música', token_symbol: 'CMP' });
    expect(await names('año')).toEqual(['Año Nuevo']);
    expect(await names('ano')).toEqual([]);
    expect(await names('musica')).toEqual(['Campaña Música']);
    // Otherwise a typing error, which is corrected in longer words: ñ is not.
    expect(await names('campana')).toEqual([]);
  });

  it('rank an exact ticker or name first, then a beginning, then the rest', async () => {
    await app.project({ token_name: 'Gran Axolotl', token_symbol: 'GRAX', order_index: 4 });
    await app.project({ token_name: 'Axolotl Rey', token_symbol: 'AXR', order_index: 5 });
    await app.project({ token_name: 'Otro', token_symbol: 'AXOLOTL', order_index: 6 });
    await app.project({ token_name: 'Miniaxolotl', token_symbol: 'MINI', order_index: 7 });
    expect(await names('axolotl')).toEqual(['Otro', 'Axolotl Rey', 'Gran Axolotl', 'Miniaxolotl']);
  });

  it('can have one wrong letter in names and tickers, and the result is marked as corrected', async () => {
    await app.project({ token_name: 'Tlacuache Feliz', token_symbol: 'TLAQ' });
    await app.candidate({ token_name: 'Tlacuache Votado', token_symbol: 'TVOT' });
    for (const typed of ['tlacuahce', 'tlacuche', 'tlaqcuache', 'TLQA', 'tlacuache felis', 'tlacuaxhe']) {
      const { items } = (await find(typed)).tokens;
      expect([typed, items.map(({ tokenName }) => tokenName)]).toEqual([typed, ['Tlacuache Feliz']]);
      expect(items[0]?.corrected).toBe(true);
    }
    expect((await find('tlacuahce')).candidates.items.map((one) => one.tokenName)).toEqual(['Tlacuache Votado']);
    expect(await names('tlacuahec')).toEqual([]);
    // Typing errors are not corrected while there are enough exact results.
    await app.project({ token_name: 'Tlacuahce', token_symbol: 'OTHER' });
    expect((await find('tlacuahce', 1)).tokens.items.map((one) => one.corrected)).toEqual([false]);
  });

  it('are not LIKE patterns', async () => {
    await app.project({ token_name: 'Cien 100% Real', token_symbol: 'CIEN' });
    expect(await names('100%')).toEqual(['Cien 100% Real']);
    expect(await names('%')).toEqual([]);
    expect(await names('_')).toEqual([]);
    expect(await names('\\')).toEqual([]);
  });

  it('of invisible characters only find nothing', async () => {
    expect(Object.values(await find('\u200b\u202e'))).toEqual(SEARCH_GROUPS.map(() => ({ items: [], more: false })));
  });
});

describe('contract addresses', () => {
  it('find exactly their tokens', async () => {
    await app.project({ token_name: 'Por Contrato', contract_address: EVM });
    await app.candidate({ token_name: 'Por Contrato C', contract_address: SOLANA });
    expect(await names(EVM)).toEqual(['Por Contrato']);
    expect(await names(EVM.toLowerCase())).toEqual(['Por Contrato']);
    expect(await names(EVM.replace('1', '2'))).toEqual([]);
    expect((await find(SOLANA)).candidates.items.map(({ tokenName }) => tokenName)).toEqual(['Por Contrato C']);
    // Solana addresses are case-sensitive.
    expect((await find(SOLANA.replace('So', 'SO'))).candidates.items).toEqual([]);
    expect(await names(EVM.slice(0, 20))).toEqual([]);
  });
});

describe('a search request', () => {
  it('is limited: each group says whether it has more, up to 20 results', async () => {
    for (let n = 0; n < 8; n++) await app.project({ token_name: `Muchos ${n}`, token_symbol: `MU${n}` });
    const found = await find('muchos');
    expect([found.tokens.items.length, found.tokens.more]).toEqual([6, true]);
    expect((await find('muchos', 20)).tokens).toMatchObject({ more: false, items: { length: 8 } });
    await expect(find('muchos', 21)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('has a rate limit, separate from searches while typing', async () => {
    const member = await app.member();
    const as = app.as(member);
    const { hits } = LIMITS.searchAccountMinute;
    for (let n = 0; n < hits; n++) await as.search.find({ q: 'x', limit: 1 });
    await expect(as.search.find({ q: 'x' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await as.search.find({ q: 'x', purpose: 'typing' });
  });

  it('uses its indexes', async () => {
    const plan = async (condition: string) =>
      app.services.db.transaction(async (tx) => {
        await tx.execute('set local enable_seqscan = off');
        const { rows } = await tx.execute(`explain select id from projects where ${condition}`);
        return JSON.stringify(rows);
      });
    expect(
      await plan(`florka_one_off(florka_fold(token_name || ' ' || token_symbol)) && florka_one_off('tlacuache')`),
    ).toContain('projects_one_off');
    expect(await plan(`florka_fold(token_symbol) = 'x' or florka_fold(token_name) = 'x'`)).toContain(
      'projects_folded_symbol',
    );
  });
});
