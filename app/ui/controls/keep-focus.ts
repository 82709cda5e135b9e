/**
 * `keepFocus` of focus.ts, whose code comes with the first control that gets the focus: until then there is none to keep, and a first visit
 * loads less. For as long as the page is open; once per document.
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
