import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Resemblance } from '#contract/resemblance.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { sampleToken } from '#tests/support/samples/resemblance-samples.ts';
import { isOneEdit } from './resemblance.policy.ts';
import { findResemblances } from './resemblance.ts';

const app = await startTestApp();
const { db, media } = app.services;
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;

let serial = 0;
/** An address that resembles no other. */
const address = () => `0x${(++serial).toString(16).padStart(4, '0').repeat(10)}`;
const token = (over: object = {}) => ({
  tokenName: 'Ajolote Dorado',
  tokenSymbol: 'AJOLO',
  tokenAddress: address(),
  websiteUrl: 'https://www.ajolote.org/inicio',
  twitterUrl: 'https://twitter.com/ajolote_oficial',
  ...over,
});
const other = (over: object = {}) => ({
  tokenName: 'Zorro Mercurio',
  tokenSymbol: 'ZMR',
  tokenAddress: address(),
  websiteUrl: 'https://zorromercurio.example/',
  ...over,
});
const alikeOf = async (given: Parameters<typeof findResemblances>[1], publicOnly = false) =>
  Object.fromEntries((await findResemblances(db, given, { publicOnly })).map(({ name, alike }) => [name, alike]));
const logo = (seed: number) =>
  sharp(Buffer.from(sampleToken(seed).svg))
    .png()
    .toBuffer();
const upload = async (bytes: Buffer) =>
  media.store({
    bytes,
    declared: null,
    bucket: 'project-images',
    owner: { userId: admin.id },
    actor: { id: admin.id, role: 'admin', ipHash: null, requestId: null },
  });

let original: { id: string; tokenAddress: string };
let picture: string;
beforeAll(async () => {
  picture = (await upload(await logo(3))).url;
  original = await back.projects.create({ ...token({ imageUrl: picture }), status: 'published_home' });
});

describe('a resemblance is found in', () => {
  it.each([
    ['a letter of another alphabet', { tokenName: 'Аjоlоte Dorаdo' }, ['name']],
    ['digits for letters', { tokenName: 'Aj0l0te D0rad0' }, ['name']],
    ['an added character', { tokenName: 'Ajolote Doraddo' }, ['name']],
    ['a missing character', { tokenName: 'Ajolot Dorado' }, ['name']],
    ['two swapped characters', { tokenName: 'Ajoltoe Dorado' }, ['name']],
    ['an added common word', { tokenName: 'Ajolote Dorado Token 2.0' }, ['name']],
    ['invisible characters', { tokenName: 'Ajo\u200blote\u00ad Dorado' }, ['name']],
    ['its symbol', { tokenSymbol: 'AJ0LO' }, ['symbol']],
    ['its website under another top-level domain', { websiteUrl: 'http://ajolote.finance/' }, ['link']],
    ['a host that differs in one character', { websiteUrl: 'https://ajolotte.io' }, ['link']],
    [
      'a host in another alphabet, as browsers write it',
      { websiteUrl: URL.parse('https://аjolote.io')?.href },
      ['link'],
    ],
    ['its account, with the other host of the network', { twitterUrl: 'https://x.com/AJOLOTE_oficial?s=20' }, ['link']],
  ])('%s', async (_, over, alike) => {
    expect(await alikeOf(other(over))).toEqual({ 'Ajolote Dorado': alike });
  });

  it('the first and last characters of its contract, which people compare', async () => {
    const { tokenAddress } = original;
    const poisoned = `${tokenAddress.slice(0, 6)}${'ab'.repeat(16)}${tokenAddress.slice(-4)}`;
    expect(await alikeOf(other({ contractAddress: poisoned }))).toEqual({ 'Ajolote Dorado': ['contract'] });
    expect(await alikeOf(other({ contractAddress: tokenAddress.toUpperCase().replace('X', 'x') }))).toEqual({
      'Ajolote Dorado': ['contract'],
    });
  });

  it('its image in another size, encoding and tone', async () => {
    const copy = await sharp(await logo(3))
      .resize(140)
      .flatten({ background: '#fff' })
      .modulate({ hue: 40 })
      .jpeg({ quality: 45 })
      .toBuffer();
    expect(await alikeOf(other({ imageUrl: (await upload(copy)).url }))).toEqual({ 'Ajolote Dorado': ['picture'] });
    expect(await alikeOf(other({ imageUrl: (await upload(await logo(11))).url }))).toEqual({});
  });

  it('no token that shares only a host, top-level domain, short symbol or colour', async () => {
    const plain = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336' } })
      .png()
      .toBuffer();
    const flat = (await upload(plain)).url;
    await back.projects.create({
      ...other({ imageUrl: flat, telegramUrl: 'https://t.me/zorro' }),
      status: 'published_home',
    });
    expect(
      await alikeOf({
        tokenName: 'Pulpo Azul',
        tokenSymbol: 'ZM',
        websiteUrl: 'https://pulpo.example/',
        telegramUrl: 'https://t.me/pulpo',
        imageUrl: (await upload(plain)).url,
      }),
    ).toEqual({});
  });

  it('names that are one edit apart, in either direction', () => {
    for (const [one, two] of [
      ['pepe', 'pepes'],
      ['pepe', 'pape'],
      ['pepe', 'ppee'],
      ['a', ''],
    ] as const) {
      expect(isOneEdit(one, two)).toBe(true);
      expect(isOneEdit(two, one)).toBe(true);
    }
    for (const [one, two] of [
      ['pepe', 'pepe'],
      ['pepe', 'papa'],
      ['pepe', 'epep'],
      ['pepe', 'pepito'],
      ['abcd', 'badc'],
    ] as const)
      expect(isOneEdit(one, two)).toBe(false);
  });
});

