/**
 * `keepFocus` of focus.ts, whose code is loaded when a control first gets the focus: before that there is no focus to preserve, and a
 * first visit loads less. Active while the page is open; call once per document.
 */
export function keepFocusFromFirst(load: () => Promise<{ keepFocus: () => () => void }>): () => void {
  let over = false;
  let stop = () => {};
  const begin = () => {
    document.removeEventListener('focusin', begin);
    void load().then(({ keepFocus }) => {
      if (!over) stop = keepFocus();
    });
  };
  if (document.activeElement && document.activeElement !== document.body) begin();
  else document.addEventListener('focusin', begin);
  return () => {
    over = true;
    document.removeEventListener('focusin', begin);
    stop();
  };
}
