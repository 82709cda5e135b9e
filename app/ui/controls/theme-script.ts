/** Storage key of the chosen theme; absent for the system's. */
export const themeKey = 'florka.theme';

/**
 * Runs in the head before the first paint: sets `<html data-scripts>` when scripts run, and the stored theme as `<html data-theme>`. A
 * constant, so that a content security policy can allow it by its hash. `<html>` needs `suppressHydrationWarning`.
 */
export const themeScript =
  "document.documentElement.dataset.scripts='';try{var t=localStorage.getItem('florka.theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch(e){}";
