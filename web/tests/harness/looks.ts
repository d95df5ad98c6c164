/** What is asked of every page: no barriers, nothing beside the screen, no text without words; and pictures to look at. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { join } from 'node:path';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Waits until nothing is on its way to another look: colours would be judged half-way. */
async function isStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The end of one change can begin another: what inherits a colour follows it.
    for (;;) {
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      if (ending.length === 0) return;
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }
  });
}

/** No violation that axe can find. */
export async function hasNoBarriers(page: Page, what: string): Promise<void> {
  await isStill(page);
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const told = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary ?? ''})`).join(', ')}`
  );
  expect(told, `barriers on ${what}`).toEqual([]);
}

/** Nothing makes the page scroll sideways. */
export async function fitsItsScreen(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(beyond, `what is wider than the screen on ${what}`).toEqual([]);
}

/** Every text is there: none shows its key. */
export async function speaks(page: Page, what: string): Promise<void> {
  const text = await page.locator('body').innerText();
  const keys = text.match(
    /\b(?:account|admin|board|common|game|lobby|openings|people|replay|rules|search|watch)\.[a-z]+(?:_[a-z0-9]+)*\b/g
  );
  expect(keys, `texts that are missing on ${what}`).toBeNull();
}

/** Keeps a picture of the page for people to look at. */
export async function isPictured(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join('test-results/pictures', `${name}.png`), fullPage: true, animations: 'disabled' });
}
