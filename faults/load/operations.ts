import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { cookieOf } from '../rig/seed.ts';
import type { Journal, Kind, Outcome } from './journal.ts';

/** Timeout of a request, longer than the site's own. Milliseconds. */
const TIMEOUT_MS = 40_000;
const PAGES = ['/', '/vote', '/forum', '/news', '/en/vote'];
const DRAFT = {
  tokenSymbol: 'AJO',
  description: 'A token of the lake.',
  ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  selectedNetwork: 'ethereum',
  petitionerTelegram: '@ana',
};

interface Answer {
  status: number;
  ending: Outcome;
  json?: Record<string, unknown>;
}

/** Sends the requests of a load, each as another person, and records the outcomes. */
function createClient(environment: FaultEnvironment, journal: Journal) {
  const { seed, secret } = environment;
  let iteration = 0;
  const next = (): number => ++iteration;
  /** Another person each time, so that no limit of one person or address is reached. */
  const somebody = () => {
    iteration++;
    const member = seed.members[iteration % seed.members.length] as { id: string; token: string };
    return { ...member, iteration };
  };
  const headersOf = (token: string, at: number): Record<string, string> => ({
    cookie: cookieOf(token, secret),
    'x-forwarded-for': `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
  });

  async function send(url: string, init: RequestInit): Promise<Answer> {
    try {
      const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await answer.text();
      const { status } = answer;
      if (status >= 500) return { status, ending: 'unknown' };
      if (status >= 400) return { status, ending: 'fail' };
      return { status, ending: 'ok', ...(text.startsWith('{') ? { json: JSON.parse(text) } : {}) };
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      return { status: 0, ending: code === 'ECONNREFUSED' ? 'fail' : 'unknown' };
    }
  }

  async function call(origin: string, name: string, input: unknown, token: string): Promise<Answer> {
    const answer = await send(`${origin}/rpc/${name}`, {
      method: 'POST',
      headers: { ...headersOf(token, iteration), 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    });
    return answer.json ? { ...answer, json: (answer.json['json'] ?? {}) as Record<string, unknown> } : answer;
  }

  async function write(
    kind: Kind,
    key: string,
    send: () => Promise<Answer>,
    made = (json: Record<string, unknown>) => String(json['id'] ?? ''),
  ): Promise<Answer> {
    const entry = journal.begin(kind, key);
    const answer = await send();
    journal.end(entry, answer.status, answer.ending, answer.json && made(answer.json));
    return answer;
  }

  return { next, somebody, headersOf, send, call, write };
}

type Client = ReturnType<typeof createClient>;

const done = ({ ending }: Answer) => ending === 'ok';

/** Makes an order whose payer pays all of it, or only chooses a currency. */
async function order(
  environment: FaultEnvironment,
  { somebody, call, write }: Client,
  origin: string,
  kind: 'payment' | 'unpaid',
  action: 'pay_all' | 'choose',
): Promise<boolean> {
  const { token, iteration: at } = somebody();
  const tokenName = `Order ${at}`;
  const petitionerEmail = `payer${at}@faults.example`;
  const data = { ...DRAFT, tokenName, petitionerEmail };
  const begun = await write('draft', tokenName, () => call(origin, 'tokenRequests/create', { data }, token));
  if (begun.ending !== 'ok' || !begun.json) return false;
  const { id, secret: key } = begun.json;
  const ordered = await write(
    kind,
    petitionerEmail,
    () => call(origin, 'tokenRequests/pay', { id, secret: key, plan: 'entry', locale: 'es' }, token),
    (json) => String(json['orderId'] ?? ''),
  );
  const invoice = /\/(\d+)$/.exec(String(ordered.json?.['paymentUrl'] ?? ''))?.[1];
  if (invoice) void environment.provider.emulator.apply(Number(invoice), action).catch(() => {});
  return done(ordered);
}

/** The operations of an environment; each is recorded in the journal. */
export function createOperations(environment: FaultEnvironment, journal: Journal) {
  const { seed } = environment;
  const client = createClient(environment, journal);
  const { next, somebody, headersOf, send, call, write } = client;
  let votes = 0;
  let suspects = 0;
  /** Each person once, then all of them again with the next candidate. */
  const suspect = () => {
    const at = suspects++;
    next();
    const person = seed.suspects[at % seed.suspects.length] as { id: string; token: string };
    const candidateId = seed.candidates[Math.floor(at / seed.suspects.length) % seed.candidates.length] ?? '';
    return { ...person, candidateId };
  };
  return {
    async read(origin: string) {
      const at = next();
      const page = PAGES[at % PAGES.length] as string;
      return done(await write('read', page, () => send(origin + page, { headers: headersOf('nobody', at) })));
    },
    async vote(origin: string) {
      const at = votes++;
      const member = seed.members[at % seed.members.length];
      const candidateId = seed.candidates[Math.floor(at / seed.members.length) % seed.candidates.length];
      if (!member || !candidateId) return false;
      next();
      return done(
        await write('vote', `${candidateId}/${member.id}`, () =>
          call(origin, 'voting/cast', { candidateId }, member.token),
        ),
      );
    },
    /** Casts a vote and withdraws it. */
    async unvote(origin: string) {
      const { id, token, candidateId } = suspect();
      const key = `${candidateId}/${id}`;
      const cast = await write('vote', key, () => call(origin, 'voting/cast', { candidateId }, token));
      if (!done(cast)) return false;
      return done(await write('unvote', key, () => call(origin, 'voting/withdraw', { candidateId }, token)));
    },
    /** Casts a vote and bans the member: the vote is void. */
    async ban(origin: string) {
      const { id, token, candidateId } = suspect();
      const cast = await write('vote', `${candidateId}/${id}`, () =>
        call(origin, 'voting/cast', { candidateId }, token),
      );
      if (!done(cast)) return false;
      const banned = await write('ban', id, async () => {
        const input = { ids: [id], days: null, reason: 'a fault' };
        const answer = await call(origin, 'admin/users/ban', input, seed.adminToken);
        // Each item of a bulk action has an outcome of its own.
        const [result] = (answer.json?.['results'] ?? []) as { outcome: string }[];
        return answer.ending === 'ok' && result?.outcome !== 'done' ? { ...answer, ending: 'fail' } : answer;
      });
      return done(banned);
    },
    async post(origin: string) {
      const { token, iteration: at } = somebody();
      const title = `Post of the load ${at}`;
      return done(
        await write('post', title, () =>
          call(origin, 'forum/create', { title, content: `Words of post ${at}` }, token),
        ),
      );
    },
    async comment(origin: string) {
      const { token, iteration: at } = somebody();
      const content = `Comment of the load ${at}`;
      return done(
        await write('comment', content, () =>
          call(origin, 'forum/comment', { postId: seed.posts[at % seed.posts.length], content }, token),
        ),
      );
    },
    async draft(origin: string) {
      const { token, iteration: at } = somebody();
      const tokenName = `Draft ${at}`;
      return done(
        await write('draft', tokenName, () =>
          call(origin, 'tokenRequests/create', { data: { ...DRAFT, tokenName } }, token),
        ),
      );
    },
    async upload(origin: string) {
      const { token, iteration: at } = somebody();
      const background = { r: at & 255, g: (at >> 8) & 255, b: (at >> 16) & 255 };
      const image = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
        .png()
        .toBuffer();
      return done(
        await write(
          'upload',
          createHash('sha256').update(image).digest('hex'),
          () =>
            send(`${origin}/uploads?bucket=token-images`, {
              method: 'POST',
              headers: { ...headersOf(token, at), 'content-type': 'image/png' },
              body: new Uint8Array(image),
            }),
          (json) => String(json['url'] ?? ''),
        ),
      );
    },
    /** An order that its payer pays in full right away. */
    payment: (origin: string) => order(environment, client, origin, 'payment', 'pay_all'),
    /** An order whose payer chose a currency and sent nothing. */
    unpaid: (origin: string) => order(environment, client, origin, 'unpaid', 'choose'),
    async admin(origin: string) {
      const at = next();
      const name = `Network ${at}`;
      return done(
        await write('admin', name, () =>
          call(origin, 'admin/networks/create', { name, symbol: `N${at}`, isActive: false }, seed.adminToken),
        ),
      );
    },
  } satisfies Record<Kind, (origin: string) => Promise<boolean>>;
}
