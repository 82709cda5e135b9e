import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import input from '#server/providers/chains/contracts/LaunchToken.input.json' with { type: 'json' };
import artifact from '#server/providers/chains/contracts/LaunchToken.json' with { type: 'json' };
import { etherscan } from '#server/providers/explorer/etherscan.ts';
import { openExplorer } from '#server/providers/explorer/open.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { startExplorer } from '#tests/support/chains/explorer-server.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { verifySources } from './sources.service.ts';

const KEY = 'KEYOFTHEEXPLORER';
const server = await startExplorer({ apiKey: KEY });
afterAll(() => server.close());
const explorer = etherscan({ url: server.url, apiKey: KEY });
const app = await startTestApp();
const admin = app.as(await app.member({ role: 'admin' })).admin;
const ARGUMENTS = 'ab'.repeat(64);
const MINUTE = 60_000;

beforeEach(async () => {
  Object.assign(server.box, {
    refuses: null,
    says: { status: '0', result: 'Pending in queue' },
    broken: null,
    calls: 0,
  });
  server.submissions.clear();
  // Excludes the tokens of earlier tests.
  await app.sql(
    `insert into contract_sources (creation_id, state, verified_at) select id, 'verified', now() from token_creations
      on conflict (creation_id) do update set state = 'verified', guid = null, next_try_at = null, verified_at = now()`,
  );
});
const run = (over: { explorer?: typeof explorer | null } = {}) =>
  verifySources({
    db: app.services.db,
    explorer: over.explorer === undefined ? explorer : over.explorer,
    now: app.now,
  });

let serial = 0;
/** A token created on a chain, and the state of its source. */
async function made({ chainId = '56', simulation = false, code = artifact.creationCode + ARGUMENTS } = {}) {
  const guest = app.as(null, { address: `10.73.${++serial}.1` });
  const { id, orderKey: key } = await guest.tokenRequests.create({ data: COMPLETE });
  const { address } = await createdToken(app, id, { simulation, chainId, plan: { initCode: code } });
  const source = async () => (await admin.tokenRequests.read({ id })).creation?.source ?? null;
  return { id, key, guest, address, source };
}