describe('an applicant for a publication', () => {
  let calls = 0;
  const request = (over: object = {}) => ({
    projectName: 'Ajolote D0rado',
    symbol: 'QQX',
    description: 'x',
    submitterName: 'Ana',
    submitterEmail: `ana${++calls}@florka.test`,
    ...over,
  });
  const guest = () => app.as(null, { address: `10.9.${++serial}.1` });

  it('sees which public token theirs resembles and in what, and can submit it anyway', async () => {
    const input = request();
    const api = guest();
    const refused = await api.submissions.create(input).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'RESEMBLES',
      status: 409,
      data: { found: [{ kind: 'project', name: 'Ajolote Dorado', path: '/token/ajolote-dorado', alike: ['name'] }] },
    });
    expect(
      await app.sql('select 1 from project_submissions where submitter_email = $1', [input.submitterEmail]),
    ).toEqual([]);
    const { id } = await api.submissions.create({ ...input, resemblanceAccepted: true });
    const [entry] = await app.sql(`select after from audit_events where resource_id = $1`, [id]);
    expect(entry).toMatchObject({ after: { resemblanceAccepted: 'Ajolote Dorado (name)' } });
    expect((await back.submissions.read({ id })).resembles).toMatchObject([{ id: original.id, alike: ['name'] }]);
  });

  it('does not see tokens that are not public; staff does, and has to confirm', async () => {
    const hidden = await back.projects.create({
      tokenName: 'Secreto Nocturno',
      tokenSymbol: 'SCRN',
      tokenAddress: address(),
    });
    const input = request({ projectName: 'Secreto N0cturno' });
    const { id } = await guest().submissions.create(input);
    const [found] = (await back.submissions.read({ id })).resembles as Resemblance[];
    expect(found).toEqual({
      kind: 'project',
      id: hidden.id,
      name: 'Secreto Nocturno',
      symbol: 'SCRN',
      path: null,
      alike: ['name'],
    });
    const publish = { id, version: 1, as: 'next_project', adminNotes: '' } as const;
    await expect(back.submissions.publish(publish)).rejects.toMatchObject({ code: 'RESEMBLES' });
    expect(await back.submissions.read({ id })).toMatchObject({ status: 'new', made: null });
    const { made } = await back.submissions.publish({ ...publish, resemblanceAccepted: true });
    const [entry] = await app.sql(`select actor_id, after from audit_events where resource_id = $1`, [made?.id]);
    expect(entry).toMatchObject({
      actor_id: admin.id,
      after: { resemblanceAccepted: 'Secreto Nocturno (name)' },
    });
    // The record created from the application is not one that it resembles.
    expect((await back.submissions.read({ id })).resembles.map(({ id: one }) => one)).toEqual([hidden.id]);
  });
});

