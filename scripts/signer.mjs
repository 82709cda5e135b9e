#!/usr/bin/env node
// `npm run signer`: the program that makes the ordered tokens, with what `npm start` installs and nothing more.
import { ensureInstalled, runUnderNode } from './lib/bootstrap.mjs';

await ensureInstalled({ dev: false });
// The channel closes when this process ends in any way, kill -9 included, and the signer then stops itself.
const { code } = await runUnderNode(['server/signer/main.ts'], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
process.exit(code);
