#!/usr/bin/env node
// `npm start`: installs, builds and runs the server, each step only when needed. `--build-only` stops after building, with everything
// prepared that a start would write into this folder.
import { becomeUnderNode, ensureBuilt, ensureInstalled, fail, runUnderNode } from './lib/bootstrap.mjs';
import { portProblem } from './lib/port.mjs';
import { SERVER_ARGS, SERVER_ENV } from './lib/server.mjs';

const buildOnly = process.argv.includes('--build-only');
const problem = buildOnly ? undefined : await portProblem(process.env);
if (problem) fail(problem);

await ensureInstalled({ dev: false });
await ensureBuilt();
if (buildOnly) process.exit((await runUnderNode(['scripts/lib/link-database.mjs'])).code);

await becomeUnderNode(SERVER_ARGS, { ...SERVER_ENV, NODE_ENV: process.env.NODE_ENV ?? 'production' });
