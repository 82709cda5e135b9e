import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { advisoriesOf, type Decisions, decisions, judge, stale } from './lib/advisories.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const via = (id: string, name: string, severity: string) => ({
  source: 1,
  name,
  dependency: name,
  title: `A hole in ${name}`,
  url: `https://github.com/advisories/${id}`,
  severity,
  cwe: ['CWE-1'],
  cvss: { score: 9, vectorString: null },
  range: '<2.0.0',
});
const HIGH = 'GHSA-aaaa-1111-bbbb';
const LOW = 'GHSA-cccc-2222-dddd';
/** As npm 11 prints it. */
const REPORT = {
  auditReportVersion: 2,
  vulnerabilities: {
    inner: {
      name: 'inner',
      severity: 'high',
      via: [via(HIGH, 'inner', 'high')],
      effects: ['outer'],
      fixAvailable: true,
    },
    outer: { name: 'outer', severity: 'high', via: ['inner', via(LOW, 'outer', 'low')], effects: [] },
  },
  metadata: { vulnerabilities: { high: 1, low: 1, total: 2 } },
};
const found = advisoriesOf(JSON.stringify(REPORT));
const at = (day: string) => new Date(`${day}T00:00:00.000Z`);
const PUBLISHED = new Map([HIGH, LOW].map((id) => [id, at('2026-03-01')]));
const lateOn = (day: string, decided: Decisions = [], published: ReadonlyMap<string, Date> = PUBLISHED) =>
  judge(found, published, decided, at(day))
    .filter(({ late }) => late)
    .map(({ id }) => id);
const REASON = 'Only reached by a function that is not called here.';

describe('advisories', () => {
  it('are each read once from the report of npm', () => {
    expect(found).toEqual([
      { id: HIGH, package: 'inner', title: 'A hole in inner', severity: 'high' },
      { id: LOW, package: 'outer', title: 'A hole in outer', severity: 'low' },
    ]);
    expect(advisoriesOf(JSON.stringify({ ...REPORT, vulnerabilities: {} }))).toEqual([]);
  });

  it.each([
    ['a refusal', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 }), '405 Method Not Allowed'],
    ['an error of npm', JSON.stringify({ error: { code: 'ENOAUDIT', summary: 'no endpoint' } }), 'no endpoint'],
    ['an older report', JSON.stringify({ auditReportVersion: 1, advisories: {} }), 'no report of version 2'],
    ['no JSON', '<html>', 'printed no JSON: <html>'],
    ['nothing', '', 'printed no JSON: nothing'],
  ])('are unknown, not absent, if npm prints %s', (_what, output, why) => {
    expect(() => advisoriesOf(output)).toThrow(why);
  });

  it('are overdue 7 days after their publication if they are high, otherwise after 30', () => {
    expect(lateOn('2026-03-07')).toEqual([]);
    expect(lateOn('2026-03-08')).toEqual([HIGH]);
    expect(lateOn('2026-03-30')).toEqual([HIGH]);
    expect(lateOn('2026-03-31')).toEqual([HIGH, LOW]);
  });

  it('are overdue if their publication date is unknown', () => {
    expect(lateOn('2026-03-02', [], new Map())).toEqual([HIGH, LOW]);
  });

  it('are overdue after 30 days if they are unreachable, and never if the affected feature is turned off', () => {
    const decided = (decision: 'unreachable' | 'turned-off') => [{ id: HIGH, decision, reason: REASON }];
    expect(lateOn('2026-03-30', decided('unreachable'))).toEqual([]);
    expect(lateOn('2026-03-31', decided('unreachable'))).toEqual([HIGH, LOW]);
    expect(lateOn('2027-03-31', decided('turned-off'))).toEqual([LOW]);
    expect(stale([], decided('turned-off'))).toEqual([HIGH]);
    expect(stale(found, decided('turned-off'))).toEqual([]);
  });

  it('need a reason for each decision, and the committed file of decisions is valid', () => {
    expect(decisions.safeParse([{ id: HIGH, decision: 'unreachable', reason: 'no' }]).success).toBe(false);
    decisions.parse(JSON.parse(readFileSync(path.join(ROOT, 'scripts/advisories.json'), 'utf8')));
  });

  it('have the deadlines of SECURITY.md, and are checked every day by a scheduled job', () => {
    const text = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').replace(/\s+/g, ' ');
    const promised = text('SECURITY.md').match(
      /within (\d+) days where it is rated critical or high and reachable here, within (\d+) days otherwise/,
    );
    const [urgent, other] = [Number(promised?.[1]), Number(promised?.[2])];
    /** Days from the publication to the deadline. */
    const daysOf = (severity: (typeof found)[number]['severity'], decided: Decisions = []) => {
      const [judged] = judge(
        [{ id: HIGH, package: 'inner', title: '', severity }],
        PUBLISHED,
        decided,
        at('2026-03-01'),
      );
      return ((judged?.due?.getTime() ?? 0) - at('2026-03-01').getTime()) / 86_400_000;
    };
    const severities = ['critical', 'high', 'moderate', 'low', 'info'] as const;
    expect(severities.map((severity) => daysOf(severity))).toEqual([urgent, urgent, other, other, other]);
    expect(daysOf('critical', [{ id: HIGH, decision: 'unreachable', reason: REASON }])).toBe(other);
    // A minute and an hour of every day.
    expect(text('.github/workflows/advisories.yml')).toMatch(
      /schedule: - cron: '\d+ \d+ \* \* \*' .* run: npm run advisories/,
    );
  });
});
