#!/usr/bin/env node
// `node scripts/run.mjs script.ts args…`: runs a script of the project with everything installed, under its own Node.
import { ensureInstalled, fail, runUnderNode } from './lib/bootstrap.mjs';

const args = process.argv.slice(2);
if (args.length === 0) fail('Usage: node scripts/run.mjs script.ts [arguments]');
await ensureInstalled({ dev: true });
const { code } = await runUnderNode(args);
process.exit(code);
