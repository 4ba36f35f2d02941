import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { createClient } from '../db/pool.js';
import { FetchProblem } from '../net/fetch-problem.js';
import type { GuardedFetcher } from '../net/guarded-fetch.js';
import { type DemoApp, folderOf } from './demo-app.js';
import { demoDevelopers } from './demo-developers.js';

/** Paths at which a gateway in development serves the pictures and the websites of the demo apps (D200). */
export const picturesPath = '/dev/pictures';
export const websitesPath = '/dev/websites';

const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'src', 'demo-data', 'pictures');

/** Returns the files of all pictures by their paths, such as `/time-tracker/logo.png`. They are not part of a container image. */
export function pictureFiles(): Map<string, string> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.png'),
    );
    return new Map(names.map((name) => [`/${name.replaceAll('\\', '/')}`, join(folder, name)]));
  } catch {
    return new Map();
  }
}

/** The URLs in the listings of the demo apps. */
export class DemoUrls {
  constructor(private readonly publicUrl: string) {}

  picture(appFolder: string, name: string): string {
    return `${this.publicUrl}${picturesPath}/${appFolder}/${name}.png`;
  }

  /** Returns the part of an app's listing that consists of URLs. */
  of(demo: DemoApp) {
    const appFolder = folderOf(demo);
    return {
      logoUrl: this.picture(appFolder, 'logo'),
      bannerUrl: demo.hasBanner ? this.picture(appFolder, 'banner') : null,
      websiteUrl: `${this.publicUrl}${websitesPath}/${appFolder}`,
      screenshots: demo.screens.map((caption, index) => ({
        url: this.picture(appFolder, `screen-${index + 1}`),
        caption,
      })),
    };
  }
}

/** Reads the pictures from their files: the gateway that serves them has not started yet when the demo data is created. */
export const pictureReader: Pick<GuardedFetcher, 'fetch'> = {
  async fetch(url, { onPiece } = {}) {
    const { pathname } = new URL(url);
    const found = { url, status: 200, headers: { 'content-type': 'image/png' } };
    if (!pathname.includes(`${picturesPath}/`)) return { ...found, body: Buffer.alloc(0), bytes: 0 };
    const body = await readFile(join(folder, pathname.split(`${picturesPath}/`)[1]!)).catch((cause) => {
      throw new FetchProblem('http_error', 'There is no such file.', { cause });
    });
    onPiece?.(body);
    return { ...found, body, bytes: body.length };
  },
};

const demoPath = `/dev/(?:pictures|websites)/`;
const movedUrl = (column: string) =>
  `${column} = regexp_replace(${column}, '^https?://.*(${demoPath})', $1 || '\\1')`;
const movedJson = (column: string) =>
  `${column} = regexp_replace(${column}::text, '"https?://[^"]*?(${demoPath})', '"' || $1 || '\\1', 'g')::jsonb`;
const listing = [...['logo_url', 'banner_url', 'website_url'].map(movedUrl), movedJson('screenshots')].join();
const demoAppIds = `(select a.id from apps a join developers d on d.id = a.developer_id where d.account_user_id = any($2))`;
const moves = [
  `update apps set ${listing} where id in ${demoAppIds}`,
  `update app_versions set ${listing}, ${movedJson('base')} where app_id in ${demoAppIds}`,
  `update submissions set ${movedJson('listing')} where app_id in ${demoAppIds}`,
  `update asset_checks set ${movedUrl('url')} where app_id in ${demoAppIds}`,
];

/**
 * Changes the URLs of the demo apps' pictures to the present address of the gateway, if it was started at another port or
 * with another PUBLIC_URL before (D200). Only listings of the demo developers are changed.
 */
export async function moveDemoPictures(databaseUrl: string, publicUrl: string): Promise<void> {
  const accounts = Object.values(demoDevelopers).map(({ accountUserId }) => accountUserId);
  const client = createClient({ url: databaseUrl, purpose: 'tools' });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select from apps where id in ${demoAppIds} and logo_url ~ '${demoPath}' and not starts_with(logo_url, $1 || '/dev/') limit 1`,
      [publicUrl, accounts],
    );
    if (rowCount === 0) return;
    await client.query('begin');
    for (const move of moves) await client.query(move, [publicUrl, accounts]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
