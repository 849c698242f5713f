import { expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { viewedFile } from '../../../src/commands/view/view.ts';
import { folder } from '../../trace/support.ts';

const GATHER = `num_ranks 3
rank 0 {
  a: calc 2000
  b: recv 5000b from 1
  c: recv 5000b from 2
  b requires a
  c requires b
}
rank 1 { a: send 5000b to 0 }
rank 2 {
  a: calc 9000
  b: send 5000b to 0
  b requires a
}
`;

test('a schedule is profiled at once, as its record is', () => {
  const { path, remove } = folder({
    'gather.goal': GATHER,
    'late.goal': GATHER.replace('5000b from 2', '5000b from 2 tag 5'),
  });
  try {
    const [file, record] = [path('gather.goal'), path('gather.ftrun')];
    for (const options of [{}, { loggops: 'L=9000,o=700' }]) {
      predict(file, { ...options, run: record });
      const { inputs: _, options: __, warnings, ...own } = profile(file, options);
      const { inputs: ___, options: ____, ...ofRecord } = profile(record);
      expect({ ...own, warnings }).toMatchObject(ofRecord);
    }
    // A calc of 2 µs, of 9 µs, and nothing.
    expect(profile(file).figures.productiveTime.value).toBeCloseTo(11e-6, 12);
    const late = profile(path('late.goal'));
    expect(late.deadlock).toMatchObject([{ rank: 0 }]);
    expect(() => profile(file, { ranks: 4 } as never)).toThrow('PROF006 option ranks does not apply to a net');
  } finally {
    remove();
  }
});

test('the page of a schedule has the times of its parameters, given as an option or by a machine', async () => {
  const { path, remove } = folder({
    'gather.goal': GATHER,
    'own.yaml': 'nodes: 3\ncoresPerNode: 1\nspeed: 1Gf\nnetwork: { kind: loggops, L: 9us, o: 700ns, g: 1us, G: 6ns }\n',
    'links.yaml': 'nodes: 3\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 0\n',
  });
  try {
    const file = path('gather.goal');
    const times: (number | undefined)[] = [];
    for (const options of [{}, { loggops: 'L=9000,o=700' }, { machine: path('own.yaml') }]) {
      const { texts } = await viewedFile(file, options);
      times.push((JSON.parse(texts[0]!) as PredictionDocument).figures.runTime.value);
      expect(times.at(-1)).toBe(predict(file, options).figures.runTime.value);
    }
    expect(times[1]).toBe(times[2]);
    expect(times[1]).not.toBe(times[0]);
    await expect(viewedFile(file, { machine: path('links.yaml') })).rejects.toThrow(
      'GOAL006 machine: a schedule takes',
    );
  } finally {
    remove();
  }
});
