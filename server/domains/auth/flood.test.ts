import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { hashPassword } from './passwords/passwords.ts';
import { DEVICE_SECONDS, makeDeviceMark, readDeviceMark } from './sessions/known-device.ts';

const app = await startTestApp();
const PASSWORD = 'six-or-more';
const HOUR = 3_600_000;
let serial = 0;

/** A member with a password, who signed in and out in this browser. */
async function returningMember(address = '192.0.2.1') {
  app.pass(HOUR);
  const email = `ana${++serial}@florka.test`;
  await app.browser({ address }).api.auth.signUp({ email, password: PASSWORD });
  const browser = app.browser({ address });
  await browser.api.auth.signIn({ email, password: PASSWORD });
  await browser.api.auth.signOut();
  return { email, browser };
}

describe('a flood of requests from unknown browsers', () => {
  it('does not keep members from signing in in a known browser', async () => {
    const { email, browser } = await returningMember();
    // More than the limit: the queue of unknown browsers is full while these are computed.
    const flood = Array.from({ length: 60 }, () => hashPassword('a stranger', 'stranger'));
    const settled = Promise.allSettled(flood);
    const [known, unknown] = await Promise.allSettled([
      browser.api.auth.signIn({ email, password: PASSWORD }),
      hashPassword('one more', 'stranger'),
    ]);
    expect(unknown).toMatchObject({ status: 'rejected', reason: { code: 'BUSY' } });
    expect(known).toMatchObject({ status: 'fulfilled' });
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
  });

  it('from their own network does not keep members from signing in in a known browser', async () => {
    const { email, browser } = await returningMember('198.51.100.1');
    app.pass(60_001);
    const attempt = (i: number, address: string) =>
      app.browser({ address }).api.auth.signIn({ email: `nobody${i}@florka.test`, password: PASSWORD });
    const codes: string[] = [];
    for (let i = 0; i < 8 * LIMITS.signInAddressMinute.hits + 1; i++)
      await attempt(i, `198.51.100.${2 + (i % 100)}`).catch((error: { code: string }) => codes.push(error.code));
    expect([codes.pop(), ...new Set(codes)]).toEqual(['RATE_LIMITED', 'INVALID_CREDENTIALS']);
    const elsewhere = app.browser({ address: '198.51.100.1' });
    await expect(elsewhere.api.auth.signIn({ email, password: PASSWORD })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await browser.api.auth.signIn({ email, password: PASSWORD });
  });

  /** Signs up from a separate /64 of one /48; returns the outcome. */
  const signUpFrom = async (site: string, i: number, solve: boolean): Promise<string> => {
    const from = app.browser({ address: `2001:db8:${site}:${(i * 256).toString(16)}::1` });
    const input = { email: `many${site}-${i}@florka.test`, password: PASSWORD };
    return from.api.auth.signUp(input).then(
      () => 'made',
      async (error: { code: string; data: { challenge: Record<string, unknown> } }) => {
        if (error.code !== 'CHALLENGE_NEEDED' || !solve) return error.code;
        const { challenge } = error.data;
        const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
        if (!solution) throw new Error('not solved');
        return from.api.auth.signUp({ ...input, challenge: { challenge, solution } }).then(
          () => 'worked for',
          (failure: { code: string }) => failure.code,
        );
      },
    );
  };
  const tally = (outcomes: string[]) =>
    Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([name, list]) => [name, list.length]));

  it('from one IPv6 site creates a few accounts, then needs a challenge for each, then gets none', async () => {
    app.pass(24 * HOUR);
    const idle: string[] = [];
    for (let i = 0; i < 150; i++) idle.push(await signUpFrom('5', i, false));
    expect(tally(idle)).toEqual({ made: LIMITS.signUpNetHour.hits, CHALLENGE_NEEDED: 150 - LIMITS.signUpNetHour.hits });
    app.pass(24 * HOUR);
    const diligent: string[] = [];
    for (let i = 0; i < 150; i++) diligent.push(await signUpFrom('6', i, true));
    const max = 8 * LIMITS.signUpAddressHour.hits;
    expect(tally(diligent)).toEqual({
      made: LIMITS.signUpNetHour.hits,
      'worked for': max - LIMITS.signUpNetHour.hits,
      RATE_LIMITED: 150 - max,
    });
    // Another network is not affected.
    expect(await signUpFrom('7', 0, false)).toBe('made');
  }, 120_000);

  it('with many spellings of one mailbox creates five accounts a day', async () => {
    app.pass(24 * HOUR);
    const spellings = ['a.na', 'an.a', 'a.n.a', 'ana+1', 'ana+2', 'ana', 'ana+3'].map((name, i) =>
      i % 2 ? `${name}@gmail.com` : `${name}@googlemail.com`,
    );
    const codes: string[] = [];
    for (const [i, email] of spellings.entries())
      await app
        .browser({ address: `10.${i}.7.1` })
        .api.auth.signUp({ email, password: PASSWORD })
        .then(
          () => codes.push('made'),
          (error: { code: string }) => codes.push(error.code),
        );
    expect(codes).toEqual([...Array(LIMITS.signUpMailboxDay.hits).fill('made'), 'RATE_LIMITED', 'RATE_LIMITED']);
    // At other providers, dots distinguish mailboxes.
    for (const [i, email] of ['b.ea', 'be.a', 'bea', 'b.e.a', 'cea', 'ce.a'].entries())
      await app
        .browser({ address: `10.${i}.8.1` })
        .api.auth.signUp({ email: `${email}@florka.test`, password: PASSWORD });
  });
});

describe('the cookie of a known browser', () => {
  const at = new Date('2026-03-10T12:00:00Z');
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);

  it('is valid for one account, for half a year, and only with our signature', () => {
    const mark = makeDeviceMark('secret', 'Ana@florka.test', at);
    const id = mark.split('.')[0];
    expect(readDeviceMark('secret', mark, 'ana@florka.test', later(DEVICE_SECONDS - 1))).toBe(id);
    expect(readDeviceMark('secret', mark, 'ana@florka.test', later(DEVICE_SECONDS + 1))).toBeNull();
    expect(readDeviceMark('secret', mark, 'ben@florka.test', at)).toBeNull();
    expect(readDeviceMark('other', mark, 'ana@florka.test', at)).toBeNull();
    for (const forged of [null, '', 'x', `${mark}x`, mark.replace(/.$/, mark.endsWith('A') ? 'B' : 'A')])
      expect(readDeviceMark('secret', forged, 'ana@florka.test', at)).toBeNull();
  });

  it('is set as HttpOnly at sign-in, remains after sign-out, and opens no session', async () => {
    const { email, browser } = await returningMember('192.0.2.77');
    expect(browser.cookie).toMatch(/(^|; )florka\.device=/);
    expect(await browser.api.auth.me()).toBeNull();
    await browser.api.auth.signIn({ email, password: PASSWORD });
    expect(browser.received.find((line) => line.startsWith('florka.device='))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('has a rate limit of its own, whatever address it is sent from', async () => {
    const { email, browser } = await returningMember('192.0.2.88');
    app.pass(HOUR);
    const { cookie } = browser;
    const codes: string[] = [];
    for (let i = 0; i <= LIMITS.signInDeviceMinute.hits; i++)
      await app
        .browser({ address: `10.${i}.0.1`, cookie })
        .api.auth.signIn({ email, password: 'wrong-password' })
        .catch((error: { code: string }) => codes.push(error.code));
    expect([codes.pop(), ...new Set(codes)]).toEqual(['RATE_LIMITED', 'INVALID_CREDENTIALS']);
  });
});
