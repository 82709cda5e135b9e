// The callers: each kind of person.
import type { StaffRole } from '#contract/staff.ts';
import { ADMIN, type Target } from './site.ts';

/** Admins of one part of the back office. `moderation` is one, `moderator` is the role of a member. */
export const STAFF_KINDS = ['editor', 'moderation', 'support', 'finance'] as const;
/** `admin` is an owner; `foreign` is a page of another site in an owner's browser. */
export const KINDS = [
  'visitor',
  'member',
  'banned',
  'signed-out',
  'moderator',
  ...STAFF_KINDS,
  'admin',
  'foreign',
] as const;
export type Kind = (typeof KINDS)[number];

/** The staff role of a kind of person; undefined for owners and for those without one. */
export function staffRoleOf(kind: Kind): StaffRole | undefined {
  const staff = STAFF_KINDS.find((one) => one === kind);
  return staff === 'moderation' ? 'moderator' : staff;
}

export interface Answer {
  /** The method that was sent. */
  method: string;
  status: number;
  headers: Headers;
  text: string;
}

let addresses = 0;
/** A separate network for each request, so that limits of one do not affect another. */
const newAddress = () =>
  `10.${Math.floor(++addresses / 62_500) % 250}.${Math.floor(addresses / 250) % 250}.${addresses % 250}`;

/** One browser: its cookies, its address, and further headers. */
export class HttpClient {
  readonly kind: Kind;
  readonly #url: string;
  readonly #jar = new Map<string, string>();
  readonly #headers: Record<string, string>;
  id = '';
  email = '';
  password = '';

  constructor(kind: Kind, url: string, headers: Record<string, string> = {}) {
    this.kind = kind;
    this.#url = url;
    this.#headers = headers;
  }

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Takes the cookies of another browser. */
  setCookies(cookie: string): this {
    for (const pair of cookie.split('; ').filter(Boolean)) {
      const mark = pair.indexOf('=');
      this.#jar.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
    return this;
  }

  /** @param keep true to store the cookies of the response. */
  async request(method: string, target: string, init: RequestInit = {}, keep = true): Promise<Answer> {
    const cookie = this.cookie;
    const response = await fetch(this.#url + target, {
      redirect: 'manual',
      ...init,
      method,
      headers: {
        'x-forwarded-for': newAddress(),
        ...(cookie ? { cookie } : {}),
        ...this.#headers,
        ...(init.headers as Record<string, string>),
      },
    });
    if (keep)
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split('; ');
        const name = pair.split('=')[0] ?? '';
        if (/max-age=0/i.test(line)) this.#jar.delete(name);
        else this.#jar.set(name, pair.slice(name.length + 1));
      }
    return { method, status: response.status, headers: response.headers, text: await response.text() };
  }

  send(method: string, target: string, body: unknown): Promise<Answer> {
    return this.request(method, target, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

const PASSWORD = 'horse-battery-staple-9';
let serial = 0;

/** Signs somebody up. @throws Error with the answer when that is refused. */
export async function signUp(target: Target, kind: Kind, name: string): Promise<HttpClient> {
  const one = new HttpClient(kind, target.url);
  one.email = `${name}-${process.pid}-${++serial}@attack.test`;
  one.password = PASSWORD;
  // Reserved names would be refused.
  const data = { email: one.email, password: PASSWORD, username: `walker ${serial}` };
  const answer = await one.send('POST', '/api/auth/sign-up', data);
  if (answer.status !== 200) throw new Error(`sign-up of ${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
  one.id = (JSON.parse(answer.text) as { id: string }).id;
  return one;
}

async function admin(target: Target): Promise<HttpClient> {
  const one = new HttpClient('admin', target.url);
  const answer = await one.send('POST', '/api/auth/sign-in', ADMIN);
  if (answer.status === 200) {
    one.email = ADMIN.email;
    one.password = ADMIN.password;
  } else {
    // The run itself may have changed or closed the first one's account.
    return colleague(target, 'admin', 'owner');
  }
  await stepUp(one);
  return one;
}

/** An admin of one part, or an owner, with a session from after that. */
async function colleague(target: Target, kind: Kind, role: StaffRole): Promise<HttpClient> {
  const { id, email, password } = await signUp(target, kind, 'deputy');
  await target.db.query(`update user_roles set role = 'admin' where user_id = $1`, [id]);
  await target.db.query('insert into admin_profiles (id, staff_roles) values ($1, $2)', [id, [role]]);
  const one = Object.assign(new HttpClient(kind, target.url), { id, email, password });
  const answer = await one.send('POST', '/api/auth/sign-in', { email, password });
  if (answer.status !== 200)
    throw new Error(`an admin could not sign in: ${answer.status} ${answer.text.slice(0, 300)}`);
  await stepUp(one);
  return one;
}

/** Critical actions need a step-up: without one they would be refused before they are tested. */
async function stepUp(one: HttpClient): Promise<void> {
  const proof = await one.send('POST', '/api/account/proof', { password: one.password });
  if (proof.status !== 200) throw new Error(`an admin could not prove: ${proof.status} ${proof.text.slice(0, 300)}`);
}

/** Creates a new person of a kind. */
export async function newPerson(target: Target, kind: Kind): Promise<HttpClient> {
  if (kind === 'visitor') return new HttpClient(kind, target.url);
  if (kind === 'admin') return admin(target);
  const staffRole = staffRoleOf(kind);
  if (staffRole) return colleague(target, kind, staffRole);
  if (kind === 'foreign') {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    return new HttpClient(kind, target.url, headers).setCookies((await admin(target)).cookie);
  }
  const one = await signUp(target, kind, kind.replace('-', ''));
  if (kind === 'banned') await target.db.query(`update users set banned_until = 'infinity' where id = $1`, [one.id]);
  if (kind === 'moderator')
    await target.db.query(`update user_roles set role = 'moderator' where user_id = $1`, [one.id]);
  if (kind === 'signed-out') {
    const { cookie } = one;
    await one.send('POST', '/api/auth/sign-out', {});
    one.setCookies(cookie);
  }
  return one;
}

/** Clears the rate limits, which would otherwise refuse most requests of the run. */
export const clearLimits = (target: Target) => target.db.query('delete from rate_limits');
