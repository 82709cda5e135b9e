import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { expect, it } from 'vitest';
import { requestLog } from './log.ts';

/** Runs these statements in a process of its own, with a log `made`. @returns its lines on standard output */
async function linesOf(statements: string, level = 'info'): Promise<Record<string, unknown>[]> {
  const module = path.join(import.meta.dirname, 'log.ts');
  const script = `import { createLog } from ${JSON.stringify(module)};
    const made = createLog(${JSON.stringify(level)});
    ${statements}`;
  const args = ['--input-type=module', '--eval', script];
  const options = { cwd: path.join(import.meta.dirname, '..'), maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const entry = `{ id: 'a-1', method: 'GET', path: '/', status: 200, ms: 1.5 }`;

it('the line of a response has the format of pino', () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const path = '/a"b\\c\u2028ñ';
  requestLog(write)({ id: 'a-1', method: 'GET', path, status: 200, ms: 1.5 });
  pino({ level: 'info', base: null, timestamp: () => ',"t":""' }, { write }).info({
    id: 'a-1',
    m: 'GET',
    p: path,
    s: 200,
    ms: 1.5,
  });
  expect(lines[0]?.replace(/"t":"\d{4}-\d\d-\d\dT[\d:.]+Z"/, '"t":""')).toBe(lines[1]);
});

it('the log preserves the order of responses and events, and writes all of them at the process exit', async () => {
  const lines = await linesOf(`
    for (let n = 0; n < 1_000; n++) {
      made.logRequest({ id: 'a-' + n, method: 'GET', path: '/ñ', status: 200, ms: n });
      made.log.warn({ n }, 'event');
    }
    process.exit(0);`);
  expect(lines.map((line) => line.ms ?? line.n)).toEqual(Array.from({ length: 2_000 }, (_, n) => n >> 1));
  expect(lines[0]).toMatchObject({ level: 30, id: 'a-0', p: '/ñ' });
});

it('the log has no responses at levels above info', async () => {
  const lines = await linesOf(`made.logRequest(${entry}); made.log.error('broken');`, 'error');
  expect(lines).toMatchObject([{ msg: 'broken' }]);
});

it('the log buffers a limited amount while nothing can be written, and then reports how much is missing', async () => {
  // Nothing is written while the program does not return to the event loop.
  const lines = await linesOf(`for (let n = 0; n < 20_000; n++) made.log.info('x'.repeat(2_000));`);
  expect(lines.length).toBeLessThan(10_000);
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: expect.stringContaining('are missing before this one') });
  expect(lines.at(-1)?.bytes).toBeGreaterThan(20_000_000);
});
