import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { S3Driver } from 'flydrive/drivers/s3';
import { driveStorage } from './drive.ts';
import type { DirectWrites, Storage } from './port.ts';

export interface S3Options {
  /** None means Amazon's own. */
  endpoint?: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket in the path instead of the host name, as most servers other than Amazon's need. */
  forcePathStyle: boolean;
  /** The same service as browsers reach it; without it they send nothing there. */
  browserEndpoint?: string | undefined;
  /** Longest waits for a connection and for an answer. Milliseconds. */
  timeouts?: { connect: number; answer: number };
}

/** Files in a bucket of an S3-compatible service. The bucket may stay private: browsers get the files through us. */
export function s3Storage(options: S3Options): Storage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, forcePathStyle } = options;
  const { connect, answer } = options.timeouts ?? { connect: 3_000, answer: 10_000 };
  const about: S3ClientConfig = {
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    maxAttempts: 2,
    // Newer checksums are unknown to many compatible servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  const client = new S3Client({
    ...about,
    ...(endpoint ? { endpoint } : {}),
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      socketTimeout: answer,
    },
  });
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false });
  return driveStorage(driver, {
    target: `${endpoint ?? 'https://s3.amazonaws.com'}/${bucket}`,
    close: () => client.destroy(),
    direct: options.browserEndpoint
      ? directWrites(new S3Client({ ...about, endpoint: options.browserEndpoint }), bucket)
      : undefined,
  });
}

/** Signing asks nobody: it is arithmetic with the keys. */
function directWrites(client: S3Client, bucket: string): DirectWrites {
  const sign: DirectWrites['sign'] = (file, { type, bytes, seconds }) =>
    getSignedUrl(
      client,
      new PutObjectCommand({ Bucket: bucket, Key: file, ContentType: type, ContentLength: bytes }),
      // Size and type are part of what is signed: another file than the one that was announced is refused by the bucket.
      { expiresIn: seconds, signableHeaders: new Set(['content-length', 'content-type', 'host']) },
    );
  return {
    sign,
    origin: async () => new URL(await sign('any', { type: 'image/webp', bytes: 1, seconds: 1 })).origin,
  };
}
