import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this package. */
export const VERSION: string = manifest.version;
/** Name and version, as recorded in result documents. */
export const PRODUCT: string = `foretoken ${manifest.version}`;
