import type { PageKind } from '#contract/page-views.ts';

/** How often pages were shown, by UTC day and kind of page. What a process counted and did not write yet is lost with it. */
export interface PageViews {
  /**
   * Counts a page that was shown.
   *
   * @param arrived it was reached from outside the site.
   */
  count(kind: PageKind, arrived: boolean, now: Date): void;
  /** Writes what is counted; what could not be written stays counted. */
  flush(): Promise<void>;
}
