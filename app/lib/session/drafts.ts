/** Words that were written in the forum and never sent belong to who has just left: takes them out of this browser. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('florka.draft.')) localStorage.removeItem(key);
  } catch {
    // Storage can be denied: then there is nothing in it.
  }
}
