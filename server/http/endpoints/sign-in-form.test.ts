import { describe, expect, it } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ trustProxy: 1 });
const { address, newcomer, withSecondFactor } = peopleOf(app);
const SITE = 'http://florka.test';

/** Sends a form as a browser without scripts does. */
async function send(
  fields: Record<string, string>,
  { path = '/auth', headers = {} }: { path?: string; headers?: object } = {},
) {
  const answer = await app.http(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: SITE,
      referer: `${SITE}${path}`,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address(),
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
  const cookies = answer.headers.getSetCookie();
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    cache: answer.headers.get('cache-control'),
    cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '),
  };
}
const memberOf = async (cookie: string) =>
  ((await (await app.http('/api/me', { headers: { cookie } })).json()) as { id: string } | null)?.id;

describe('the sign-in form without scripts', () => {
  it('opens a session, and redirects to the home page in its language', async () => {
    const me = await newcomer();
    for (const [path, home] of [
      ['/auth', '/'],
      ['/en/auth', '/en'],
    ] as const) {
      const answer = await send({ email: ` ${me.email} `, password: PASSWORD }, { path });
      expect(answer).toMatchObject({ status: 303, location: home, cache: 'no-store' });
      expect(await memberOf(answer.cookie)).toBe(me.id);
    }
  });

  it('redirects to the page that contained it, and never to another site', async () => {
    const me = await newcomer();
    const from = async (referer: string) =>
      (await send({ email: me.email, password: PASSWORD }, { headers: { referer } })).location;
    expect(await from(`${SITE}/verify?token=a%20b`)).toBe('/verify?token=a%20b');
    expect(await from(`${SITE}/admin-login`)).toBe('/admin-login');
    expect(await from(`${SITE}//evil.test/`)).toBe('/');
    expect(await from('http://evil.test/page')).toBe('/');
    expect(await from('nonsense')).toBe('/');
  });

  it('redirects with the reason when it is refused, without a session', async () => {
    const me = await newcomer();
    for (const [fields, failed] of [
      [{ email: me.email, password: 'not-this-one' }, 'INVALID_CREDENTIALS'],
      [{ email: 'nobody@florka.test', password: PASSWORD }, 'INVALID_CREDENTIALS'],
      [{ email: 'no-address', password: PASSWORD }, 'BAD_REQUEST'],
      [{}, 'BAD_REQUEST'],
      [{ code: '123456' }, 'SECOND_STEP_OVER'],
      [{ code: '1' }, 'WRONG_CODE'],
    ] as const) {
      const answer = await send(fields);
      expect(answer).toMatchObject({ status: 303, location: `/auth?failed=${failed}`, cookie: '' });
    }
    expect((await send({}, { path: '/en/auth' })).location).toBe('/en/auth?failed=BAD_REQUEST');
  });

  it('accepts the second factor too', async () => {
    const me = await newcomer({ verified: true });
    const { code } = await withSecondFactor(me.browser);
    const first = await send({ email: me.email, password: PASSWORD });
    expect(first).toMatchObject({ status: 303, location: '/auth?failed=SECOND_FACTOR_NEEDED' });
    expect(first.cookie).not.toBe('');
    const headers = { cookie: first.cookie };
    expect((await send({ code: '000000' }, { headers })).location).toBe('/auth?failed=WRONG_CODE');
    const second = await send({ code: code().replace(/(?=.{3}$)/, ' ') }, { headers });
    expect(second).toMatchObject({ status: 303, location: '/' });
    expect(await memberOf(second.cookie)).toBe(me.id);
  });

  it('is rate-limited like the sign-in of the API', async () => {
    const me = await newcomer();
    const headers = { 'x-forwarded-for': address() };
    const places = [];
    for (let n = 0; n < 40; n++)
      places.push((await send({ email: me.email, password: 'wrong' }, { headers })).location);
    expect(places[0]).toBe('/auth?failed=INVALID_CREDENTIALS');
    expect(places.at(-1)).toBe('/auth?failed=RATE_LIMITED');
  });

  it('is refused from a page of another site', async () => {
    const me = await newcomer();
    for (const headers of [{ origin: 'http://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await send({ email: me.email, password: PASSWORD }, { headers });
      expect(answer).toMatchObject({ status: 403, location: null, cookie: '' });
    }
  });

  it('has a maximum size, and no other page accepts a form', async () => {
    expect((await send({ email: 'a'.repeat(10_000), password: PASSWORD })).status).toBe(413);
    for (const path of ['/account', '/reset', '/auth/', '/es/auth'])
      expect((await send({}, { path })).status).toBe(405);
  });
});
