import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Runs axe on a page in the light and the dark theme, and returns the violations: theme, rule, and where. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    for (const { id, help, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${colorScheme} ${id} (${help}) at ${target.join(' ')}: ${failureSummary}`);
  }
  return found;
}
