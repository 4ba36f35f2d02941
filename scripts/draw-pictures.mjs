// Draws the pictures of the demo apps with Chromium: node scripts/draw-pictures.mjs [folder…]. It needs a build (npm run
// build) and Chromium (CHROMIUM, or /usr/bin/chromium). The same fonts give the same files, which are committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { folderOf } from '../dist/src/demo-data/demo-app.js';
import { demoApps } from '../dist/src/demo-data/demo-apps.js';
import { banner, logo, screen } from './pictures/layouts.mjs';
import { looks } from './pictures/looks.mjs';
import { encodePng } from './pictures/png.mjs';

const target = fileURLToPath(new URL('../src/demo-data/pictures/', import.meta.url));
const wanted = new Set(process.argv.slice(2));
/** Breaks the rule for logos (512×512) on purpose, so that the review queue has a finding. */
const smallLogos = new Set(['colour-labels']);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--disable-gpu', '--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text'],
});
const page = await browser.newPage();
let total = 0;
for (const app of demoApps) {
  const folder = folderOf(app);
  if (wanted.size > 0 && !wanted.has(folder)) continue;
  const look = looks[folder];
  const isRtl = /[\u0590-\u06ff]/.test(app.name);
  const side = smallLogos.has(folder) ? 400 : 512;
  await draw(`${folder}/logo.png`, logo(look, side), side, side);
  if (app.hasBanner) await draw(`${folder}/banner.png`, banner(app, look, isRtl), 1200, 600);
  for (const [index, spec] of look.screens.entries())
    await draw(`${folder}/screen-${index + 1}.png`, screen(app, look, spec, isRtl), 1280, 720);
}
await browser.close();
process.stdout.write(`${(total / 1024).toFixed(0)} kB\n`);

async function draw(name, html, width, height) {
  await page.setViewportSize({ width, height });
  await page.setContent(html);
  const shot = await page.screenshot({ type: 'png' });
  // The picture is read back as pixels and written with a palette, which makes it half as large.
  const pixels = await page.evaluate(readPixels, shot.toString('base64'));
  const png = encodePng(Buffer.from(pixels, 'base64'), width, height);
  const file = join(target, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, png);
  total += png.length;
}

/** Runs in the browser: decodes a PNG and returns its pixels as base64. */
async function readPixels(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let text = '';
  for (let start = 0; start < data.length; start += 0x8000)
    text += String.fromCharCode(...data.subarray(start, start + 0x8000));
  return btoa(text);
}
