import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StartError } from '#server/lib/errors/start-error.ts';
import { readEnv } from './env.ts';

const DATA_DIR = mkdtempSync(path.join(os.tmpdir(), 'florka-env-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));
const read = (source: Record<string, string>) => readEnv({ DATA_DIR, ...source });

describe('market data', () => {
  it('is fetched in production, and otherwise only when enabled', () => {
    expect(read({}).MARKET_DATA).toBe(true);
    expect(read({ NODE_ENV: 'test' }).MARKET_DATA).toBe(false);
    expect(read({ NODE_ENV: 'development' }).MARKET_DATA).toBe(false);
    expect(read({ MARKET_DATA: 'off' }).MARKET_DATA).toBe(false);
    expect(read({ NODE_ENV: 'test', MARKET_DATA: 'on' }).MARKET_DATA).toBe(true);
    expect(() => read({ DEXSCREENER_URL: 'file:///etc/passwd' })).toThrow(/DEXSCREENER_URL/);
  });
});

describe('metrics', () => {
  it('are off by default, and never open to other machines without a token', () => {
    expect(read({}).METRICS_PORT).toBeUndefined();
    expect(read({ METRICS_PORT: '9464' })).toMatchObject({ METRICS_PORT: 9464, METRICS_HOST: '127.0.0.1' });
    for (const METRICS_HOST of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example'])
      expect(() => read({ METRICS_PORT: '9464', METRICS_HOST })).toThrow(/METRICS_TOKEN/);
    const METRICS_TOKEN = 'x'.repeat(32);
    expect(read({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN }).METRICS_HOST).toBe('0.0.0.0');
    expect(() => read({ METRICS_TOKEN: 'short' })).toThrow(/METRICS_TOKEN/);
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
  });
});

describe('the storage', () => {
  const whole = { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };

  it('is the disk by default', () => {
    expect(read({})).toMatchObject({ S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false });
    expect(read({ S3_BUCKET: '' }).S3_BUCKET).toBeUndefined();
  });

  it('is a bucket when three variables are set', () => {
    expect(read(whole)).toMatchObject(whole);
    expect(
      read({ ...whole, S3_ENDPOINT: 'http://127.0.0.1:9000', S3_FORCE_PATH_STYLE: 'on', S3_REGION: 'auto' }),
    ).toMatchObject({ S3_FORCE_PATH_STYLE: true, S3_REGION: 'auto' });
  });

  it.each([
    [{ S3_BUCKET: 'images' }, 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
    [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
    [{ ...whole, S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY'],
  ])('is incomplete with %j, which lacks %s', (source, missing) => {
    expect(() => read(source)).toThrow(new StartError(`Wrong configuration: uploads in S3 need ${missing} as well.`));
  });

  it('has an https address for browsers when the site has one', () => {
    const PUBLIC_URL = 'https://florka.example';
    expect(() => read({ ...whole, PUBLIC_URL, S3_BROWSER_ENDPOINT: 'http://s3.example' })).toThrow('must be https');
    expect(() => read({ PUBLIC_URL, S3_BROWSER_ENDPOINT: 'https://s3.example' })).toThrow('S3_BUCKET');
    expect(read({ ...whole, PUBLIC_URL, S3_BROWSER_ENDPOINT: 'https://s3.example' }).S3_BROWSER_ENDPOINT).toBe(
      'https://s3.example',
    );
  });

  it('is refused with all wrong values at once, without secrets', () => {
    expect(() => read({ ...whole, S3_ENDPOINT: 'ftp://x', S3_FORCE_PATH_STYLE: 'yes' })).toThrow(
      /S3_ENDPOINT: .*S3_FORCE_PATH_STYLE: /,
    );
    try {
      read({ ...whole, S3_SECRET_ACCESS_KEY: 'very-secret', S3_ENDPOINT: 'ftp://x' });
    } catch (error) {
      expect(String(error)).not.toContain('very-secret');
    }
  });
});

describe('the address for images', () => {
  const PUBLIC_URL = 'https://florka.example';

  it('is a scheme and a host', () => {
    expect(read({}).ASSETS_URL).toBeUndefined();
    expect(read({ PUBLIC_URL, ASSETS_URL: 'https://CDN.example/' }).ASSETS_URL).toBe('https://cdn.example');
    expect(read({ PUBLIC_URL: 'http://localhost:3000', ASSETS_URL: 'http://127.0.0.1:6081' }).ASSETS_URL).toBe(
      'http://127.0.0.1:6081',
    );
  });

  it.each([
    ['https://cdn.example/florka', 'a scheme and a host alone'],
    ['https://cdn.example?x', 'a scheme and a host alone'],
    ['https://user:password@cdn.example', 'a scheme and a host alone'],
    ['ftp://cdn.example', 'ASSETS_URL'],
    ['cdn.example', 'ASSETS_URL'],
    ['http://cdn.example', 'must be https'],
    ['https://florka.example/', 'the site itself'],
  ])('%s is refused at the start', (ASSETS_URL, words) => {
    expect(() => read({ PUBLIC_URL, ASSETS_URL })).toThrow(words);
  });

  it('requires PUBLIC_URL', () => {
    expect(() => read({ ASSETS_URL: 'https://cdn.example' })).toThrow('needs PUBLIC_URL');
  });
});

describe('the configuration of payments', () => {
  const secret = 'sixteen-signs-at-least';

  it('is complete or absent', () => {
    expect(read({}).NOWPAYMENTS_API_KEY).toBeUndefined();
    expect(read({ NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: secret })).toMatchObject({
      NOWPAYMENTS_API_KEY: 'key',
      NOWPAYMENTS_URL: 'https://api.nowpayments.io/v1',
    });
  });

  it.each([
    [{ NOWPAYMENTS_API_KEY: 'key' }, /NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET/],
    [{ NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: '' }, /NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET/],
    [{ NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'short' }, /NOWPAYMENTS_IPN_SECRET/],
    [{ NOWPAYMENTS_IPN_SECRET: secret }, /NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET/],
    [{ NOWPAYMENTS_EMAIL: 'a@b.cd' }, /NOWPAYMENTS_EMAIL and NOWPAYMENTS_PASSWORD/],
    [{ NOWPAYMENTS_URL: 'ftp://x.test' }, /NOWPAYMENTS_URL/],
  ])('stops the start with %j', (source, message) => {
    expect(() => read(source as Record<string, string>)).toThrow(message);
  });
});

describe('keys of the signer', () => {
  it.each([
    'SIGNER_ETHEREUM_KEY',
    'SIGNER_SOLANA_KEY',
    'SIGNER_MINT_SEED',
    'SIGNER_ETHEREUM_KEY_FILE',
    'SIGNER_MINT_SEED_FILE',
  ])('are refused in the environment of the site: %s', (name) => {
    expect(() => read({ [name]: 'a-very-secret-key' })).toThrow(StartError);
    try {
      read({ [name]: 'a-very-secret-key' });
    } catch (error) {
      expect((error as Error).message).toContain(`${name} must not be set here`);
      expect((error as Error).message).not.toContain('a-very-secret-key');
    }
    expect(() => read({ [name]: '' })).not.toThrow();
  });
});

describe('the demo', () => {
  const demo = (source: Record<string, string>) => {
    const { DEMO, DEMO_REQUESTED } = read(source);
    return [DEMO, DEMO_REQUESTED];
  };

  it('is on by default for a trial on this machine', () => {
    for (const PUBLIC_URL of ['', 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000/'])
      expect(demo({ PUBLIC_URL })).toEqual([true, false]);
    expect(demo({ DEMO: 'off' })).toEqual([false, false]);
  });

  const real: Record<string, string>[] = [
    { PUBLIC_URL: 'https://florka.example' },
    { PUBLIC_URL: 'https://localhost' },
    { PUBLIC_URL: 'http://localhost.example' },
    { DATABASE_URL: 'postgres://florka@127.0.0.1/florka' },
    { SMTP_URL: 'smtp://mail.example' },
    { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'sixteen-signs-at-least' },
    { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  ];
  it.each(real)('is off by default with %j, and on when enabled', (source) => {
    expect(demo(source)).toEqual([false, false]);
    expect(demo({ ...source, DEMO: 'on' })).toEqual([true, true]);
  });
});

describe('TRUST_PROXY', () => {
  it('is a number or a list', () => {
    expect(read({}).TRUST_PROXY).toBe('0');
    expect(read({ TRUST_PROXY: '10.0.0.7, 2001:db8::/32' }).TRUST_PROXY).toBe('10.0.0.7, 2001:db8::/32');
    for (const TRUST_PROXY of ['11', 'yes', '10.0.0.0/33'])
      expect(() => read({ TRUST_PROXY })).toThrow(/TRUST_PROXY: neither a number/);
  });
});

describe('PROCESSES', () => {
  const database = { DATABASE_URL: 'postgres://florka@localhost/florka' };

  it('is one by default, the given number, or one per core', () => {
    expect(read({}).PROCESSES).toBe(1);
    expect(read({ ...database, PROCESSES: '4' }).PROCESSES).toBe(4);
    expect(read({ ...database, PROCESSES: 'auto' }).PROCESSES).toBe(os.availableParallelism());
    expect(() => read({ ...database, PROCESSES: '0' })).toThrow('PROCESSES');
  });

  it('is one with features that need a single process', () => {
    expect(read({ PROCESSES: 'auto' }).PROCESSES).toBe(1);
    expect(() => read({ PROCESSES: '2' })).toThrow('built-in database');
    expect(() => read({ ...database, PROCESSES: '2', DEMO: 'on' })).toThrow('payment simulation');
  });
});
