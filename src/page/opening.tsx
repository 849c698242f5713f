import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunOverview } from '../analysis/efficiency/run-overview.ts';
import type { PagePart } from '../report/page-parts.ts';
import type { Content } from './content.ts';
import { palette } from './draw/scheme.ts';
import { drawRows, markFirstPicture } from './draw/timeline.ts';
import { Part, Region } from './figure.tsx';
import { Summary } from './parts/summary.tsx';
import { canvasHeight, nodeRows } from './parts/timeline.tsx';

/** The first picture of a long run, while the browser still reads its record: summary, and rows of the overview. */
export function Opening(props: {
  readonly content: Pick<Content, 'about' | 'documents'>;
  readonly overview: RunOverview;
}): JSX.Element {
  const { content, overview } = props;
  return (
    <>
      <header>
        <h1>{content.about.title}</h1>
      </header>
      <main>
        <Part name="Summary">
          <Summary content={content} />
        </Part>
        <Part name="Timeline">
          <Coarse overview={overview} part={content.about.part} rest="All spans are being read …" />
        </Part>
      </main>
    </>
  );
}

/** The rows of an overview. `rest` says why the spans are not there. */
export function Coarse(props: {
  readonly overview: RunOverview;
  readonly part: PagePart | undefined;
  readonly rest: string;
}): JSX.Element {
  const { overview, part, rest } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = palette();
  useLayoutEffect(() => {
    const processes = part?.processes === undefined ? undefined : new Set(part.processes);
    const rows = nodeRows(overview, new Set(), (process) => processes?.has(process) ?? true);
    const { from, to } = overview;
    const width = Math.max(200, box.current!.clientWidth);
    const frame = { rows, first: 0, shown: { from, to }, width, height: canvasHeight(rows.length), colours };
    const { isWhole } = drawRows(canvas.current!, frame, (process, columns) => overview.bins(process, columns));
    if (isWhole) markFirstPicture();
  }, [overview, colours]);
  return (
    <Region name="Timeline">
      <p class="note" role="status">
        This is the run in {overview.parts.toLocaleString('en')} equal parts, with shares in fifteenths. {rest}
      </p>
      <div class="canvas" ref={box}>
        <canvas ref={canvas} role="img" aria-label="Timeline of processes, not yet complete" />
      </div>
    </Region>
  );
}
