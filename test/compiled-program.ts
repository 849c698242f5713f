import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a program needs besides g++: options of the compiler, and a text that compiles where they are usable. */
interface Needs {
  readonly options: readonly string[];
  readonly probe: string;
}

export const ONE_TBB: Needs = {
  options: ['-ltbb'],
  probe: '#include <tbb/task_arena.h>\nint main() { tbb::task_arena a; }',
};
/** With waits on the monotonic clock, which glibc 2.30 has. */
export const PTHREADS: Needs = {
  options: ['-pthread'],
  probe: '#include <pthread.h>\nint main() { return pthread_cond_clockwait == nullptr; }',
};
/** `strict` of taskloops came with GCC 12. */
export const OPEN_MP: Needs = {
  options: ['-fopenmp'],
  probe: '#include <omp.h>\n#if __GNUC__ < 12\n#error\n#endif\nint main() { return omp_get_max_threads() == 0; }',
};

/**
 * The path of a program of C++, compiled into `folder`; undefined where its compiler or library is missing.
 *
 * @throws Error if the program itself does not compile
 */
export function compiledProgram(source: string, folder: string, { options, probe }: Needs): string | undefined {
  const compile = (from: string, to: string): void => {
    execFileSync('g++', ['-O1', '-std=c++17', from, '-o', to, ...options], { stdio: 'pipe' });
  };
  const [test, program] = [join(folder, 'probe.cpp'), join(folder, basename(source, '.cpp'))];
  try {
    writeFileSync(test, probe);
    compile(test, join(folder, 'probe'));
  } catch {
    return undefined;
  }
  compile(source, program);
  return program;
}
