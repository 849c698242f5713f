import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as library from '../../src/index.ts';

const names = Object.keys(library).sort();

test('the public interface is this, and nothing else', () => {
  expect(names.join(' ')).toMatchInlineSnapshot(
    `"IDEAL_BANDWIDTH InputError NetBuilder absorption add and changeMachine close cluster compare compareProfiles compile constant convert cox cycleTime diagnose discrete div empirical eq erlang estimates explore exponential fcfs fitAmdahl fitScalability floor formatProblem fragments gamma ge graphOf gt hide hyperExponential idealNetwork incidence incidenceToCsv infiniteServer lcfsPr le lognormal lt machineModule machineParameters map max merge min mod mul ne netFromJson netGraph netToDot netToJani netToJson netToMarkovFiles netToPrism netToSvg netToText normal not or parseAxes placeBounds placeNode predict prepare priority processorSharing profile property qualify readMachineFile readPnml readPnpro readResult rename replay replicate resolvedIncidence runStudy runTimeBounds runTimes safeNet scalingPoints simulate steady structure sub summary throughputBounds transient transitionNode triangular unfold uniform validate verify verifyProgram verifyShapes verifyThreads view weibull whatif when writeMachineFile writePnml"`,
  );
});

test('docs/library names every part of it that is for nets', () => {
  const pages = readdirSync('docs/library').map((f) => readFileSync(`docs/library/${f}`, 'utf8'));
  const words = new Set(pages.join('\n').match(/\w+/g));
  expect(names.filter((name) => !words.has(name))).toEqual([
    'IDEAL_BANDWIDTH',
    'changeMachine',
    'compare',
    'compareProfiles',
    'diagnose',
    'fitAmdahl',
    'fitScalability',
    'idealNetwork',
    'machineParameters',
    'parseAxes',
    'profile',
    'readMachineFile',
    'readResult',
    'runStudy',
    'scalingPoints',
    'structure',
    'verifyProgram',
    'verifyThreads',
    'view',
    'whatif',
    'writeMachineFile',
  ]);
});
