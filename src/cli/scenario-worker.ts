import { importModule } from '../commands/command-line/import-module.ts';
import { serve } from '../commands/whatif/predictors/serve.ts';

/*
 * Worker thread of the bundled command line for what-if scenarios and replications.
 */
serve(importModule);
