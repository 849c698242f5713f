import { serve } from '../app/whatif/serve.ts';
import { importModule } from './import-module.ts';

/*
 * A thread of a what-if study, or of replications, of the bundled command line.
 */
serve(importModule);
