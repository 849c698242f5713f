import { serve } from '../whatif/predictors/serve.ts';

serve();
