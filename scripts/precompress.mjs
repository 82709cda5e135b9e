// Writes .br and .gz beside every text file of a directory, at the highest levels: paid once per build instead of
// once per request. Usage: node scripts/precompress.mjs <directory>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const TEXT = /\.(js|css|svg|json|txt|webmanifest|xml)$/;
const MIN_BYTES = 512;
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** @param {string} file */
async function compress(file) {
  const bytes = readFileSync(file);
  if (bytes.length <= MIN_BYTES) return;
  const params = {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), gzip(bytes, { level: 9 })]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}

const dir = process.argv[2];
if (!dir) throw new Error('Usage: node scripts/precompress.mjs <directory>');
const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => TEXT.test(name));
await Promise.all(files.map((name) => compress(path.join(dir, name))));
