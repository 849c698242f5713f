import { serve } from '../app/whatif/serve.ts';
import { importModule } from './import-module.ts';

/*
 * Worker thread of the bundled command line for what-if scenarios and replications.
 */
serve(importModule);
