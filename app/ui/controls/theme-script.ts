/** Where the chosen theme is kept; absent means "as the system says". */
export const themeKey = 'florka.theme';

/**
 * Runs in the head before the first paint: says with `<html data-scripts>` that there are scripts, and puts the stored
 * theme on `<html data-theme>`. A constant, so that a content
 * security policy can allow it by its hash. `<html>` needs `suppressHydrationWarning`.
 */
export const themeScript =
  "document.documentElement.dataset.scripts='';try{var t=localStorage.getItem('florka.theme');if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch(e){}";
