import { z } from 'zod';

const DAY = 86_400_000;
/** Days from the publication of an advisory to its repair, as SECURITY.md promises them (Components with a known vulnerability). */
const DAYS = { critical: 7, high: 7, moderate: 30, low: 30, info: 30 } as const;
/** Where the vulnerable code cannot be reached. */
const UNREACHABLE_DAYS = 30;

const advisory = z.object({
  name: z.string(),
  title: z.string(),
  url: z.string(),
  severity: z.enum(['critical', 'high', 'moderate', 'low', 'info']),
});
/** What `npm audit --json` prints, as far as it is read here. */
const report = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
});

/** What was decided about an advisory, in scripts/advisories.json. */
export const decisions = z.array(
  z.strictObject({
    id: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
    /**
     * `unreachable`: nothing here calls the vulnerable code, so it has the longer time; `turned-off`: the feature that
     * called it is disabled.
     */
    decision: z.enum(['unreachable', 'turned-off']),
    reason: z.string().min(20),
  }),
);
export type Decisions = z.infer<typeof decisions>;

export interface Advisory {
  id: string;
  package: string;
  title: string;
  severity: keyof typeof DAYS;
}

/** The advisories of a report, each once. @throws Error when it is none, as after a refusal of the registry. */
export function advisoriesOf(output: string): Advisory[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(output);
  } catch {
    throw new Error(`npm audit printed no JSON: ${output.slice(0, 200).trim() || 'nothing'}`);
  }
  const read = report.safeParse(parsed);
  if (!read.success) {
    const answer = parsed as { message?: string; error?: { summary?: string } } | null;
    throw new Error(answer?.message || answer?.error?.summary || 'npm audit printed no report of version 2');
  }
  const found = new Map<string, Advisory>();
  for (const { via } of Object.values(read.data.vulnerabilities))
    for (const one of via) {
      // A name alone: the vulnerable package is in the list itself.
      if (typeof one === 'string') continue;
      const id = one.url.split('/').at(-1) ?? one.url;
      found.set(`${id} ${one.name}`, { id, package: one.name, title: one.title, severity: one.severity });
    }
  return [...found.values()].sort((a, b) => a.id.localeCompare(b.id));
}

export interface Judged extends Advisory {
  /** Due date of the repair; null: the feature that called the vulnerable code is disabled. */
  due: Date | null;
  late: boolean;
}

/**
 * Due date of each advisory, and the late ones.
 * @param published days of publication; an advisory without one is late, since nothing shows that it is not.
 */
export function judge(
  advisories: readonly Advisory[],
  published: ReadonlyMap<string, Date>,
  decided: Decisions,
  now: Date,
): Judged[] {
  return advisories.map((advisory) => {
    const decision = decided.find(({ id }) => id === advisory.id)?.decision;
    if (decision === 'turned-off') return { ...advisory, due: null, late: false };
    const days = decision === 'unreachable' ? UNREACHABLE_DAYS : DAYS[advisory.severity];
    const due = new Date((published.get(advisory.id)?.getTime() ?? 0) + days * DAY);
    return { ...advisory, due, late: due <= now };
  });
}

/** Decisions about advisories that are not reported any more: they are to be removed. */
export const stale = (advisories: readonly Advisory[], decided: Decisions): string[] =>
  decided.filter(({ id }) => advisories.every((one) => one.id !== id)).map(({ id }) => id);
