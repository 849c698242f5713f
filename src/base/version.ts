import { readFileSync } from 'node:fs';

/** A file of this package. This module is two levels below its root: in the sources, in `dist` and in the bundle. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  version: string;
};

/** The version of this package. */
export const VERSION: string = manifest.version;
/** Name and version, as recorded in result documents. */
export const PRODUCT: string = `foretoken ${manifest.version}`;
