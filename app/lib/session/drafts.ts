/** Deletes the unsent forum drafts of the user who signed out from this browser. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('florka.draft.')) localStorage.removeItem(key);
  } catch {
    // Storage can be denied: then it is empty.
  }
}
