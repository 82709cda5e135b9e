const USES = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin'];

/** Resolves when the reader does something with the page: moves a pointer, presses a key, scrolls, or moves the focus. */
export const pageIsUsed = () =>
  new Promise((resolve) => {
    for (const type of USES) addEventListener(type, resolve, { passive: true, once: true });
  });
