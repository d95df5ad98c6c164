/** What is asked of every page: no barriers, nothing beside the screen, no text without words; and pictures to look at. */
import { expect, type Frame, type Locator, type Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';
import { join } from 'node:path';

const TAGS: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
};
const COLOURS: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Pictures cost a tenth of the time of all stories, and only people look at them: `make pictures` takes them. */
const IS_PICTURED = process.env['QIGUAN_PICTURES'] === 'take';

/** Waits until nothing is on its way to another look: colours would be judged half-way. */
export async function isStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The end of one change can begin another: what inherits a colour follows it.
    for (;;) {
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      // What has ended may still hold its look, and what never ends is not waited for.
      const ending = document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
      if (ending.length === 0) return;
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }
  });
}

/** No violation that axe can find. */
export async function hasNoBarriers(page: Page, what: string): Promise<void> {
  await finds(page, what, TAGS);
}

/** The same of a page that has been looked at and shows the same in other colours: whatever depends on colours. */
export async function hasNoBarriersInColour(page: Page, what: string): Promise<void> {
  await finds(page, what, COLOURS);
}

async function finds(page: Page, what: string, runOnly: RunOnly): Promise<void> {
  await isStill(page);
  const told = [];
  for (const frame of page.frames()) told.push(...(await violations(frame, runOnly)));
  expect(told, `barriers on ${what}`).toEqual([]);
}

/** What axe finds in a page or a frame, by itself: it is brought there once, and asks no other frame. */
async function violations(frame: Frame, runOnly: RunOnly): Promise<string[]> {
  const isThere = await frame.evaluate(() => 'axe' in window);
  if (!isThere) await frame.evaluate(axe.source);
  return frame.evaluate(async (only) => {
    const { axe: here } = window as unknown as { axe: typeof axe };
    const { violations: found } = await here.run({ runOnly: only, resultTypes: ['violations'], iframes: false });
    return found.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary ?? ''})`).join(', ')}`
    );
  }, runOnly);
}

/** Nothing makes the page scroll sideways. */
export async function fitsItsScreen(page: Page, what: string): Promise<void> {
  // Right after the window has changed, letters may still have the size that they had in the last one.
  await isStill(page);
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
    /\b(?:account|admin|analysis|board|common|embed|game|hotseat|learn|lobby|notice|openings|people|push|puzzles|replay|rules|search|watch)\.[a-z]+(?:_[a-z0-9]+)*\b/g
  );
  expect(keys, `texts that are missing on ${what}`).toBeNull();
}

/** Keeps a picture of the page for people to look at, where pictures are taken. */
export async function isPictured(page: Page, name: string, fullPage = true): Promise<void> {
  if (!IS_PICTURED) return;
  const path = join('test-results/pictures', `${name}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: 85, fullPage, animations: 'disabled' });
}

/** All of it is on the screen without scrolling, and nothing lies on top of it. */
export async function isInView(locator: Locator, what: string): Promise<void> {
  await expect(locator, what).toBeVisible();
  await isStill(locator.page());
  const trouble = await locator.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const screen = { width: document.documentElement.clientWidth, height: window.innerHeight };
    if (top < -1 || left < -1 || bottom > screen.height + 1 || right > screen.width + 1) {
      return `${Math.round(left)},${Math.round(top)} to ${Math.round(right)},${Math.round(bottom)} on ${screen.width}x${screen.height}`;
    }
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return element.contains(there) ? null : `covered by ${there?.outerHTML.slice(0, 120) ?? 'nothing'}`;
  });
  expect(trouble, `${what} is out of view`).toBeNull();
}
