// An OpenMP loop with iterations of known work, for comparison with a prediction.
//
//   gcc -O2 -fopenmp loop.c -o loop
//   ./loop THREADS static|dynamic|guided CHUNK ITERATIONS NANOSECONDS SECONDS
//
// Iteration i of n spins for NANOSECONDS * (1 + 2 i / n): the work grows to three times along the loop. The spinning is
// calibrated once: it counts, and does not read a clock. Prints the shortest time in seconds of the runs of SECONDS
// seconds, at least 200: other programs can only add to it. All runs are in one process, so that the threads exist.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 200 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Not inlined: copies of such a loop can differ in speed by a factor of two.
__attribute__((noinline, aligned(64))) static void spin(long steps) {
  for (volatile long k = 0; k < steps; k++) {
  }
}

// Steps of the spinning in a second, in calls as short as iterations: the fastest of several measurements.
static double calibrated(void) {
  double best = 0;
  for (int k = 0; k < 300; k++) {
    double begin = now();
    for (int call = 0; call < 100; call++) spin(2000);
    double rate = 200000 / (now() - begin);
    if (rate > best) best = rate;
  }
  return best;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: loop THREADS static|dynamic|guided CHUNK ITERATIONS NANOSECONDS SECONDS\n");
    return 2;
  }
  int threads = atoi(argv[1]);
  int chunk = atoi(argv[3]);
  long n = atol(argv[4]);
  double seconds = 1e-9 * atof(argv[5]);
  double limit = atof(argv[6]);
  omp_sched_t kind = strcmp(argv[2], "static") == 0    ? omp_sched_static
                     : strcmp(argv[2], "dynamic") == 0 ? omp_sched_dynamic
                                                       : omp_sched_guided;
  double rate = calibrated();
  double best = 1e9;
  omp_set_num_threads(threads);
  omp_set_dynamic(0);
  omp_set_schedule(kind, chunk);
  double start = now();
  for (int run = 0; run < RUNS || now() - start < limit; run++) {
    double begin = now();
#pragma omp parallel for schedule(runtime)
    for (long i = 0; i < n; i++) spin((long)(rate * seconds * (1 + 2.0 * (double)i / (double)n)));
    double time = now() - begin;
    if (time < best) best = time;
  }
  printf("%.9f\n", best);
  return 0;
}
