import { describe, expect, it } from 'vitest';
import type { TokenRecord } from '#contract/domains/ownership.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import {
  app,
  asSite,
  back,
  created,
  domain,
  evmWallet,
  nextSerial,
  proven,
  published,
  runJob,
  verifiedOf,
  visitor,
  world,
} from '#tests/fixtures/ownership.ts';
import type { Person } from '#tests/support/app/test-app.ts';

const DAY = 86_400_000;

/** One character changed in each field that a proof is about. */
const FIELDS: Record<TokenRecord['kind'], readonly string[]> = {
  project: [
    'token_name',
    'token_symbol',
    'token_address',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
  candidate: [
    'token_name',
    'token_symbol',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
  next: [
    'token_name',
    'token_symbol',
    'token_address',
    'contract_address',
    'website_url',
    'telegram_url',
    'twitter_url',
    'discord_url',
    'image_url',
  ],
};
const TABLES = { project: 'projects', candidate: 'voting_candidates', next: 'next_projects' } as const;

/** A record with a current proof. */
async function marked(kind: TokenRecord['kind']): Promise<{ record: TokenRecord; creator: Person }> {
  const creator = await app.member();
  const links = {
    website_url: `https://${domain()}`,
    telegram_url: 'https://t.me/a',
    twitter_url: 'https://x.com/a',
    discord_url: 'https://discord.gg/a',
    image_url: 'https://images.example/a.png',
  };
  const serial = nextSerial();
  const over = { ...links, contract_address: `0x${String(serial).padStart(40, 'c')}` };
  const { id } = await (kind === 'project'
    ? app.project(over)
    : kind === 'next'
      ? app.nextProject({ ...over, token_address: `at-${serial}` })
      : app.candidate(over));
  const column = { project: 'project_id', candidate: 'candidate_id', next: 'next_project_id' }[kind];
  await app.sql(
    `insert into ownership_proofs (${column}, method, subject, token, state, started_at, started_by, proven_at, checked_at, next_check_at, expires_at)
     values ($1, 'file', 'a.example.org', 'x', 'valid', $2, $3, $2, $2, $2::timestamptz + interval '1 day', $2::timestamptz + interval '180 days')`,
    [id, app.now, creator.id],
  );
  return { record: { kind, id }, creator };
}

describe('a change of one character ends the proof, in the transaction of the change', () => {
  it.each(
    Object.entries(FIELDS).flatMap(([kind, fields]) =>
      fields.map((field) => [kind as TokenRecord['kind'], field] as const),
    ),
  )('%s: %s, also by a direct statement of the site’s role', async (kind, field) => {
    const { record } = await marked(kind);
    expect(await verifiedOf(record)).toHaveLength(1);
    const client = await app.services.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update ${TABLES[kind]} set ${field} = ${field} || 'x' where id = $1`, [record.id]);
      const { rows } = await client.query(
        `select state, end_reason from ownership_proofs where coalesce(project_id, candidate_id, next_project_id) = $1`,
        [record.id],
      );
      // Read before the commit: the new value and the mark never coexist.
      expect(rows).toEqual([{ state: 'ended', end_reason: 'changed' }]);
      await client.query('rollback');
      expect(await verifiedOf(record)).toHaveLength(1);
    } finally {
      client.release();
    }
    await asSite(`update ${TABLES[kind]} set ${field} = ${field} || 'x' where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it.each(['project', 'candidate', 'next'] as const)('%s: network', async (kind) => {
    const { record } = await marked(kind);
    await asSite(`update ${TABLES[kind]} set network = 'polygon' where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by the editors of the back office, for each kind', async () => {
    for (const kind of ['project', 'next'] as const) {
      const { record } = await marked(kind);
      const api = kind === 'project' ? back.projects : back.nextProjects;
      await api.update({ id: record.id, version: 1, description: 'Otra.' });
      expect(await verifiedOf(record)).toHaveLength(1);
      await api.update({ id: record.id, version: 2, discordUrl: 'https://discord.gg/b', resemblanceAccepted: true });
      expect(await verifiedOf(record)).toEqual([]);
    }
    const { record } = await marked('candidate');
    const {
      id: _id,
      createdAt,
      updatedAt,
      deletedAt,
      tokenSlug,
      totalVotes,
      votesToday,
      wonRound,
      resetId,
      resetAt,
      resetVotes,
      ...fields
    } = (await back.candidates.list({})).rows.find(({ id }) => id === record.id) as never as Record<string, never>;
    await back.candidates.update({
      ...(fields as object),
      id: record.id,
      tokenSymbol: 'CANE',
      resemblanceAccepted: true,
    } as never);
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by restoring an earlier version', async () => {
    const { record } = await marked('project');
    await back.projects.update({ id: record.id, version: 1, tokenName: 'Otro nombre' });
    const { versions } = await back.editorial.versions({ kind: 'project', id: record.id });
    await app.sql(
      `insert into ownership_proofs (project_id, method, subject, token, state, started_at, proven_at, next_check_at, expires_at)
       values ($1, 'file', 'b.example.org', 'y', 'valid', $2, $2, $2::timestamptz + interval '1 day', $2::timestamptz + interval '180 days')`,
      [record.id, app.now],
    );
    expect(await verifiedOf(record)).toHaveLength(1);
    const first = Math.min(...versions.map(({ version }) => version));
    await back.editorial.restoreVersion({ kind: 'project', id: record.id, version: 2, restore: first });
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('by a statement that changes several records', async () => {
    const records = await Promise.all([marked('next'), marked('next'), marked('next')]);
    const ids = records.map(({ record }) => record.id);
    await asSite(`update next_projects set website_url = 'https://elsewhere.example.org' where id = any($1)`, [ids]);
    for (const { record } of records) expect(await verifiedOf(record)).toEqual([]);
  });

  it('but not a change of fields that the proof does not cover', async () => {
    const { record } = await marked('candidate');
    await asSite(
      `update voting_candidates set description = 'x', price = 2, order_index = 7, total_votes = 3 where id = $1`,
      [record.id],
    );
    await asSite(`update voting_candidates set token_name = token_name where id = $1`, [record.id]);
    expect(await verifiedOf(record)).toHaveLength(1);
  });

  it('permanently: an ended proof cannot be restored, and no proof can be changed or deleted', async () => {
    const { record } = await marked('project');
    for (const change of [`subject = 'evil.example.org'`, `method = 'dns'`, `token = 'z'`])
      await expect(asSite(`update ownership_proofs set ${change} where project_id = $1`, [record.id])).rejects.toThrow(
        /kept as it was/,
      );
    await asSite(`update projects set token_name = 'Y' where id = $1`, [record.id]);
    await expect(
      asSite(`update ownership_proofs set state = 'valid', ended_at = null, end_reason = null where project_id = $1`, [
        record.id,
      ]),
    ).rejects.toThrow(/kept as it was/);
    await expect(asSite('delete from ownership_proofs where project_id = $1', [record.id])).rejects.toThrow(
      /permission denied/,
    );
  });

  it('also during a check of the proof, which then fails', async () => {
    const { host, api, record } = await published();
    const proof = await api.ownership.start({ ...record, method: 'file' });
    world.files.set(host, (_req, res) => {
      void asSite(`update projects set token_symbol = 'OTHER' where id = $1`, [record.id]).then(() =>
        res.end(proof.content),
      );
    });
    await expect(api.ownership.check({ id: proof.id })).rejects.toMatchObject({
      code: 'PROOF_NOT_FOUND',
      data: { why: 'changed' },
    });
    expect(await verifiedOf(record)).toEqual([]);
  });
});

it('a valid proof is listed for its creator, however many began and ended after it', async () => {
  const { record, api, proof, creator } = await proven();
  await app.sql(
    `insert into ownership_proofs (project_id, method, subject, token, state, started_at, started_by, ended_at, end_reason)
     select $1, 'dns', 'x.example.org', n, 'ended', $2::timestamptz + interval '1 hour', $3, $2::timestamptz + interval '2 hours', 'given_up'
     from generate_series(1, 10) n`,
    [record.id, app.now, creator.id],
  );
  const { proofs } = await api.ownership.mine(record);
  expect([proofs.length, proofs[0]]).toMatchObject([10, { id: proof.id, state: 'valid' }]);
});

it('a proof ends with the account of its creator, not with that of an admin who began it', async () => {
  const { record, creator } = await marked('project');
  expect(await verifiedOf(record)).toHaveLength(1);
  // What an admin began for somebody else's token is not the admin's.
  const other = await marked('project');
  const admin = await app.member({ role: 'admin' });
  await app.sql('update ownership_proofs set started_by = $2 where project_id = $1', [other.record.id, admin.id]);
  for (const { id } of [creator, admin]) await app.services.db.transaction((tx) => removeMember(tx, id, app.now));
  expect(await verifiedOf(record)).toEqual([]);
  expect(await verifiedOf(other.record)).toHaveLength(1);
  const entries = "select 1 from audit_events where action = 'proof.ended' and resource_id = $1";
  expect(await app.sql(entries, [record.id])).toHaveLength(1);
});

describe('the back office', () => {
  it('withdraws a proof with a reason, and removes the mark at once', async () => {
    const { record, proof, creator } = await proven();
    // Just signed in.
    const fresh = app.as(await app.member({ role: 'admin' })).admin;
    await expect(fresh.ownership.withdraw({ id: proof.id, reason: '' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const reason = 'La web ha sido vendida.';
    expect(await fresh.ownership.withdraw({ id: proof.id, reason })).toMatchObject({
      state: 'ended',
      endReason: 'withdrawn',
    });
    expect(await verifiedOf(record)).toEqual([]);
    await expect(fresh.ownership.withdraw({ id: proof.id, reason })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const entry = (await back.audit.list({ resourceType: 'project', resourceId: record.id })).rows.find(
      ({ action }) => action === 'proof.withdrawn',
    );
    expect(entry).toMatchObject({ reason });
    await runJob();
    expect((await app.as(creator).notifications.list({})).items.map(({ detail }) => detail)).toContain('proof_ended');
    expect((await app.as(creator).ownership.mine(record)).proofs[0]).toMatchObject({ endReason: 'withdrawn' });
  });

  it('notifies followers once when it withdraws all proofs of a token, one after the other', async () => {
    const { record, proof, api, host } = await proven();
    const second = await api.ownership.start({ ...record, method: 'dns' });
    world.dns.records.set(`_florka.${host}`, [[second.content ?? '']]);
    await api.ownership.check({ id: second.id });
    const fan = await app.member({ verified: true });
    await app.as(fan).saved.set({ ...record, saved: true });
    await app.as(fan).saved.setNotice({ ...record, on: true, locale: 'en' });
    const fresh = app.as(await app.member({ role: 'admin' })).admin;
    for (const { id } of [proof, second]) {
      await fresh.ownership.withdraw({ id, reason: 'La web ha sido vendida.' });
      app.pass(3);
    }
    await runJob();
    await runJob();
    const notices = (await app.as(fan).notifications.list({})).items.filter(({ detail }) => detail === 'unverified');
    expect(notices).toHaveLength(1);
    expect((await app.deliverMails()).filter(({ to }) => to === fan.email)).toHaveLength(1);
  });
});

it('the lists of home, launches and ranking show the same verified creators as the token page', async () => {
  const wanted = [{ by: 'file', what: expect.any(String), at: expect.any(String) }];
  const project = await marked('project');
  const next = await marked('next');
  const candidate = await marked('candidate');
  const lists: [readonly { id: string; verified: unknown }[], TokenRecord][] = [
    [(await visitor.projects.list({ limit: 100 })).items, project.record],
    [(await visitor.nextProjects.list({ limit: 100 })).items, next.record],
    [(await visitor.voting.ranking({ limit: 100 })).items, candidate.record],
  ];
  for (const [items, record] of lists) {
    const shown = items.find(({ id }) => id === record.id)?.verified;
    expect(shown).toEqual(wanted);
    expect(shown).toEqual(await verifiedOf(record));
  }
});

describe('the scheduled checks of proofs', () => {
  it('run every day, and end a proof after four failures in a row', async () => {
    const { record, host, proof } = await proven();
    const file = world.files.get(host) ?? '';
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    world.files.delete(host);
    app.pass(DAY);
    for (let failures = 1; failures <= 3; failures++) {
      await runJob();
      const [row] = await app.sql('select failures, state from ownership_proofs where id = $1', [proof.id]);
      expect(row).toEqual({ failures, state: 'valid' });
      app.pass(DAY / 4);
    }
    // A proof that is found again has no failures.
    world.files.set(host, file);
    await runJob();
    expect((await app.sql('select failures from ownership_proofs where id = $1', [proof.id]))[0]).toEqual({
      failures: 0,
    });
    world.files.delete(host);
    app.pass(DAY);
    for (let n = 0; n < 4; n++) {
      await runJob();
      app.pass(DAY / 4);
    }
    expect(await verifiedOf(record)).toEqual([]);
    expect((await app.sql('select end_reason from ownership_proofs where id = $1', [proof.id]))[0]).toEqual({
      end_reason: 'lapsed',
    });
  });

  it('end a proof that expires, after one reminder; a renewal restarts its time', async () => {
    const { record, api, proof, creator } = await proven({ kind: 'next' });
    const reminders = () =>
      app.sql(`select 1 from notifications where user_id = $1 and detail = 'proof_ends'`, [creator.id]);
    app.pass(100 * DAY);
    const renewed = await api.ownership.check({ id: proof.id });
    expect(renewed.provenAt).not.toBe(app.now.toISOString());
    expect(renewed.expiresAt).toBe(new Date(app.now.getTime() + 180 * DAY).toISOString());
    app.pass(165 * DAY);
    await runJob();
    expect(await reminders()).toHaveLength(0);
    app.pass(2 * DAY);
    await runJob();
    await runJob();
    expect(await reminders()).toHaveLength(1);
    app.pass(12 * DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toEqual([]);
  });

  it('end the proof of a wallet that is no longer the owner', async () => {
    const { api, wallet, record, requestId } = await created();
    const { nonce, message } = await api.ownership.startWallet({ ...record, address: wallet.address });
    await api.ownership.proveWallet({ nonce, signature: await wallet.sign(message) });
    app.pass(DAY);
    await runJob();
    expect(await verifiedOf(record)).toHaveLength(1);
    // Facts read from the chain are immutable, so only the owner of the database can change the recorded owner now.
    const { address } = evmWallet();
    await app.sql(`alter table token_creations disable trigger user;
      update token_creations set snapshot = jsonb_set(snapshot, '{owner}', '"${address}"'),
        snapshot_hash = token_snapshot_hash(jsonb_set(snapshot, '{owner}', '"${address}"')) where submission_id = '${requestId}';
      alter table token_creations enable trigger user`);
    const proof = async () =>
      (
        await app.sql('select state, failures, end_reason from ownership_proofs where candidate_id = $1', [record.id])
      )[0];
    app.pass(DAY);
    for (let failures = 1; failures <= 3; failures++) {
      await runJob();
      expect(await proof()).toEqual({ state: 'valid', failures, end_reason: null });
      app.pass(DAY / 4);
    }
    await runJob();
    expect(await proof()).toMatchObject({ state: 'ended', end_reason: 'lapsed' });
    expect(await verifiedOf(record)).toEqual([]);
    await runJob();
    expect((await api.notifications.list({})).items.map(({ detail }) => detail)).toContain('proof_ended');
  });
});
