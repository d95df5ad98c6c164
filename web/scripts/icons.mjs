/**
 * Makes the icons of the installed client from `static/favicon.svg`, with the browser that plays the stories: `npm run icons`.
 * Those that a system cuts to its own shape have no corners, and keep the sign within the circle that is never cut off.
 */
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const sign = readFileSync(new URL('../static/favicon.svg', import.meta.url), 'utf8');
const inner = sign.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
const ground = /<rect[^>]*fill="([^"]+)"/.exec(inner)?.[1];
if (ground === undefined) throw new Error('static/favicon.svg has no ground with a colour');
const whole = (scale) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${ground}"/>` +
  `<g transform="translate(32 32) scale(${scale}) translate(-32 -32)">${inner}</g></svg>`;

// Android draws it in one colour of its own: only what is opaque counts.
const badge = sign
  .replace(/<rect[^>]*\/>/, '')
  .replace(/<circle[^>]*fill="#[^>]*\/>/, '')
  .replaceAll(ground, '#ffffff');

const icons = [
  { name: 'icon-192', size: 192, svg: sign },
  { name: 'icon-512', size: 512, svg: sign },
  { name: 'maskable-512', size: 512, svg: whole(0.9) },
  { name: 'apple-touch-icon', size: 180, svg: whole(1) },
  { name: 'badge-96', size: 96, svg: badge }
];

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
});
const page = await browser.newPage();
for (const { name, size, svg } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  const path = new URL(`../static/icons/${name}.png`, import.meta.url).pathname;
  await page.screenshot({ path, omitBackground: true });
}
await browser.close();
