// The part of the doctor's report about the bot in Telegram.
import type pg from 'pg';
import type { Env } from '#server/env.ts';
import { readBot } from './doctor.sql.ts';
import { type Line, one } from './lines.ts';

/** @param paused nothing is read and sent meanwhile, on purpose. */
export async function telegramLines(pool: pg.Pool, env: Env, paused: boolean): Promise<Line[]> {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_NAME: name } = env;
  if (!token || !name) return [{ name: 'Bot', value: 'none: members cannot have notifications in Telegram' }];
  const bot = one(await readBot(pool, { bot: Number(token.split(':')[0]) }));
  return [
    {
      name: 'Bot',
      value: `@${name.replace(/^@/, '')} at ${new URL(env.TELEGRAM_API_URL).host}, ${bot.chats} chats linked`,
    },
    {
      name: 'Its updates',
      value: bot.read ? 'read by one process' : 'read by nobody',
      ...(bot.read || paused
        ? {}
        : {
            problem:
              'Nobody reads what people write to the bot: is the server running? The log says why (Telegram is not read).',
          }),
    },
    {
      name: 'Its messages',
      value: `${bot.waiting} waiting${bot.paused ? ', for as long as Telegram asked' : ''}, ${bot.failed} failed in a day`,
    },
  ];
}
