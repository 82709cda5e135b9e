import { useSyncExternalStore } from 'react';
import { IconButton, type IconButtonProps } from './Button.tsx';
import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from './frame-icons.tsx';
import { themeKey } from './theme-script.ts';

export type Theme = 'system' | 'light' | 'dark';

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const icons = { system: SystemThemeIcon, light: LightThemeIcon, dark: DarkThemeIcon };
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): Theme {
  const theme = document.documentElement.dataset['theme'];
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function choose(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // Storage can be denied: the choice then lasts for this visit.
  }
  for (const listener of listeners) listener();
}

export interface ThemeToggleProps extends Omit<IconButtonProps, 'label' | 'onClick' | 'children'> {
  /** Name of the button in each state: the current theme and the one that a click sets. */
  labels: Record<Theme, string>;
}

/** Cycles through system, light and dark. Works together with `themeScript` in the head. */
export function ThemeToggle({ labels, ...rest }: ThemeToggleProps) {
  const theme = useSyncExternalStore<Theme>(subscribe, current, () => 'system');
  const Icon = icons[theme];
  return (
    <IconButton {...rest} label={labels[theme]} onClick={() => choose(next[theme])}>
      <Icon />
    </IconButton>
  );
}
