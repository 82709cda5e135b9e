import { randomUUID } from 'node:crypto';
import { createRouterClient, type RouterClient } from '@orpc/server';
import { router } from '#server/router.ts';
import type { Services } from '#server/services.ts';

export type Api = RouterClient<typeof router>;

/** A member: the account row and a browser's cookie of a real session. */
export interface Person {
  id: string;
  email: string;
  username: string;
  sessionToken: string;
  cookie: string;
}

/** A browser, which stores the cookies that the API sets. */
export interface Browser {
  api: Api;
  cookie: string;
  /** `set-cookie` lines of the last answer. */
  received: string[];
}

export interface BrowserOptions {
  person?: Person;
  cookie?: string;
  address?: string;
  headers?: Record<string, string>;
  at?: Services;
}

/** The cookies of a browser, and responses whose cookies are not stored yet. */
interface Jar {
  cookies: Map<string, string>;
  answers: Headers[];
}
/** Calls of one person share a browser: a token that one call changed is sent by the next. */
const jars = new WeakMap<Person, Jar>();

function jarOf(person: Person | undefined): Jar {
  const jar = (person && jars.get(person)) ?? { cookies: new Map(), answers: [] };
  if (person) jars.set(person, jar);
  return jar;
}

/** A browser at an address, signed in as `person` or not at all; `at` another process when given. */
export function openBrowser(services: Services, from: BrowserOptions = {}): Browser {
  let answer = new Headers();
  const known = from.person !== undefined && jars.has(from.person);
  const { cookies: jar, answers } = jarOf(from.person);
  const keep = (pair: string) => {
    const mark = pair.indexOf('=');
    if (mark > 0) jar.set(pair.slice(0, mark), pair.slice(mark + 1));
  };
  if (!known) for (const pair of (from.cookie ?? from.person?.cookie ?? '').split('; ')) keep(pair);
  const settle = () => {
    for (const line of answers.flatMap((one) => one.getSetCookie())) {
      const [pair = ''] = line.split('; ');
      if (/max-age=0/i.test(line)) jar.delete(pair.split('=')[0] ?? '');
      else keep(pair);
    }
    // The newest response may not have arrived yet.
    answers.splice(0, Math.max(0, answers.length - 1));
  };
  const cookie = () => {
    settle();
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  };
  const api = createRouterClient(router, {
    context: () => {
      const headers = new Headers({
        'x-client-address': from.address ?? '203.0.113.1',
        'x-request-id': randomUUID(),
        ...from.headers,
      });
      const cookies = cookie();
      if (cookies) headers.set('cookie', cookies);
      answer = new Headers();
      answers.push(answer);
      return (from.at ?? services).contextOf(headers, answer);
    },
  });
  return {
    api,
    get cookie() {
      return cookie();
    },
    get received() {
      return answer.getSetCookie();
    },
  };
}
