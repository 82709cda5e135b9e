// A bucket for the backups of the drill: s3rver, which stores it in a folder, behind TLS, because pgBackRest requires
// it.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../../faults/rig/wait.ts';
import { run } from './machines.ts';

/** Address on the drill's side of its network (`openNetwork`). */
const ADDRESS = '10.83.0.1';
const PORT = 9443;

export interface Bucket {
  /** Values for pgbackrest.conf. */
  settings: Record<'ENDPOINT' | 'BUCKET' | 'KEY' | 'SECRET' | 'CA', string>;
  /** Number of objects, and their total size in bytes. */
  contents(): { objects: number; bytes: number };
}

/**
 * Starts it with an empty bucket, and a certificate of its own that pgBackRest verifies.
 * @param folder for the certificate, the log and the objects; the accounts of the servers can read the certificate
 *   only.
 */
export async function startBucket(folder: string): Promise<Bucket> {
  fs.mkdirSync(folder, { recursive: true });
  const [key, certificate, objects] = ['key.pem', 'certificate.pem', 'objects'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  // A host name, because pgBackRest does not verify addresses.
  const names = `subjectAltName=DNS:${ADDRESS}`;
  const subject = ['-subj', '/CN=backups', '-addext', names, '-days', '2'];
  run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', certificate);
  fs.chmodSync(certificate, 0o644);
  const out = fs.openSync(path.join(folder, 's3rver.log'), 'a');
  const tls = ['--key', key, '--cert', certificate];
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...['node_modules/s3rver/bin/s3rver.js', '--directory', objects, '--address', ADDRESS, '--port', String(PORT)],
      ...[...tls, '--silent', '--configure-bucket', 'backups'],
    ],
    { stdio: ['ignore', out, out] },
  );
  fs.closeSync(out);
  await until('the bucket is there', async () => {
    if (child.exitCode !== null) throw new Error(`the bucket ended with ${child.exitCode}; see ${folder}/s3rver.log`);
    return fs.existsSync(path.join(objects, 'backups'));
  });
  return {
    // The only account that s3rver has.
    settings: { ENDPOINT: `${ADDRESS}:${PORT}`, BUCKET: 'backups', KEY: 'S3RVER', SECRET: 'S3RVER', CA: certificate },
    contents() {
      const files = fs
        .readdirSync(path.join(objects, 'backups'), { recursive: true, withFileTypes: true })
        // Each object is a file, next to files that describe it.
        .filter((one) => one.isFile() && one.name.endsWith('._S3rver_object'));
      const sizes = files.map((one) => fs.statSync(path.join(one.parentPath, one.name)).size);
      return { objects: files.length, bytes: sizes.reduce((sum, one) => sum + one, 0) };
    },
  };
}
