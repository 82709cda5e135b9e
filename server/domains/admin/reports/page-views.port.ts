import type { PageKind } from '#contract/page-views.ts';

/** Page views by UTC day and kind of page. Counts that a process did not write before it ended are lost. */
export interface PageViews {
  /**
   * Counts a page view.
   *
   * @param arrived true when the page was reached from outside the site.
   */
  count(kind: PageKind, arrived: boolean, now: Date): void;
  /** Writes the counts; counts that could not be written are retained. */
  flush(): Promise<void>;
}
