import { rmSync } from 'node:fs';

// Files of sources that are gone would stay in the package.
rmSync('dist', { recursive: true, force: true });
