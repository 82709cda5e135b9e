// Cookies that are forged, old, of somebody else, or chosen by an attacker.

import type { AttackContext } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { clearLimits, HttpClient, newPerson, signUp } from './people.ts';

/** @returns the number of tested cookies. */
export async function attackSessions(context: AttackContext, findings: Findings): Promise<number> {
  const { target, victim } = context;
  await clearLimits(target);
  let tried = 0;
  /** True when this cookie opens an account, tested with a call that answers its owner only. */
  const opens = async (what: string, cookie: string): Promise<boolean> => {
    tried++;
    const answer = await new HttpClient('visitor', target.url).request('GET', '/api/account', { headers: { cookie } });
    checkResponse(findings, 'admin', `a session: ${what}`, answer, []);
    return answer.status === 200;
  };
  const refuse = async (what: string, cookie: string) => {
    if (await opens(what, cookie)) findings.add('unauthorized access', `a session was opened by ${what}`);
  };
  const member = await signUp(target, 'member', 'cookies');
  const { cookie } = member;
  if (!(await opens('its owner', cookie))) findings.add('other', 'a session does not open for its owner');
  const [name = '', value = ''] = [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)];
  const [token = '', signature = ''] = decodeURIComponent(value).split('.');
  const [strangers = ''] = decodeURIComponent(victim.cookie.split('; ')[0]?.split('=').slice(1).join('=') ?? '').split(
    '.',
  );
  const forged: Record<string, string> = {
    'no signature': token,
    'an empty signature': `${token}.`,
    'a signature of another token': `${strangers}.${signature}`,
    'a turned signature': `${token}.${[...signature].reverse().join('')}`,
    'a longer token': `${token}x.${signature}`,
    'another case': `${token.toLowerCase()}.${signature}`,
    'the id of a member': `${victim.id}.${signature}`,
    'a NUL': `${token}%00.${signature}`,
    'a token of the base': 'null.null',
    'eight thousand characters': `${'a'.repeat(8_000)}.${signature}`,
    'broken escapes': '%E0%A4%A',
  };
  for (const [what, made] of Object.entries(forged))
    await refuse(what, `${name}=${made.includes('%') ? made : encodeURIComponent(made)}`);
  const { rows } = await target.db.query<{ token: string; id: string }>(
    'select id, token from sessions where user_id <> $1 limit 5',
    [member.id],
  );
  for (const row of rows) {
    await refuse('what the table of sessions holds', `${name}=${row.token}`);
    await refuse('what the table of sessions holds, with a signature', `${name}=${row.token}.${signature}`);
    await refuse('the number of a row', `${name}=${row.id}.${signature}`);
  }
  await refuse('another name of the cookie', cookie.replace(name, `__Secure-${name}`));
  await changes(context, member, refuse, findings);
  // The session after signing in must not be the one of a cookie that was in the browser before.
  const fixed = new HttpClient('member', target.url).setCookies(cookie);
  const inside = await fixed.send('POST', '/api/auth/sign-in', { email: victim.email, password: victim.password });
  if (inside.status !== 200) findings.add('other', `the victim could not sign in: ${inside.status}`);
  if (fixed.cookie === cookie) findings.add('unauthorized access', 'signing in keeps a session that was there before');
  return tried;
}

/** Actions that must end a session immediately. */
async function changes(
  context: AttackContext,
  member: HttpClient,
  refuse: (what: string, cookie: string) => Promise<void>,
  findings: Findings,
): Promise<void> {
  const { target } = context;
  const before = member.cookie;
  const proof = await member.send('POST', '/api/account/proof', { password: member.password });
  if (proof.status !== 200) findings.add('other', `a proof was refused: ${proof.status}`);
  await refuse('the token of before a proof', before);
  const old = member.cookie;
  const password = { current: member.password, next: 'another-staple-horse-3' };
  const changed = await member.send('POST', '/api/account/password', password);
  if (changed.status !== 200)
    findings.add('other', `a password was not changed: ${changed.status} ${changed.text.slice(0, 120)}`);
  await refuse('the token of before a new password', old);
  const last = member.cookie;
  await member.send('POST', '/api/auth/sign-out', {});
  await refuse('a session that was signed out', last);
  const banned = await newPerson(target, 'banned');
  await refuse('a banned member', banned.cookie);
  const late = await signUp(target, 'member', 'late');
  await target.db.query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [late.id]);
  await refuse('a session that ran out', late.cookie);
  const long = await signUp(target, 'member', 'long');
  await target.db.query(`update sessions set created_at = now() - interval '31 days' where user_id = $1`, [long.id]);
  await refuse('a session of a month ago', long.cookie);
}
