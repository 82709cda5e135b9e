import { ListObjectsV2Command, PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { S3Driver } from 'flydrive/drivers/s3';
import { driveStorage } from './drive.ts';
import type { DirectWrites, Storage } from './port.ts';

export interface S3Options {
  /** Undefined for Amazon's own endpoint. */
  endpoint?: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Path-style addressing, which most services other than Amazon's need. */
  forcePathStyle: boolean;
  /** The endpoint for browsers; undefined if browsers do not upload to the bucket. */
  browserEndpoint?: string | undefined;
  /** Timeouts of a connection and of a response. Milliseconds. */
  timeouts?: { connect: number; answer: number };
}

/** Files in a bucket of an S3-compatible service. The bucket can be private: the site serves the files. */
export function s3Storage(options: S3Options): Storage {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, forcePathStyle } = options;
  const { connect, answer } = options.timeouts ?? { connect: 3_000, answer: 10_000 };
  const about: S3ClientConfig = {
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    maxAttempts: 2,
    // Many compatible servers do not support newer checksums.
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
    async listPage(folder, { flat, token }) {
      const { Contents = [], NextContinuationToken: next } = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          ...(folder === '/' ? {} : { Prefix: folder }),
          ...(flat ? { Delimiter: '/' } : {}),
          ...(token ? { ContinuationToken: token } : {}),
        }),
      );
      return { files: Contents.map(({ Key = '', LastModified }) => ({ file: Key, changedAt: LastModified })), next };
    },
    close: () => client.destroy(),
    direct: options.browserEndpoint
      ? directWrites(new S3Client({ ...about, endpoint: options.browserEndpoint }), bucket)
      : undefined,
  });
}

/** Presigning is computed locally, without a request. */
function directWrites(client: S3Client, bucket: string): DirectWrites {
  const sign: DirectWrites['sign'] = (file, { type, bytes, seconds }) =>
    getSignedUrl(
      client,
      new PutObjectCommand({ Bucket: bucket, Key: file, ContentType: type, ContentLength: bytes }),
      // Size and type are part of the signature: the bucket refuses a file other than the announced one.
      { expiresIn: seconds, signableHeaders: new Set(['content-length', 'content-type', 'host']) },
    );
  return {
    sign,
    origin: async () => new URL(await sign('any', { type: 'image/webp', bytes: 1, seconds: 1 })).origin,
  };
}
