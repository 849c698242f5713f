import { diagnose } from 'foretoken';
import type { ThreadModel } from 'foretoken/models';
import dynamicChunk from './dynamic-chunk.ts';
import excessiveWaiting from './excessive-waiting.ts';
import fineGrain from './fine-grain.ts';
import linearSpawning from './linear-spawning.ts';
import tooFewTasks from './too-few-tasks.ts';

/** The faulty programs, and the parameter that corrects each of them. */
const PROGRAMS: readonly (readonly [model: ThreadModel, parameter: string])[] = [
  [fineGrain, 'grain'],
  [dynamicChunk, 'chunk'],
  [linearSpawning, 'recursive'],
  [tooFewTasks, 'grain'],
  [excessiveWaiting, 'grain'],
];

const ms = (seconds: number): string => `${(1e3 * seconds).toPrecision(3)} ms`;
const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

line(['program', 'causes', 'run time', 'predicted gain', 'corrected', 'saved', 'causes']);
line(['---', '---', '---:', '---:', '---', '---:', '---']);
for (const [model, parameter] of PROGRAMS) {
  const faulty = diagnose(model, { workers: 8 });
  const [finding] = faulty.regions.flatMap(({ findings }) => findings);
  // The new grain that the diagnosis found: `… 1 → 64`.
  const value = parameter === 'recursive' ? true : Number(/→ (\d+)$/.exec(finding!.change!)![1]);
  const set = { [parameter]: value };
  const corrected = diagnose(model, { workers: 8, set });
  const causes = ({ regions }: typeof faulty): string =>
    regions.flatMap(({ findings }) => findings.map(({ cause }) => cause)).join(', ') || 'none';
  line([
    model.name,
    causes(faulty),
    ms(faulty.model!.runTime),
    ms(finding!.predictedGain!),
    `${parameter} = ${String(value)}`,
    ms(faulty.model!.runTime - corrected.model!.runTime),
    causes(corrected),
  ]);
}
