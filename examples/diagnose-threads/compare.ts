import { diagnose } from 'foretoken';
import type { ThreadModel } from 'foretoken/models';
import dynamicChunk from './dynamic-chunk.ts';
import excessiveWaiting from './excessive-waiting.ts';
import fineGrain from './fine-grain.ts';
import linearSpawning from './linear-spawning.ts';
import tooFewTasks from './too-few-tasks.ts';

/** The faulty programs, and the parameters that correct them. */
const PROGRAMS: readonly (readonly [model: ThreadModel, corrected: Record<string, number | boolean>])[] = [
  [fineGrain, { grain: 64 }],
  [dynamicChunk, { chunk: 192 }],
  [linearSpawning, { recursive: true }],
  [tooFewTasks, { grain: 125 }],
  [excessiveWaiting, { grain: 6 }],
];

const ms = (seconds: number): string => `${(1e3 * seconds).toPrecision(3)} ms`;
const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

line(['program', 'causes', 'run time', 'predicted gain', 'corrected', 'saved', 'causes']);
line(['---', '---', '---:', '---:', '---', '---:', '---']);
for (const [model, set] of PROGRAMS) {
  const faulty = diagnose(model, { workers: 8 });
  const corrected = diagnose(model, { workers: 8, set });
  const causes = ({ regions }: typeof faulty): string =>
    regions.flatMap(({ findings }) => findings.map(({ cause }) => cause)).join(', ') || 'none';
  const gain = faulty.regions.flatMap(({ findings }) => findings.map(({ predictedGain }) => predictedGain ?? 0));
  line([
    model.name,
    causes(faulty),
    ms(faulty.model!.runTime),
    ms(Math.max(...gain)),
    Object.entries(set)
      .map(([name, value]) => `${name} = ${String(value)}`)
      .join(', '),
    ms(faulty.model!.runTime - corrected.model!.runTime),
    causes(corrected),
  ]);
}
