#!/usr/bin/env node
// `node scripts/run.mjs script.ts args…`: runs a script of the project with everything installed, under its own Node. With
// `--production` first, what `npm start` installs is enough: beside a running server nothing may be installed anew.
import { ensureInstalled, fail, runUnderNode } from './lib/bootstrap.mjs';

const words = process.argv.slice(2);
const production = words[0] === '--production';
const args = production ? words.slice(1) : words;
if (args.length === 0) fail('Usage: node scripts/run.mjs script.ts [arguments]');
await ensureInstalled({ dev: !production });
const { code } = await runUnderNode(args);
process.exit(code);
