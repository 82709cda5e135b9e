import { z } from 'zod';
import { readBody } from '#server/lib/network/read-body.ts';
import { type TelegramBot, TelegramError, type TelegramFailure, type TelegramUpdate } from './port.ts';

/** Timeout of a request, in addition to the wait of long polling. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response. Bytes; 100 updates of the longest texts have about 3 MB. */
const MAX_ANSWER = 8 * 1024 * 1024;
/** Maximum accepted retry delay. Seconds. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Connection errors before anything was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']);

const failure = z.object({
  ok: z.literal(false),
  error_code: z.int(),
  description: z.string().catch(''),
  parameters: z
    .object({ retry_after: z.number().min(0).optional() })
    .optional()
    .catch(undefined),
});
const answer = z.union([z.object({ ok: z.literal(true), result: z.unknown() }), failure]);

const chat = z.object({ id: z.int(), type: z.string() });
const from = z.object({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  username: z.string().optional(),
  language_code: z.string().optional(),
});
const update = z.object({
  update_id: z.int().nonnegative(),
  message: z.object({ chat, from, text: z.string().optional() }).optional().catch(undefined),
  my_chat_member: z
    .object({ chat, from, new_chat_member: z.object({ status: z.string() }) })
    .optional()
    .catch(undefined),
});

/**
 * Three methods of Telegram's Bot API over HTTPS (https://core.telegram.org/bots/api).
 *
 * @param options.token `<number of the bot>:<secret>`; never part of an error.
 * @param options.timeoutMs timeout of a request in milliseconds; another one for tests.
 */
export function telegramBot(options: { token: string; name: string; url: string; timeoutMs?: number }): TelegramBot {
  const base = options.url.replace(/\/+$/, '');
  const { host } = new URL(base);
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;

  async function call(method: string, fields: object, wait = 0, signal?: AbortSignal): Promise<unknown> {
    const signals = [AbortSignal.timeout(timeoutMs + wait * 1_000), ...(signal ? [signal] : [])];
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}/bot${options.token}/${method}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
        signal: AbortSignal.any(signals),
      });
      text = await readBody(response, MAX_ANSWER);
    } catch (error) {
      const code = codeOf(error);
      throw new TelegramError(
        NEVER_SENT.has(code) ? 'away' : 'unsure',
        `${host} does not answer${code ? ` (${code})` : ''}`,
      );
    }
    const { status } = response;
    const read = answer.safeParse(parse(text));
    if (!read.success) {
      const passed = status >= 500 && status !== 504;
      throw new TelegramError(passed ? 'away' : 'unsure', `${host} answered ${status}, not in Telegram's format`);
    }
    if (read.data.ok) return read.data.result;
    const { error_code, description, parameters } = read.data;
    const pause = parameters?.retry_after;
    throw new TelegramError(
      failureOf(error_code, description),
      `${host} answered ${error_code}: ${description.slice(0, 200)}`,
      pause === undefined ? null : Math.min(pause, MAX_RETRY_AFTER_SECONDS),
    );
  }

  return {
    id: Number(options.token.split(':')[0]),
    name: options.name,
    target: `@${options.name} (${host})`,
    async whoami() {
      const me = z.object({ username: z.string() }).safeParse(await call('getMe', {}));
      if (!me.success) throw new TelegramError('unsure', `${host} did not say who the bot is`);
      return me.data.username;
    },
    async updates(offset, wait, signal) {
      const fields = {
        ...(offset === null ? {} : { offset }),
        timeout: wait,
        allowed_updates: ['message', 'my_chat_member'],
      };
      const result = await call('getUpdates', fields, wait, signal);
      if (!Array.isArray(result)) throw new TelegramError('unsure', `${host} answered no list of updates`);
      return result.flatMap(updateOf).toSorted((a, b) => a.id - b.id);
    },
    async send(to, html) {
      await call('sendMessage', {
        chat_id: to,
        text: html,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}

/** Interprets an error of Telegram's API; responses of other servers are handled before. */
function failureOf(code: number, description: string): TelegramFailure {
  if (code === 429) return 'busy';
  if (code === 401 || code === 404) return 'token';
  if (code === 409) return 'taken';
  if (code >= 500) return 'away';
  if (code === 403 || /chat not found|user not found/i.test(description)) return 'gone';
  return 'refused';
}

/** Parses one update; empty for one without a valid id. */
function updateOf(raw: unknown): TelegramUpdate[] {
  const read = update.safeParse(raw);
  if (!read.success) return [];
  const { update_id: id, message, my_chat_member: member } = read.data;
  const about = message ?? member;
  const isPrivate = about?.chat.type === 'private' && !about.from.is_bot && about.from.id === about.chat.id;
  return [
    {
      id,
      chat:
        about && isPrivate && about.chat.id > 0
          ? {
              id: about.chat.id,
              name: about.from.username ? `@${about.from.username}` : about.from.first_name,
              language: about.from.language_code ?? '',
            }
          : null,
      text: message?.text ?? null,
      left: member?.new_chat_member.status === 'kicked',
    },
  ];
}
