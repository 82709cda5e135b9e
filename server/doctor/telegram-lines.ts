// The part of the doctor's report about the Telegram bot.
import type pg from 'pg';
import type { Env } from '#server/env.ts';
import { readBot } from './doctor.sql.ts';
import { type Line, onlyRow } from './lines.ts';

/** @param paused no updates are read and no messages are sent during a pause. */
export async function telegramLines(pool: pg.Pool, env: Env, paused: boolean): Promise<Line[]> {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_NAME: name } = env;
  if (!token || !name) return [{ name: 'Bot', value: 'none: members cannot receive notifications in Telegram' }];
  const bot = onlyRow(await readBot(pool, { bot: Number(token.split(':')[0]) }));
  return [
    {
      name: 'Bot',
      value: `@${name.replace(/^@/, '')} at ${new URL(env.TELEGRAM_API_URL).host}, ${bot.chats} chats linked`,
    },
    {
      name: 'Its updates',
      value: bot.read ? 'read by one process' : 'not read',
      ...(bot.read || paused
        ? {}
        : {
            problem: 'Messages to the bot are not read: is the server running? See the log (Telegram is not read).',
          }),
    },
    {
      name: 'Its messages',
      value: `${bot.waiting} waiting${bot.paused ? ', paused by Telegram' : ''}, ${bot.failed} failed in a day`,
    },
  ];
}
