import { describe, expect, it } from 'vitest';
import { configurationWarnings } from './env.ts';

const about = (source: Record<string, string>) => configurationWarnings(source);

describe('warnings about variables', () => {
  it.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['AUTH_SECRETS', 'AUTH_SECRET'],
    ['data_dir', 'DATA_DIR'],
    ['PORTS', 'PORT'],
  ])('%s is reported as a misspelling of %s', (name, meant) => {
    expect(about({ [name]: 'x' })).toEqual([`The variable ${name} is unknown and not read; was ${meant} meant?`]);
  });

  it('names of other programs are not reported', () => {
    const system = [
      'PATH',
      'HOME',
      'USER',
      'HOSTNAME',
      'TERM',
      'LANG',
      'SHELL',
      'PWD',
      'LOGNAME',
      'NODE_OPTIONS',
      'CI',
      'TZ',
    ];
    const npm = ['npm_config_cache', 'npm_lifecycle_event', 'INIT_CWD', 'COLOR', 'EDITOR', 'INVOCATION_ID', 'NODE'];
    expect(about(Object.fromEntries([...system, ...npm, 'PORT', 'DEMO'].map((name) => [name, '/x'])))).toEqual([]);
  });

  it.each([
    ['AUTH_SECRET', 'change-me-change-me-change-me-change-me'],
    ['AUTH_SECRET', 'x'.repeat(40)],
    ['AUTH_SECRET', 'abababababababababababababababababab'],
    ['ADMIN_PASSWORD', 'password1'],
    ['NOWPAYMENTS_IPN_SECRET', 'your-callback-secret'],
  ])('a placeholder in %s is reported without its value', (name, value) => {
    const [warning] = about({ [name]: value });
    expect(warning).toContain(`${name} looks like a placeholder`);
    expect(warning).not.toContain(value);
  });

  it('random values are not reported as placeholders', () => {
    expect(about({ AUTH_SECRET: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', ADMIN_PASSWORD: 'correct horse' })).toEqual(
      [],
    );
  });

  it('a relative DATA_DIR is reported for a public site', () => {
    const site = { PUBLIC_URL: 'https://florka.example' };
    expect(about(site)).toEqual([expect.stringContaining('Set an absolute path')]);
    expect(about({ ...site, DATA_DIR: '/var/lib/florka' })).toEqual([]);
    expect(about({ DATA_DIR: 'data' })).toEqual([]);
  });
});
