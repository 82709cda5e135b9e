#!/usr/bin/env node
// `npm start`: installs, builds and runs the server, each step only when needed. `--build-only` stops after building.
import { ensureBuilt, ensureInstalled, fail, runUnderNode } from './lib/bootstrap.mjs';
import { portProblem } from './lib/port.mjs';
import { SERVER_ARGS, SERVER_ENV } from './lib/server.mjs';

const buildOnly = process.argv.includes('--build-only');
const problem = buildOnly ? undefined : await portProblem(process.env);
if (problem) fail(problem);

await ensureInstalled({ dev: false });
await ensureBuilt();
if (buildOnly) process.exit(0);

// The channel closes when this process ends in any way, kill -9 included, and the server then stops itself.
const { code } = await runUnderNode(SERVER_ARGS, {
  env: { ...SERVER_ENV, NODE_ENV: process.env.NODE_ENV ?? 'production' },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
process.exit(code);
