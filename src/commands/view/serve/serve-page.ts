import { basename } from 'node:path';
import { formatProblem } from '../../../base/problem.ts';
import { pageFile } from '../../../report/page-file.ts';
import type { About, PageNews } from '../../../report/page-parts.ts';
import { signalCode } from '../../command-line/exit-code.ts';
import type { ForkedEnd, ForkedJob, Job, Shell } from '../../command-line/job.ts';
import { visible } from '../../command-line/visible.ts';
import { assertReadAgain } from '../../inputs/input-kinds.ts';
import { localModules } from '../../inputs/local-modules.ts';
import { pathFacts } from '../../inputs/path-kinds.ts';
import type { View } from '../view.ts';
import { PageServer } from './page-server.ts';
import { WatchedFiles } from './watched-files.ts';

/** Milliseconds between two looks at the files. */
const LOOK_EVERY = 200;
/** Looks after which a page is made although its files still change. */
const MAX_UNSETTLED = 10;
/** Making the page of a growing record takes at most this share of the time. */
const SHARE = 0.25;
/** Shortest time between two pages of a growing record, in milliseconds: readers want to look at them. */
const LEAST = 1000;
/** The clock of a file system may lag behind that of the system, in milliseconds. */
const LAG = 20;

/** The input of a served page, and how it is served. */
export interface ServeOptions {
  readonly job: Job<object>;
  /** Files that the options name. */
  readonly files: readonly string[];
  /** The input is a record that is still being written: it changes all the time. */
  readonly isGrowing: boolean;
  /** 0: any port that is free. */
  readonly port: number;
  /** Called with each address that opens the page. */
  readonly opened: (address: string) => void;
}

/**
 * Serves the page of an input until a signal ends it, and makes it again whenever a file changes that it was made from. Each page is
 * made in a separate process; the last one without a problem stays.
 *
 * @returns the exit code: that of the signal
 * @throws InputError APP054 for an input that can be read only once; APP055
 */
export async function servePage(options: ServeOptions, forkJob: Shell['forkJob']): Promise<number> {
  const { job, files, port, opened } = options;
  assertReadAgain('a served page', [job.input, ...files]);
  const maker = new PageMaker(options, forkJob, () => server.tell());
  const server = new PageServer({
    page: () => maker.page,
    empty: () => emptyPage(job.input),
    news: () => maker.news,
    renewed: opened,
  });
  await server.listen(port);
  const signal = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(name));
  });
  maker.begin();
  opened(server.address);
  const name = await signal;
  maker.stop();
  await server.close();
  return signalCode(name);
}

/** A page without a result: it shows the notices of the server. */
function emptyPage(input: string): Promise<Uint8Array> {
  const about: About = { title: basename(input), notes: [], served: 0 };
  return pageFile(about.title, { about: [Buffer.from(JSON.stringify(about))] }, true);
}

/** Makes the page of an input, again and again. */
class PageMaker {
  readonly #job: Job<object>;
  readonly #given: readonly string[];
  readonly #forkJob: Shell['forkJob'];
  readonly #changed: () => void;
  readonly #watched = new WatchedFiles();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<ForkedJob<View>> | undefined;
  /** Number of looks since a file changed; undefined if the page is as new as its files. */
  #unsettled: number | undefined;
  #problems: readonly string[] = [];
  #version = 0;
  #progress: string | undefined;
  readonly #isGrowing: boolean;
  /** The next page of a growing record is made at this time, in milliseconds. */
  #next = 0;
  page: Uint8Array | undefined;

  constructor({ job, files, isGrowing }: ServeOptions, forkJob: Shell['forkJob'], changed: () => void) {
    this.#job = job;
    this.#given = [job.input, ...files];
    this.#isGrowing = isGrowing;
    this.#forkJob = forkJob;
    this.#changed = changed;
  }

  get news(): PageNews {
    const isBusy = this.#running !== undefined || this.#unsettled !== undefined;
    const progress = this.#progress === undefined ? {} : { progress: this.#progress };
    return { version: this.#version, isBusy, problems: this.#problems, ...progress };
  }

  begin(): void {
    this.#watch(this.#given);
    void this.#make();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#end();
  }

  #look(): void {
    const change = this.#watched.look();
    const isChanged = change !== undefined;
    if (isChanged) {
      // Whatever appears in a folder need not concern the input, so the page that is being made is waited for.
      if (!this.#isGrowing && change === 'file') this.#end();
      this.#unsettled ??= 0;
    }
    if (this.#isGrowing) {
      if (this.#unsettled === undefined || this.#running !== undefined || performance.now() < this.#next) return;
      this.#unsettled = undefined;
      void this.#make();
      return;
    }
    if (this.#unsettled === undefined || this.#running !== undefined) return;
    // A file that is being written changes from look to look.
    if (isChanged && this.#unsettled++ < MAX_UNSETTLED) return;
    this.#unsettled = undefined;
    void this.#make();
  }

  /** Ends the page that is being made. */
  #end(): void {
    void this.#running?.then((job) => job.kill());
    this.#running = undefined;
  }

  async #make(): Promise<void> {
    const begun = Date.now() - LAG;
    const from = performance.now();
    this.#watch(this.#given);
    const running = this.#forkJob<View>({
      ...this.#job,
      options: { ...this.#job.options, served: this.#version + 1 },
    });
    this.#running = running;
    this.#changed();
    const end = await (await running).ended;
    // Another one has begun.
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#next = performance.now() + Math.max(LEAST, (performance.now() - from) * (1 / SHARE - 1));
    this.#watch(end.read, begun);
    const { answer } = end;
    if (answer.kind === 'done') {
      this.#watched.clearFolders();
      this.#version++;
      this.page = answer.result.html;
      this.#progress = answer.result.progress;
      this.#problems = [];
      const { spans, messages, html } = answer.result;
      const contents = spans === 0 ? '' : `${spans} spans, ${messages} messages, `;
      process.stderr.write(`${visible(`${this.#job.input}: ${contents}${html.length} bytes`)}\n`);
    } else {
      // A module that is missing may appear.
      this.#watched.addFolders(begun);
      this.#problems = problemsOf(end);
      for (const problem of this.#problems) process.stderr.write(`${visible(problem)}\n`);
    }
    this.#changed();
  }

  /** Follows files, and the modules that they import. Files of installed packages are not followed. */
  #watch(files: readonly string[], since?: number): void {
    const own = files.filter((file) => !/[\\/]node_modules[\\/]/.test(file));
    this.#watched.add([...own, ...own.flatMap(modulesOf)], since);
  }
}

function modulesOf(file: string): readonly string[] {
  if (!pathFacts(file).isCode) return [];
  try {
    return localModules(file);
  } catch {
    // The file is not there at the moment.
    return [];
  }
}

/** Why a job has no result, in lines. */
function problemsOf({ answer, by }: ForkedEnd): string[] {
  switch (answer.kind) {
    case 'problems':
      return answer.problems.map(formatProblem);
    case 'crash':
      return [`internal error of foretoken: ${answer.crash.message}`];
    case 'memory':
      return ['out of memory. Allow more memory, in MiB: NODE_OPTIONS=--max-old-space-size=8192'];
    default:
      return [
        `the process that makes the page was ended${by === undefined ? '' : ` by ${by}`}: does the model end it?`,
      ];
  }
}
