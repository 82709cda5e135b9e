import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Failure of the next call of a method. */
type Failure =
  | { status: number; body: string; headers?: Record<string, string> }
  /** Executes the call, and sends no response. */
  | 'hang'
  /** Ends the connection before and after executing the call. */
  | 'cut'
  | 'done-and-cut';

interface Update {
  update_id: number;
  [kind: string]: unknown;
}
export interface TelegramPerson {
  id: number;
  first_name: string;
  username?: string;
  language_code?: string;
}

export const TOKEN = '1234567890:AAEmulatorOfTheBotApi-0123456789_abcdef';
export const BOT = 'florka_test_bot';

/** A bot without an emulator. */
export const BOT_SETTINGS = { telegramToken: TOKEN, telegramBot: BOT, telegramUrl: 'http://127.0.0.1:9' };

/**
 * Telegram's Bot API on loopback, as its documentation describes the methods that we use
 * (https://core.telegram.org/bots/api): what it accepts, forgets, refuses and in which words.
 */
export async function startTelegramEmulator() {
  /** Messages of each chat, as displayed and as sent. */
  const messages: { chat: number; html: string; text: string }[] = [];
  const calls: { method: string; body: Record<string, unknown> }[] = [];
  const failures: { method: string; failure: Failure }[] = [];
  const started = new Set<number>();
  const blocked = new Set<number>();
  let updates: Update[] = [];
  let next = 501;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };

  async function getUpdates(body: Record<string, unknown>): Promise<object> {
    const offset = typeof body['offset'] === 'number' ? body['offset'] : 0;
    // Another request ends the waiting one, as Telegram does.
    wake();
    updates = updates.filter(({ update_id: id }) => id >= offset);
    if (updates.length === 0 && Number(body['timeout'] ?? 0) > 0)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setTimeout(resolve, Number(body['timeout']) * 1_000).unref();
      });
    const kinds = body['allowed_updates'] as string[];
    return { ok: true, result: updates.filter((one) => kinds.some((kind) => kind in one)).slice(0, 100) };
  }

  const server = http.createServer((req, res) => {
    void (async () => {
      const body = JSON.parse(Buffer.concat(await req.toArray()).toString() || '{}') as Record<string, unknown>;
      const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(req.url ?? '') ?? [];
      const respond = (answer: object) => {
        const status = 'error_code' in answer ? Number(answer.error_code) : 200;
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      };
      calls.push({ method, body });
      const at = failures.findIndex((one) => one.method === method);
      const failure = at < 0 ? undefined : failures.splice(at, 1)[0]?.failure;
      if (failure === 'cut') return void res.destroy();
      if (typeof failure === 'object')
        return void res
          .writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers })
          .end(failure.body);
      if (token !== TOKEN) return respond(refuse(401, 'Unauthorized'));
      const answer =
        method === 'getMe'
          ? { ok: true, result: { id: Number(TOKEN.split(':')[0]), is_bot: true, first_name: 'Florka', username: BOT } }
          : method === 'getUpdates'
            ? await getUpdates(body)
            : method === 'sendMessage'
              ? sendMessage({ messages, started, blocked }, body)
              : refuse(404, 'Not Found');
      if (failure === 'hang') return;
      if (failure === 'done-and-cut') return void res.destroy();
      respond(answer);
    })().catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const put = (update: Omit<Update, 'update_id'>): number => {
    updates.push({ update_id: next, ...update });
    wake();
    return next++;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    calls,
    /** Makes the next call of a method fail. */
    spoil: (method: string, failure: Failure) => void failures.push({ method, failure: failure }),
    /** Adds an update in Telegram's raw format. */
    put,
    /** As after a week without updates, when Telegram continues with an id of its choice. */
    goOnAt(id: number): void {
      next = id;
    },
    /** Updates that the bot has not received yet. */
    get pending(): number {
      return updates.length;
    },
    /** Sends a message of a person to the bot in their private chat. */
    write(person: TelegramPerson, text: string): number {
      started.add(person.id);
      return put({
        message: {
          message_id: next,
          date: 0,
          chat: { id: person.id, type: 'private', first_name: person.first_name },
          from: { is_bot: false, ...person },
          text,
        },
      });
    },
    /** Makes a person block the bot. @param notifies true when Telegram sends the bot an update. */
    block(person: TelegramPerson, notifies = true): void {
      blocked.add(person.id);
      if (notifies)
        put({
          my_chat_member: {
            date: 0,
            chat: { id: person.id, type: 'private' },
            from: { is_bot: false, ...person },
            new_chat_member: { status: 'kicked', user: { id: 1, is_bot: true, first_name: 'Florka' } },
          },
        });
    },
    /** Messages that a person received, oldest first. */
    read: (person: TelegramPerson): string[] =>
      messages.filter(({ chat }) => chat === person.id).map(({ text }) => text),
    async close(): Promise<void> {
      wake();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Chats {
  messages: { chat: number; html: string; text: string }[];
  started: Set<number>;
  blocked: Set<number>;
}

const refuse = (code: number, description: string, parameters?: object) => ({
  ok: false,
  error_code: code,
  description,
  ...(parameters ? { parameters } : {}),
});

/** A message to somebody who wrote to the bot before and did not block it. */
function sendMessage({ messages, started, blocked }: Chats, body: Record<string, unknown>): object {
  const chat = Number(body['chat_id']);
  const html = String(body['text'] ?? '');
  if (!started.has(chat)) return refuse(400, 'Bad Request: chat not found');
  if (blocked.has(chat)) return refuse(403, 'Forbidden: bot was blocked by the user');
  const text = plainOf(html);
  if (body['parse_mode'] !== 'HTML' || text === null) return refuse(400, "Bad Request: can't parse entities");
  if (text.length === 0 || text.length > 4096) return refuse(400, 'Bad Request: message is too long');
  messages.push({ chat, html, text });
  return { ok: true, result: { message_id: messages.length, chat: { id: chat, type: 'private' }, date: 0, text } };
}

/** The text that Telegram displays for the HTML; null where it would refuse it. */
function plainOf(html: string): string | null {
  const open: string[] = [];
  const rest = html.replaceAll(/<(\/?)(code|b|i)>/g, (_, end: string, tag: string) => {
    if (!end) open.push(tag);
    else if (open.pop() !== tag) open.push('wrong');
    return '';
  });
  if (open.length > 0 || /[<>]/.test(rest) || /&(?!(amp|lt|gt|quot);)/.test(rest)) return null;
  return rest.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
