// One-click sign-in for development. Only scripts/dev-site.ts mounts it, so no build holds it. The accounts have no
// password: in another program on the same database nobody could sign in as one of them.
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { sessionCookieName } from '#server/domains/auth/sessions/session-cookie.ts';
import type { Services } from '#server/services.ts';

export const SIGN_IN_PATH = '/dev/sign-in';
const COOKIE = sessionCookieName('http:');

const PEOPLE = {
  member: { email: 'ana@dev.florka.local', username: 'ana_dev', role: 'user' },
  moderator: { email: 'mod@dev.florka.local', username: 'mod_dev', role: 'moderator' },
  admin: { email: 'admin@dev.florka.local', username: 'admin_dev', role: 'admin' },
} as const;
type Person = keyof typeof PEOPLE;

/** GET shows a button for each person, POST signs in as the one named in the form; visitor signs out. */
export async function answerSignIn(
  req: IncomingMessage,
  res: ServerResponse,
  services: Services,
  secret: string,
): Promise<void> {
  if (req.method !== 'POST') {
    const viewer = await services.readSession(req.headers.cookie);
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    res.end(page(viewer ? `${viewer.email} (${viewer.role})` : 'a visitor'));
    return;
  }
  if ((req.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') {
    res.writeHead(403).end('Foreign page');
    return;
  }
  const who = new URLSearchParams(await text(req)).get('who') ?? '';
  const known = who in PEOPLE;
  if (!known && who !== 'visitor') {
    res.writeHead(400).end('who: visitor, member, moderator or admin');
    return;
  }
  const cookie = known
    ? `${COOKIE}=${await openSession(services.pool, who as Person, secret)}; Max-Age=604800`
    : `${COOKIE}=; Max-Age=0`;
  res.writeHead(303, { location: '/', 'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax` }).end();
}

/** Creates the account when it is missing, gives it its role, and opens a session; answers with the cookie's value. */
async function openSession(pool: pg.Pool, person: Person, secret: string): Promise<string> {
  const { email, username, role } = PEOPLE[person];
  await pool.query(
    `insert into users (name, email, email_verified, username, confirmed_at) values ($1, $2, true, $1, now())
     on conflict (email) do nothing`,
    [username, email],
  );
  const token = randomBytes(24).toString('base64url');
  await pool.query(
    `with account as (
       select id from users where email = $1
     ), role as (
       update user_roles set role = $2 where user_id = (select id from account)
     ), profile as (
       insert into admin_profiles (id) select id from account where $2 = 'admin' on conflict do nothing
     )
     insert into sessions (user_id, token, expires_at) select id, $3, now() + interval '7 days' from account`,
    [email, role, token],
  );
  return encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);
}

const page = (me: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in (development)</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
  :root { color-scheme: dark light; font: 1.1rem system-ui; }
  body { max-width: 30rem; margin: 4rem auto; padding: 0 1rem; }
  form { display: grid; gap: .75rem; }
  button { font: inherit; padding: .75rem; cursor: pointer; }
</style>
<h1>Sign in as</h1>
<p>You are ${me}. This page exists under <code>npm run dev</code> only.</p>
<form method="post">
${['visitor', ...Object.keys(PEOPLE)].map((who) => `  <button name="who" value="${who}">${who}</button>`).join('\n')}
</form>
</html>
`;
