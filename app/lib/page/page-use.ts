const USES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focusin'] as const;

/** Resolves when the reader does something with the page: moves a pointer, presses a key, scrolls, or moves the focus. */
export function pageIsUsed(): Promise<void> {
  return new Promise((resolve) => {
    const used = new AbortController();
    for (const type of USES)
      addEventListener(
        type,
        () => {
          used.abort();
          resolve();
        },
        { passive: true, signal: used.signal },
      );
  });
}
