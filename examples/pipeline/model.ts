import { compose } from 'foretoken/models';
import { archive, features, sensor, smooth } from './modules.ts';

/** Sensor, filter and archive on a rank each. Filter and archive share one accelerator; the filter can be exchanged. */
export default compose(
  [
    { model: sensor, ranks: 1 },
    { as: 'filter', choose: [smooth, features], ranks: 1 },
    { model: archive, ranks: 1 },
  ],
  {
    name: 'pipeline',
    synchronise: [['sensor.frames', 'filter.source'], ['filter.result', 'archive.frames'], 'accelerator'],
  },
);
