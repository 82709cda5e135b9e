import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type BenchEnvironment, cookieOf, type Site, type SizeName, UNCACHED } from '../lib/environment.ts';
import { Connection, postRequest, requestOnce } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';
import { BUSY_POST, idOf, WORDS } from '../lib/seed.ts';
import { type Question, sideBySide } from '../lib/side-by-side.ts';
import { StreamClients } from '../lib/stream-clients.ts';

/** The cursor after the row in the middle of a list. */
async function cursorIn(client: pg.Client, table: 'posts' | 'comments'): Promise<string> {
  const from =
    table === 'posts'
      ? 'forum_posts order by created_at desc, id'
      : `forum_comments where post_id = '${idOf('post', BUSY_POST)}' order by created_at, id`;
  const { rows } = await client.query<{ at: string; id: string }>(
    `select at, id from (select created_at::text as at, id, row_number() over () as place, count(*) over () as many
       from (select created_at, id from ${from}) ordered) counted where place = many / 2`,
  );
  return Buffer.from(JSON.stringify([rows[0]?.at, rows[0]?.id])).toString('base64url');
}

async function paths(environment: BenchEnvironment, size: SizeName): Promise<[string, string][]> {
  const client = await environment.connect(size);
  try {
    const busy = `/api/forum/posts/${idOf('post', BUSY_POST)}`;
    const search = (words: string) => `/api/forum/posts?q=${words}`;
    return [
      ['GET /api/forum/posts', '/api/forum/posts'],
      ['GET /api/forum/posts, deep page', `/api/forum/posts?cursor=${await cursorIn(client, 'posts')}`],
      ['GET /api/forum/posts/{id}', `/api/forum/posts/${idOf('post', 500)}`],
      ['comments of the busiest post', `${busy}/comments`],
      ['comments of the busiest post, deep page', `${busy}/comments?cursor=${await cursorIn(client, 'comments')}`],
      ['search, a word of 20 posts', search(WORDS.rare)],
      ['search, a word of 10 comments', search(WORDS.inComments)],
      ['search, a word of every 100th post', search(WORDS.medium)],
      ['search, a word of every 2nd post and comment', search(WORDS.common)],
      ['search, two words', search(`${WORDS.common}+${WORDS.medium}`)],
      ['search, a word that nobody wrote', search('nadie')],
    ];
  } finally {
    await client.end();
  }
}

/** (h) The forum with 100,000 posts and 1,000,000 comments and reactions against one of 1,000 and 10,000. */
export function forumLists(environment: BenchEnvironment): Promise<Row[]> {
  const env = { ...UNCACHED, TRUST_PROXY: '1' };
  const both = (use: (big: Site, small: Site) => Promise<Row[]>) =>
    environment.withSite('bigForum', (big) => environment.withSite('smallForum', (small) => use(big, small), env), env);
  return both(async (big, small) => {
    const theirs = await paths(environment, 'smallForum');
    const questions = (await paths(environment, 'bigForum')).map(
      ([what, here], i): Question => ({ what: `h) ${what}`, here, there: theirs[i]?.[1] ?? '' }),
    );
    return sideBySide(big.port, small.port, questions, 1.5);
  });
}

const SCREENS = 500;
const COMMENTS = 7;
/**
 * Time for which a screen collects changes before it reads the post, and the random part of it, as on the page.
 * Milliseconds.
 */
const COALESCE_MS = 200;
const SPREAD = 200;
const LIMIT_MS = 1_000;

/** (i) A comment, from its response until the last of 500 screens has read it. */
export function newComment(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('bigForum', async (site) => {
    const clients = new StreamClients();
    const admin = await environment.connect('bigForum');
    const readers = await Promise.all(Array.from({ length: SCREENS }, () => Connection.open(site.port)));
    try {
      let read: (reader: Connection) => Promise<void> = async () => {};
      let next = 0;
      let failure: unknown;
      let reading: Promise<void>[] = [];
      const onMessage = () => {
        const reader = readers[next++ % SCREENS] as Connection;
        reading.push(
          sleep(COALESCE_MS + Math.random() * SPREAD)
            .then(() => read(reader))
            .catch((error: unknown) => {
              failure = error;
            }),
        );
      };
      await clients.open(site.port, SCREENS, { onMessage });
      // Recent posts, so that a new comment is among the ones that are shown.
      const posts = Array.from({ length: COMMENTS + 1 }, (_, n) => idOf('post', 1_000 + n));
      await admin.query('delete from forum_comments where post_id = any($1)', [posts]);
      await admin.query('update forum_posts set comment_count = 0 where id = any($1)', [posts]);
      const times: number[] = [];
      const received: number[] = [];
      for (const [n, id] of posts.entries()) {
        const words = `Comentario ${n} de prueba`;
        reading = [];
        const all = clients.await(`"postId":"${id}"`);
        read = async (reader) => {
          const answer = await reader.send(postRequest('/rpc/forum/post', JSON.stringify({ json: { id } })));
          if (!answer.body.toString('utf8').includes(words))
            throw new Error('a screen read the post without the comment');
        };
        const body = JSON.stringify({ json: { postId: id, content: words } });
        const { status } = await requestOnce(
          site.port,
          postRequest('/rpc/forum/comment', body, { cookie: cookieOf(100 + n) }),
        );
        const answered = performance.now();
        if (status !== 200) throw new Error(`the comment was answered with ${status}`);
        const delay = (await all) - answered;
        await Promise.all(reading);
        if (failure) throw failure;
        // The first one is the warm-up.
        if (n > 0) {
          received.push(delay);
          times.push(performance.now() - answered);
        }
        await sleep(300);
      }
      const worst = Math.max(...times);
      return [
        stated(
          `i) comment until the last of ${SCREENS} streams has received it`,
          `${ms(median(received))}, worst ${ms(Math.max(...received))}`,
        ),
        stated(
          `i) comment until the last of ${SCREENS} screens has read it`,
          `${ms(median(times))}, worst ${ms(worst)}`,
          {
            target: `≤ ${LIMIT_MS} ms`,
            met: worst <= LIMIT_MS,
          },
        ),
      ];
    } finally {
      clients.close();
      await admin.end();
      for (const reader of readers) reader.close();
    }
  });
}
