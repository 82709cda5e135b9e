import type { Locator, Page } from '@playwright/test';
import { expect } from './support.ts';

/** More Tab stops than any screen of these scenarios has between two elements. */
const FAR = 90;

/**
 * Whether the focused element is on screen and has a visible outline; for an element that is not visible itself, an element
 * around it has to have the outline.
 */
export const stop = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLElement | null;
    if (!at || at === document.body) return 'nowhere';
    const name = `${at.tagName} ${at.getAttribute('aria-label') ?? at.getAttribute('name') ?? at.textContent?.trim().slice(0, 40)}`;
    const box = at.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) return `off screen: ${name}`;
    for (let one: Element | null = at, up = 0; one && up < 7; one = one.parentElement, up++) {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return 'seen';
    }
    return `no ring: ${name}`;
  });
const isAt = (target: Locator) =>
  target.evaluateAll((all) => all.some((one) => one === document.activeElement)).catch(() => false);

/**
 * Presses Tab until the element has the focus. Every element that gets the focus on the way has to be visible; a dialog may
 * still be opening. Waits for the element to be attached first, because Tab would skip it otherwise.
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target.first()).toBeAttached();
  for (let stops = 0; stops < FAR; stops++) {
    if (await isAt(target)) return;
    await page.keyboard.press(key);
    await expect.poll(() => stop(page)).toBe('seen');
  }
  await expect(target).toBeFocused();
}
export async function tabAndPress(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
/** The first Tab stop skips the header of all pages. */
export async function skip(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Saltar al contenido' });
  // The back office has none until the session is read.
  await expect(link).toBeAttached();
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  expect(await stop(page)).toBe('seen');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
}
