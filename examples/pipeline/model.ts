import { compose } from 'foretoken/models';
import { blur, reader, sharpen, writer } from './modules.ts';

/** Reader, filter and writer on a rank each; the filter and the writer share one accelerator. */
export default compose(
  [
    { model: reader, ranks: 1 },
    { as: 'filter', choose: [blur, sharpen], ranks: 1 },
    { model: writer, ranks: 1 },
  ],
  {
    name: 'pipeline',
    synchronise: [['reader.frames', 'filter.source'], ['filter.result', 'writer.frames'], 'accelerator'],
  },
);