describe('the source of a contract', () => {
  it('is submitted to the explorer in its format, and verified once the explorer confirms it', async () => {
    const one = await made();
    expect(await one.source()).toBeNull();
    expect(await run()).toMatchObject({ verified: 0 });
    const [submission] = [...server.submissions.values()].filter(
      ({ fields }) => fields['contractaddress'] === one.address,
    );
    expect(submission).toMatchObject({
      chainId: '56',
      fields: {
        codeformat: 'solidity-standard-json-input',
        contractname: 'LaunchToken.sol:LaunchToken',
        compilerversion: 'v0.8.37+commit.f401782d',
        constructorArguements: ARGUMENTS,
      },
    });
    expect(JSON.parse(submission?.fields['sourceCode'] ?? '')).toEqual(input);
    expect(await one.source()).toMatchObject({ state: 'submitted', attempts: 1, verifiedAt: null });
    // Not polled before its time.
    expect((await run()).polled).toBe(0);
    app.pass(MINUTE);
    await run();
    expect(await one.source()).toMatchObject({ state: 'submitted', detail: 'Pending in queue' });
    server.box.says = { status: '1', result: 'Pass - Verified' };
    app.pass(10 * MINUTE);
    expect((await run()).verified).toBe(1);
    expect(await one.source()).toEqual({
      state: 'verified',
      detail: null,
      attempts: 3,
      nextAttemptAt: null,
      verifiedAt: app.now.toISOString(),
    });
    app.pass(1_000 * MINUTE);
    expect((await run()).polled).toBe(0);
  });

  it('is shown on the token page only once it is verified', async () => {
    const one = await made();
    const project = await admin.showcase.add({ requestId: one.id, as: 'project' });
    const page = async () => (await app.as().tokens.find({ slug: project.slug })).facts.creation?.sourceVerifiedAt;
    await run();
    expect(await page()).toBeNull();
    server.box.says = { status: '0', result: 'Already Verified' };
    app.pass(MINUTE);
    await run();
    expect(await page()).toBe(app.now.toISOString());
  });

  it('is retried while the explorer fails or does not know the contract, and refused after 40 attempts', async () => {
    const one = await made();
    for (const failure of [
      { broken: { status: 502, body: '<html>' } },
      { broken: { status: 200, body: '<html>' } },
      { broken: { status: 200, body: '{"status":"1"}' } },
      { refuses: 'Max rate limit reached, please use API Key for higher rate limit' },
      { refuses: 'Unable to locate ContractCode at 0x1' },
    ]) {
      Object.assign(server.box, { broken: null, refuses: null }, failure);
      app.pass(400 * MINUTE);
      await run();
      expect(await one.source()).toMatchObject({ state: 'waiting' });
    }
    expect((await one.source())?.detail).toBe('Unable to locate ContractCode at 0x1');
    for (let i = 5; i < 40; i++) {
      app.pass(400 * MINUTE);
      await run();
    }
    expect(await one.source()).toMatchObject({ state: 'refused', attempts: 40, nextAttemptAt: null });
    expect((await one.source())?.detail).toMatch(/^Given up: Unable to locate/);
  });

  it('is retried after two minutes, then with delays that double up to six hours, for about eight days', async () => {
    const one = await made();
    server.box.broken = { status: 502, body: '' };
    const pauses: number[] = [];
    for (;;) {
      await run();
      const { nextAttemptAt } = (await one.source()) ?? {};
      if (!nextAttemptAt) break;
      const pause = Date.parse(nextAttemptAt) - app.now.getTime();
      pauses.push(pause / MINUTE);
      app.pass(pause);
    }
    expect(pauses.slice(0, 10)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
    expect(new Set(pauses.slice(8))).toEqual(new Set([360]));
    expect(pauses).toHaveLength(39);
    expect(pauses.reduce((sum, pause) => sum + pause, 0) / (24 * 60)).toBeCloseTo(8.1, 1);
    // After ten attempts, about a day, it waits in the inbox.
    expect(pauses.slice(0, 10).reduce((sum, pause) => sum + pause, 0) / 60).toBeCloseTo(20.5, 0);
  });

  it('is in the inbox after ten unanswered attempts or a refusal, until an admin submits it again', async () => {
    const one = await made();
    const mine = async () => (await admin.inbox.list({ source: 'source' })).items.filter(({ id }) => id === one.id);
    const items = async () => (await mine()).map(({ details }) => details[1]);
    server.box.broken = { status: 503, body: '' };
    for (let i = 1; i < 10; i++) {
      app.pass(400 * MINUTE);
      await run();
      expect(await items()).toEqual([]);
    }
    app.pass(400 * MINUTE);
    await run();
    expect(await items()).toEqual(['waiting']);
    // Further attempts do not put its deadline off.
    const since = app.now.toISOString();
    app.pass(400 * MINUTE);
    await run();
    expect(await mine()).toMatchObject([{ since }]);
    Object.assign(server.box, { broken: null, refuses: 'Fail - Unable to verify' });
    app.pass(400 * MINUTE);
    await run();
    expect(await items()).toEqual(['refused']);
    expect(await admin.tokenRequests.retrySource({ requestId: one.id })).toEqual({ ok: true });
    expect(await one.source()).toMatchObject({ state: 'waiting', attempts: 0, detail: 'Fail - Unable to verify' });
    await expect(admin.tokenRequests.retrySource({ requestId: one.id })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
    expect(await items()).toEqual([]);
    server.box.refuses = 'Contract source code already verified';
    await run();
    expect(await one.source()).toMatchObject({ state: 'verified', detail: null });
    const rows = await app.sql(
      "select action from audit_events where resource_id = $1 and action like 'token.source%' order by id",
      [one.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'token.source_refused',
      'token.source_retried',
      'token.source_verified',
    ]);
  });

  it('cannot be submitted again if it never was, nor by others than admins', async () => {
    const one = await made({ chainId: '31337' });
    await expect(admin.tokenRequests.retrySource({ requestId: one.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const moderator = app.as(await app.member({ role: 'moderator' })).admin;
    await expect(moderator.tokenRequests.retrySource({ requestId: one.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('has its state on the order page', async () => {
    const one = await made();
    const seen = async () => (await one.guest.tokenRequests.order({ id: one.id, key: one.key })).token.source;
    expect(await seen()).toBeNull();
    await run();
    expect(await seen()).toEqual({ state: 'submitted', verifiedAt: null });
    server.box.says = { status: '1', result: 'Pass - Verified' };
    app.pass(MINUTE);
    await run();
    expect(await seen()).toEqual({ state: 'verified', verifiedAt: app.now.toISOString() });
  });

  it('is refused when the explorer finds other bytecode, and when the token has another contract', async () => {
    server.box.says = { status: '0', result: 'Fail - Unable to verify. Bytecode does not match' };
    const one = await made();
    await run();
    app.pass(MINUTE);
    await run();
    expect(await one.source()).toMatchObject({ state: 'refused', detail: server.box.says.result });
    const other = await made({ code: '0x6001' });
    const before = server.box.calls;
    await run();
    expect(await other.source()).toMatchObject({ state: 'refused', detail: expect.stringContaining('another') });
    expect(server.box.calls).toBe(before);
  });

  it.each([{ chainId: '31337' }, { chainId: '1', simulation: true }])(
    'is not submitted on a test chain or for a simulation: %o',
    async (over) => {
      const one = await made(over);
      await run();
      expect(await one.source()).toBeNull();
    },
  );

  it('is not submitted without an API key', async () => {
    const one = await made();
    expect(openExplorer({ ETHERSCAN_URL: server.url })).toBeNull();
    expect(await run({ explorer: null })).toEqual({ polled: 0, verified: 0 });
    expect([await one.source(), server.box.calls]).toEqual([null, 0]);
  });

  it('is recorded as attempted once when two processes run concurrently', async () => {
    const one = await made();
    await Promise.all([run(), run()]);
    expect((await one.source())?.attempts).toBe(1);
  });
});
