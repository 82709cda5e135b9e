import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const WORD = 'Zorrocalva';

const kinds = async (q: string) => (await back.find({ q })).map(({ kind, title }) => `${kind} ${title}`).sort();

describe('the search of the back office', () => {
  it('finds what each list finds, without the trash, a few of each', async () => {
    const member = await app.member();
    await app.project({ token_name: `${WORD} en home` });
    await app.candidate({ token_name: `${WORD} candidato` });
    await back.nextProjects.create({ tokenName: `${WORD} next`, tokenSymbol: 'ZOR', resemblanceAccepted: true });
    for (let i = 1; i <= 7; i++) await back.news.create({ title: `${WORD} noticia ${i}`, content: 'x' });
    const gone = await back.nextProjects.create({
      tokenName: `${WORD} tirado`,
      tokenSymbol: 'ZOR',
      resemblanceAccepted: true,
    });
    await back.nextProjects.remove({ id: gone.id, version: gone.version });
    await app.as(member).forum.create({ title: `${WORD} en el foro`, content: 'Hola' });
    const found = await kinds(WORD.toLowerCase());
    expect(found.filter((one) => !one.startsWith('news'))).toEqual([
      `candidate ${WORD} candidato`,
      `next_project ${WORD} next`,
      `post ${WORD} en el foro`,
      `project ${WORD} en home`,
    ]);
    expect(found.filter((one) => one.startsWith('news'))).toHaveLength(5);
    const [person] = await back.find({ q: member.email });
    expect(person).toEqual({ kind: 'person', id: member.id, title: member.username, detail: member.email });
    expect(await kinds('nadie se llama así')).toEqual([]);
    await expect(back.find({ q: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('offers the record with exactly the typed title first, however many newer ones contain it', async () => {
    await back.news.create({ title: 'Eclípse total', content: 'x' });
    for (let i = 1; i <= 6; i++) await back.news.create({ title: `Eclipse total, parte ${i}`, content: 'x' });
    for (const name of ['Antes de Brízna', 'Brízna', ...Array.from({ length: 5 }, (_, i) => `A${i} brizna`)])
      await app.project({ token_name: name });
    const titles = async (q: string) => (await back.find({ q })).map(({ title }) => title);
    expect((await titles('eclipse TOTAL'))[0]).toBe('Eclípse total');
    expect((await titles('brizna')).slice(0, 2)).toEqual(['Brízna', 'A0 brizna']);
  });

  it('finds a person by a linked wallet and a candidate by its contract, by the whole address', async () => {
    const member = await app.member();
    const [evm, solana] = [
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'HTMTvt43PGJRgoJUTDJu8gFHa1QFMmaPriM9HYmcNumR',
    ];
    await app.sql("insert into linked_wallets (user_id, family, address) values ($1, 'evm', $2), ($1, 'solana', $3)", [
      member.id,
      evm,
      solana,
    ]);
    for (const address of [evm, evm.toLowerCase(), solana])
      expect(await kinds(address)).toEqual([`person ${member.username}`]);
    expect(await kinds(solana.toLowerCase())).toEqual([]);
    expect((await back.users.list({ q: evm })).rows.map(({ email }) => email)).toEqual([member.email]);
    const contract = '86iFCq6NYQX5yXQz8Do2nbzhjKSuXYbypG7iTSxSp6sm';
    await app.candidate({ token_name: `${WORD} con contrato`, contract_address: contract });
    expect(await kinds(contract)).toEqual([`candidate ${WORD} con contrato`]);
  });

  it('of a number finds only what has it', async () => {
    await back.news.create({ title: 'PR-0000000000 en un título', content: 'x' });
    expect(await kinds('PR-0000000000')).toEqual([]);
  });

  it('counts what waits as the inbox does', async () => {
    const member = await app.member();
    const before = await back.inbox.counts();
    await app.sql(
      "update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1",
      [member.id],
    );
    const counts = await back.inbox.counts();
    expect(counts.moderator).toBe((before.moderator ?? 0) + 1);
    expect(counts).toEqual((await back.inbox.list({})).counts);
  });
});