describe('an editor', () => {
  it.each(['projects', 'nextProjects', 'candidates'] as const)(
    'of %s has to confirm a resemblance; until then nothing is saved',
    async (kind) => {
      const fields = kind === 'candidates' ? {} : { tokenAddress: address() };
      const name = `Tapir ${kind}`;
      const make = (over: object) =>
        back[kind].create({ tokenName: name, tokenSymbol: kind.slice(0, 3), ...fields, ...over } as never);
      await expect(make({ tokenName: 'Ajolote Dоrado' })).rejects.toMatchObject({
        code: 'RESEMBLES',
        data: { found: [{ id: original.id, alike: ['name'] }] },
      });
      const made = await make({});
      const all = kind === 'candidates' ? candidateFields(made as never) : {};
      const change = (over: object) => back[kind].update({ id: made.id, version: 1, ...all, ...over } as never);
      await expect(change({ tokenSymbol: 'AJOLO' })).rejects.toMatchObject({ code: 'RESEMBLES' });
      expect(await app.sql(`select 1 from audit_events where resource_id = $1`, [made.id])).toHaveLength(1);
      await change({ tokenSymbol: 'AJOLO', resemblanceAccepted: true });
      const [, entry] = await app.sql(`select after from audit_events where resource_id = $1 order by id`, [made.id]);
      expect(entry).toMatchObject({
        after: { tokenSymbol: 'AJOLO', resemblanceAccepted: expect.stringContaining('Ajolote Dorado (symbol)') },
      });
      await app.sql(`delete from ${TABLES[kind]} where id = $1`, [made.id]);
    },
  );

  it.each(['project', 'next_project'] as const)(
    'has to confirm it too when a restored version of a %s resembles a token created since',
    async (kind) => {
      const form = kind === 'project' ? back.projects : back.nextProjects;
      const early = `Colmena ${kind} ${serial}`;
      const made = await form.create({ ...other(), tokenName: early, tokenSymbol: 'CLM', resemblanceAccepted: true });
      const renamed = await form.update({
        id: made.id,
        version: made.version,
        tokenName: `Velero ${kind} ${serial}`,
        tokenSymbol: 'VLR',
        resemblanceAccepted: true,
      });
      const since = await back.projects.create({ ...other({ websiteUrl: null }), tokenName: early, tokenSymbol: 'QQ' });
      const wanted = { kind, id: made.id, version: renamed.version, restore: made.version };
      await expect(back.editorial.restoreVersion(wanted)).rejects.toMatchObject({
        code: 'RESEMBLES',
        data: { found: expect.arrayContaining([expect.objectContaining({ id: since.id, alike: ['name'] })]) },
      });
      const { version } = await back.editorial.restoreVersion({ ...wanted, resemblanceAccepted: true });
      expect(version).toBe(renamed.version + 1);
      const history = await back.audit.list({ resourceType: kind, resourceId: made.id });
      expect(history.rows[0]).toMatchObject({
        action: `${kind}.version_restored`,
        after: { restoredFrom: made.version, resemblanceAccepted: expect.stringContaining(`${early} (name)`) },
      });
    },
  );

  it('does not have to confirm resemblances in unchanged fields', async () => {
    const made = await back.projects.create({
      ...other({ tokenName: 'Ajolote Doradoo', tokenSymbol: 'NEW', websiteUrl: null }),
      resemblanceAccepted: true,
    });
    const next = await back.projects.update({ id: made.id, version: 1, description: 'Otra cosa' });
    await expect(
      back.projects.update({ id: made.id, version: next.version, tokenSymbol: 'Ajolo' }),
    ).rejects.toMatchObject({ code: 'RESEMBLES', data: { found: [{ alike: ['name', 'symbol'] }] } });
    await app.sql('delete from projects where id = $1', [made.id]);
  });
});

