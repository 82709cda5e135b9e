import { S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import { driveStorage } from './drive.ts';
import type { Storage } from './port.ts';

export interface S3Options {
  /** None means Amazon's own. */
  endpoint?: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket in the path instead of the host name, as most servers other than Amazon's need. */
  forcePathStyle: boolean;
  /** Longest waits for a connection and for an answer. Milliseconds. */
  patience?: { connect: number; answer: number };
}

/** Files in a bucket of an S3-compatible service. The bucket may stay private: browsers get the files through us. */
export function s3Storage(options: S3Options): Storage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, forcePathStyle } = options;
  const { connect, answer } = options.patience ?? { connect: 3_000, answer: 10_000 };
  const client = new S3Client({
    ...(endpoint ? { endpoint } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    maxAttempts: 2,
    // Newer checksums are unknown to many compatible servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
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
  });
}
