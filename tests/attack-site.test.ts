import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { collectErrors, targetEnv } from '../attack/site.ts';

afterEach(() => vi.unstubAllEnvs());

it('an error in the log is found even if its line arrives in several chunks', async () => {
  const output = new PassThrough();
  const errors: string[] = [];
  collectErrors(output, errors);
  const line = JSON.stringify({ level: 50, msg: 'a failure' });
  const last = JSON.stringify({ level: 40, msg: 'job failed', last: true });
  for (const piece of [line.slice(0, 9), `${line.slice(9)}\n{"level":30}\n${last.slice(0, 20)}`, `${last.slice(20)}\n`])
    output.write(piece);
  output.end();
  await vi.waitFor(() => expect(errors).toEqual([line, last]));
});

it('the attacked site inherits no settings from the environment of the run', () => {
  vi.stubEnv('DATABASE_URL', 'postgres://somewhere/else');
  vi.stubEnv('SMTP_URL', 'smtp://somewhere.else');
  const env = targetEnv('/nowhere');
  expect(env).toMatchObject({ DATA_DIR: '/nowhere', PATH: process.env['PATH'] });
  expect(Object.keys(env).filter((name) => /DATABASE|SMTP/.test(name))).toEqual([]);
});
