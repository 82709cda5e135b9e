/** What is done under load. */
export type Kind =
  | 'read'
  | 'vote'
  | 'unvote'
  | 'ban'
  | 'post'
  | 'comment'
  | 'draft'
  | 'upload'
  | 'payment'
  | 'unpaid'
  | 'admin';

/**
 * `ok`: acknowledged. `fail`: certainly not done, because the site refused or was not reached. `unknown`: no answer, a broken one, or a
 * 5xx; it may have taken effect once.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

export interface Entry {
  id: number;
  kind: Kind;
  /** Key of its row in the database: `candidate/member`, a title, a hash. */
  key: string;
  /** Undefined while it is in progress. */
  ending?: Outcome;
  /** HTTP status; 0 without an answer. */
  status: number;
  began: number;
  /** Milliseconds. */
  took: number;
  /** Id in the response: of a row or an order. */
  made?: string;
}

/** Records every operation before it is sent, and its outcome afterwards. */
export class Journal {
  readonly entries: Entry[] = [];

  begin(kind: Kind, key: string): Entry {
    const entry: Entry = { id: this.entries.length + 1, kind, key, status: 0, began: performance.now(), took: 0 };
    this.entries.push(entry);
    return entry;
  }

  end(entry: Entry, status: number, ending: Outcome, made?: string): void {
    entry.status = status;
    entry.ending = ending;
    entry.took = performance.now() - entry.began;
    if (made !== undefined) entry.made = made;
  }

  of(kind: Kind): Entry[] {
    return this.entries.filter((entry) => entry.kind === kind);
  }

  /** Acknowledged writes. */
  get acknowledged(): number {
    return this.entries.filter(({ kind, ending }) => kind !== 'read' && ending === 'ok').length;
  }

  /** One line with the number of responses to requests within spans of `performance.now()`. */
  seen(spans: [number, number][]): string {
    const during = this.entries.filter(({ began, took }) =>
      spans.some(([from, to]) => began + took >= from && began <= to),
    );
    const counts = new Map<string, number>();
    for (const { status, ending, kind } of during) {
      const answered = status === 0 ? (ending === 'fail' ? 'refused' : 'no answer') : String(status);
      const name = ending === 'ok' ? (kind === 'read' ? 'read' : 'written') : answered;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const longest = Math.max(0, ...during.map(({ took }) => took));
    const order = [...counts].toSorted(([, a], [, b]) => b - a);
    return `${order.map(([name, n]) => `${n} ${name}`).join(', ') || 'nobody asked'}; longest ${(longest / 1000).toFixed(1)} s`;
  }
}
