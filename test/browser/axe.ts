import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/**
 * Runs axe on a page in the light and the dark theme, and returns the violations: theme, rule, and where. The themes
 * differ in colours only, so the other rules run once.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  return [
    ...(await violationsIn(page, 'light', (axe) => axe.withTags(RULES))),
    ...(await violationsIn(page, 'dark', (axe) => axe.withRules('color-contrast'))),
  ];
}

async function violationsIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  choose: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The other mode opens a window for each run, because of frames, and our pages have none.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${colorScheme} ${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
    ),
  );
}
