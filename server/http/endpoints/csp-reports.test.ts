import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const report = (over: object = {}) => ({
  'csp-report': {
    'document-uri': 'http://florka.test/token/x?secret=1#part',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.test/a.js?token=1',
    'script-sample': 'what somebody typed',
    ...over,
  },
});
const send = (body: string, type = 'application/csp-report') =>
  app.http('/csp-reports', { method: 'POST', headers: { 'content-type': type }, body });
const logged = () => app.logged.filter((line) => 'csp' in line).map((line) => line['csp']);

describe('reports of policy violations', () => {
  it('are logged once, without queries and samples', async () => {
    for (let n = 0; n < 2; n++) expect((await send(JSON.stringify(report()))).status).toBe(204);
    expect(logged()).toEqual([{ directive: 'script-src-elem', page: '/token/x', blocked: 'https://evil.test' }]);
    expect(JSON.stringify(app.logged)).not.toMatch(/secret=1|token=1|somebody typed/);
  });

  it('are accepted in both formats', async () => {
    const body = {
      documentURL: 'http://florka.test/vote',
      effectiveDirective: 'require-trusted-types-for',
      blockedURL: 'trusted-types-sink',
    };
    const list = JSON.stringify([
      { type: 'csp-violation', body },
      { type: 'deprecation', body: {} },
    ]);
    expect((await send(list, 'application/reports+json')).status).toBe(204);
    expect(logged().at(-1)).toEqual({
      directive: 'require-trusted-types-for',
      page: '/vote',
      blocked: 'trusted-types-sink',
    });
  });

  it.each<[string, string, string, number]>([
    ['no JSON', '{', 'application/csp-report', 400],
    ['no report', '{"a":1}', 'application/csp-report', 400],
    ['another type', '{}', 'application/json', 415],
    ['too long', JSON.stringify(report({ 'script-sample': 'x'.repeat(17_000) })), 'application/csp-report', 413],
  ])('are refused: %s', async (_what, body, type, status) => {
    const before = logged().length;
    expect((await send(body, type)).status).toBe(status);
    expect(logged()).toHaveLength(before);
  });

  it('cannot be fetched with GET', async () => {
    const answer = await app.http('/csp-reports');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('are rate-limited by source, and their log lines in total', async () => {
    const answers = [];
    for (let n = 0; n < 20; n++) {
      const list = Array.from({ length: 20 }, (_, k) => ({
        type: 'csp-violation',
        body: { documentURL: `http://florka.test/${n}-${k}`, effectiveDirective: 'img-src', blockedURL: 'data' },
      }));
      answers.push(await send(JSON.stringify(list), 'application/reports+json'));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(logged()).toHaveLength(30);
  });
});
