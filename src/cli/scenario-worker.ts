import { importModule } from '../commands/command-line/import-module.ts';
import { serve } from '../commands/whatif/predictors/serve.ts';
import { cacheKernels } from './kernel-cache.ts';

/*
 * Worker thread of the bundled command line for what-if scenarios and replications.
 */
cacheKernels();
serve(importModule);
