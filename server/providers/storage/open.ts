import path from 'node:path';
import { localStorage } from './local.ts';
import type { Storage } from './port.ts';

interface Settings {
  DATA_DIR: string;
  S3_ENDPOINT?: string | undefined;
  S3_BUCKET?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_FORCE_PATH_STYLE: boolean;
  S3_BROWSER_ENDPOINT?: string | undefined;
}

/** The configured storage of uploaded files: a bucket, or a folder of the data directory. */
export async function openStorage(env: Settings): Promise<Storage> {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!bucket || !accessKeyId || !secretAccessKey) return localStorage(path.join(env.DATA_DIR, 'uploads'));
  // Imported on demand: the client is large, and most installations do not need it.
  const { s3Storage } = await import('./s3.ts');
  return s3Storage({
    endpoint: env.S3_ENDPOINT,
    bucket,
    region: env.S3_REGION,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
    browserEndpoint: env.S3_BROWSER_ENDPOINT,
  });
}
