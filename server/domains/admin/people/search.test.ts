import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const WORD = 'Zorrocalva';

const kinds = async (q: string) => (await back.find({ q })).map(({ kind, title }) => `${kind} ${title}`).sort();

describe('the search of the back office', () => {
  it('finds up to five records of each list, without trashed ones', async () => {
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
    await app.sql(`update users set email = 'rf-zorro@florka.test' where id = $1`, [member.id]);
    expect(await kinds('rf-zorro@florka.test')).toEqual([`person ${member.username}`]);
    await expect(back.find({ q: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('lists the record with exactly the typed title first, however many newer ones contain it', async () => {
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
    // By the index of contracts, which has those of EVM in lower case and all others as they are.
    expect(await kinds(contract.toLowerCase())).toEqual([]);
    const evmContract = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
    await app.candidate({ token_name: `${WORD} con otro`, contract_address: evmContract });
    expect(await kinds(evmContract.toLowerCase())).toEqual([`candidate ${WORD} con otro`]);
  });

  it('finds comments, networks, mailboxes without an account, unplaced money and deliverables', async () => {
    const word = 'Ajolotazo';
    const author = await app.member();
    const { id: postId } = await app.as(author).forum.create({ title: 'Un hilo', content: 'Hola' });
    for (const content of [`${word} primero`, word, `Otro ${word}`])
      await app.sql('insert into forum_comments (post_id, user_id, content) values ($1, $2, $3)', [
        postId,
        author.id,
        content,
      ]);
    await back.networks.create({ name: `A ${word}`, symbol: 'AJM', isActive: true });
    await back.networks.create({ name: word, symbol: 'AJZ', isActive: true });
    const gone = await back.networks.create({ name: `${word} tirado`, symbol: 'AJT', isActive: true });
    await back.networks.remove({ id: gone.id, version: gone.version });
    const number = 'FL-AJ0L0TE001';
    for (const [email, order, token] of [
      [`a-${word}@florka.test`, 'FL-AJ0L0TE000', `${word} Plus`],
      [`${word}@florka.test`, number, word],
    ] as const) {
      const [request] = await app.sql<{ id: string }>(
        `insert into token_creation_submissions (petitioner_email, token_data, edit_secret_hash)
         values ($1, $2, $3) returning id`,
        [email, JSON.stringify({ tokenName: token, petitionerEmail: email }), Buffer.from(order)],
      );
      const [payment] = await app.sql<{ id: string }>(
        `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, is_current)
         values ($1, $2, 'entry', 50, 'es', true, '{}', now() + interval '7 days', true) returning id`,
        [request?.id, order],
      );
      await app.sql(
        `insert into deliverables (submission_id, payment_id, position, item, terms_version, due_from, due_days, if_not_es, if_not_en)
         values ($1, $2, 0, 'docs', 0, 'payment', 5, '', '')`,
        [request?.id, payment?.id],
      );
    }
    await app.sql(
      `insert into unplaced_payments (provider_payment_id, order_id, invoice_id, deposit, simulation)
       values ('5077125051', $1, '4522625843', '{"paymentId":"5077125051","parentId":"5077125000","status":"finished"}', true)`,
      ['FL-AJ0L0TE999'],
    );
    const found = async (q: string, api = back) => (await api.find({ q })).map(({ kind, title }) => `${kind} ${title}`);
    const ofKind = async (kind: string) => (await found(word)).filter((one) => one.startsWith(`${kind} `));
    const address = `${word.toLowerCase()}@florka.test`;
    expect((await found(address)).filter((one) => one.startsWith('mailbox'))[0]).toBe(`mailbox ${address}`);
    // Of each kind, the record with exactly the typed title comes first.
    expect(await ofKind('comment')).toEqual([`comment ${word}`, `comment Otro ${word}`, `comment ${word} primero`]);
    expect(await ofKind('network')).toEqual([`network ${word}`, `network A ${word}`]);
    expect((await ofKind('deliverable'))[0]).toBe(`deliverable ${word}`);
    expect(await back.find({ q: number })).toContainEqual(
      expect.objectContaining({ kind: 'deliverable', title: word, detail: number, item: 'docs' }),
    );
    for (const q of ['5077125051', '5077125000', '4522625843', 'fl-aj0l0te999'])
      expect(await found(q), q).toEqual(['unplaced 5077125051']);

    // Each kind is found only by staff who may read its screen.
    const kindsFor = async (role: 'editor' | 'moderator' | 'support' | 'finance') => {
      const api = app.as(await app.member({ role: 'admin', staffRoles: [role] })).admin;
      const all = [...(await found(word, api)), ...(await found('5077125051', api))].map((one) => one.split(' ')[0]);
      const added = ['comment', 'network', 'mailbox', 'deliverable', 'unplaced'];
      return added.filter((kind) => all.includes(kind));
    };
    expect(await kindsFor('editor')).toEqual([]);
    expect(await kindsFor('moderator')).toEqual(['comment']);
    expect(await kindsFor('support')).toEqual(['mailbox']);
    expect(await kindsFor('finance')).toEqual(['deliverable', 'unplaced']);
  });

  it('for a record number finds only the record with that number', async () => {
    await back.news.create({ title: 'PR-0000000000 en un título', content: 'x' });
    expect(await kinds('PR-0000000000')).toEqual([]);
  });

  it('has the same counts of open work as the inbox', async () => {
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