describe('a token restored from the trash', () => {
  const KIND = { projects: 'project', nextProjects: 'next_project', candidates: 'candidate' } as const;
  const make = (kind: keyof typeof KIND, tokenName: string, tokenSymbol: string) =>
    back[kind].create({
      tokenName,
      tokenSymbol,
      ...(kind === 'candidates' ? {} : { tokenAddress: address() }),
    } as never);
  const lastEntry = async (id: string) =>
    (await app.sql('select action, after from audit_events where resource_id = $1 order by id desc limit 1', [id]))[0];

  it.each(['projects', 'nextProjects', 'candidates'] as const)(
    'of %s is compared with tokens created since, and is restored once the editor confirms the resemblance',
    async (kind) => {
      const one = await make(kind, `Cenote ${kind}`, `K${kind.slice(0, 2)}`);
      await back[kind].remove({ id: one.id, version: 1 });
      const since = await back.projects.create({
        tokenName: `Cen0te ${kind}`,
        tokenSymbol: `Y${kind.slice(0, 2)}`,
        tokenAddress: address(),
        status: 'published_home',
      });
      for (const undo of [false, true])
        await expect(back[kind].restore({ id: one.id, undo })).rejects.toMatchObject({
          code: 'RESEMBLES',
          data: { found: [{ kind: 'project', id: since.id, alike: ['name'] }] },
        });
      expect((await back.records.restore({ kind: KIND[kind], ids: [one.id] })).results).toEqual([
        { id: one.id, outcome: 'refused', code: 'RESEMBLES' },
      ]);
      expect(await lastEntry(one.id)).toMatchObject({ action: `${KIND[kind]}.deleted` });
      const restored = await back[kind].restore({ id: one.id, undo: true, resemblanceAccepted: true });
      expect(restored).toMatchObject({ id: one.id, deletedAt: null, tokenName: `Cenote ${kind}` });
      expect(await lastEntry(one.id)).toMatchObject({
        action: `${KIND[kind]}.restored`,
        after: { tokenName: `Cenote ${kind}`, resemblanceAccepted: `Cen0te ${kind} (name)` },
      });
    },
  );

  it.each(['projects', 'nextProjects', 'candidates'] as const)(
    'of %s needs no confirmation when it resembles none: alone, as an undo and in a bulk action',
    async (kind) => {
      const one = await make(kind, `Quetzal ${kind} solo`, `W${kind.slice(0, 3)}`);
      await back[kind].remove({ id: one.id, version: 1 });
      await back[kind].restore({ id: one.id, undo: true });
      expect((await lastEntry(one.id))?.['after']).not.toHaveProperty('resemblanceAccepted');
      await back[kind].remove({ id: one.id, version: 3 });
      await back[kind].restore({ id: one.id });
      await back[kind].remove({ id: one.id, version: 5 });
      expect((await back.records.restore({ kind: KIND[kind], ids: [one.id] })).results).toEqual([
        { id: one.id, outcome: 'done', code: null },
      ]);
    },
  );
});

describe('the comparison keys', () => {
  const keys = (id: string) => app.sql('select name_key from likeness_keys where record_id = $1', [id]);

  it('follow every change of a token, plain SQL included, and are deleted with it', async () => {
    const { id } = await app.project({ token_name: 'Cometa Uno' });
    expect(await keys(id)).toEqual([{ name_key: expect.stringContaining('cometa') }]);
    await app.sql(`update projects set token_name = 'Otra Luz' where id = $1`, [id]);
    expect(await alikeOf(other({ tokenName: 'otraluz' }))).toHaveProperty('Otra Luz');
    await app.sql('update projects set deleted_at = now() where id = $1', [id]);
    expect(await keys(id)).toEqual([]);
    await app.sql('update projects set deleted_at = null where id = $1', [id]);
    expect(await keys(id)).toHaveLength(1);
    await app.sql('delete from projects where id = $1', [id]);
    expect(await keys(id)).toEqual([]);
  });

  it('of older images are computed by the job that cleans uploads', async () => {
    const image = await upload(await logo(5));
    const [before] = await app.sql('select picture_key from media where id = $1', [image.id]);
    await app.sql('update media set picture_key = null where id = $1', [image.id]);
    expect((await media.clean({ now: app.now, deletedOnly: false })).looked).toBe(1);
    const [after] = await app.sql<{ picture_key: string }>('select picture_key from media where id = $1', [image.id]);
    expect(bitsApart(before?.['picture_key'] as string, after?.picture_key ?? '')).toBeLessThanOrEqual(6);
    expect((await media.clean({ now: app.now, deletedOnly: false })).looked).toBe(0);
  });
});

const TABLES = { projects: 'projects', nextProjects: 'next_projects', candidates: 'voting_candidates' };
const bitsApart = (one: string, two: string) => [...one].filter((bit, i) => bit !== two[i]).length;
/** A candidate is saved with all its fields. */
function candidateFields({
  id: _id,
  version: _version,
  createdAt: _created,
  updatedAt: _updated,
  deletedAt: _deleted,
  tokenSlug: _slug,
  totalVotes: _votes,
  votesToday: _today,
  wonRound: _won,
  resetId: _reset,
  resetAt: _at,
  resetVotes: _reset_votes,
  ...rest
}: Record<string, unknown>) {
  return rest;
}
