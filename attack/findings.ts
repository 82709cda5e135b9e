// The findings of a run, and the table at its end.
export const FINDING_KINDS = ['server error', 'script execution', 'unauthorized access', 'other'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Part {
  name: string;
  /** Description of how much was tested. */
  tried: string;
}

export class Findings {
  readonly #found = new Map<string, { sort: FindingKind; what: string; times: number }>();
  readonly #parts: Part[] = [];

  /** The same finding counts once, with its number of occurrences. */
  add(sort: FindingKind, what: string): void {
    const key = `${sort}: ${what}`;
    const known = this.#found.get(key);
    if (known) known.times++;
    else this.#found.set(key, { sort, what, times: 1 });
  }

  done(name: string, tried: string): void {
    this.#parts.push({ name, tried });
  }

  get count(): number {
    return this.#found.size;
  }

  /** @returns the table, and below it each finding. */
  report(): string {
    const of = (sort: FindingKind) => [...this.#found.values()].filter((one) => one.sort === sort);
    const lines = [
      '| part | tried |',
      '|---|---|',
      ...this.#parts.map(({ name, tried }) => `| ${name} | ${tried} |`),
      '',
    ];
    lines.push('| found | kinds |', '|---|---:|', ...FINDING_KINDS.map((sort) => `| ${sort} | ${of(sort).length} |`));
    for (const { sort, what, times } of this.#found.values()) lines.push(`- ${sort}, ${times} times: ${what}`);
    return lines.join('\n');
  }
}
