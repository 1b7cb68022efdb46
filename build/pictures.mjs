// Takes the pictures of the README of the built site: Home, and Search with the arithmetic of one figure, light and
// dark; and the previews that other sites show beside a link, site/preview/*.jpg: every screen as it looks.
// node build/pictures.mjs FOLDER; $RANKBOX_BUILD serves the site, $CHROMIUM is the browser.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { served } from './served.mjs';

const folder = process.argv[2];

// The screens: the address of each, and what to do there first.
const screens = {
  home: ['/'], search: ['/search'], evaluate: ['/evaluate'], learn: ['/learn/ndcg'], play: ['/play'],
  collections: ['/collections'],
  judge: ['/judge', (page) => page.locator('#judge-first').click()
    .then(() => page.waitForSelector('#judged-document h2'))],
};

async function previews(page) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1200, height: 630 });
  await mkdir('site/preview', { recursive: true });
  for (const [name, [path, first]] of Object.entries(screens)) {
    await page.goto(path);
    await page.waitForFunction(() => document.getElementById('page').dataset.phase === 'ready');
    await first?.(page);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: `site/preview/${name}.jpg`, type: 'jpeg', quality: 80 });
  }
  await page.setViewportSize(before);
}

const { origin: baseURL, stop } = await served();
let browser;
try {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ baseURL, colorScheme, viewport: { width: 1200, height: 720 },
      reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto('/');
    await page.waitForFunction(() => document.getElementById('page').dataset.phase === 'ready');
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(folder, `home-${colorScheme}.png`) });
    if (colorScheme === 'light') await previews(page);
    await page.goto('/search');
    await page.waitForFunction(() => document.getElementById('page').dataset.phase === 'ready');
    await page.selectOption('#judged', { index: 1 });
    await page.locator('#unfold-0').click();
    await page.waitForSelector('#terms tbody tr');
    await page.locator('.layout').evaluate((e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 16));
    await page.waitForFunction(() => document.getElementById('page').dataset.phase === 'ready');
    await page.screenshot({ path: join(folder, `search-${colorScheme}.png`) });
    await context.close();
  }
} finally {
  await browser?.close();
  stop();
}
