// Nested constructs in OpenMP, with sleeps instead of computing: the cores of the machine do not matter.
// Prints the seconds of one run of each program.
#include <cstdio>
#include <functional>
#include <omp.h>
#include <unistd.h>

static void ms(int n) { usleep(n * 1000); }

static void run(const char *name, std::function<void()> body) {
  double begin = omp_get_wtime();
#pragma omp parallel
#pragma omp single
  body();
  printf("%s %.6f\n", name, omp_get_wtime() - begin);
}

int main() {
  omp_set_num_threads(24);
  omp_set_max_active_levels(2);
  run("warm-up", [] {});
  run("loop in loop", [] {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 4; i++) {
#pragma omp taskloop grainsize(1)
      for (int j = 0; j < 2; j++) ms(5);
      ms(50);
    }
  });
  run("loop next to a task", [] {
#pragma omp task
    ms(50);
#pragma omp taskloop grainsize(1)
    for (int j = 0; j < 2; j++) ms(5);
    ms(45);
#pragma omp taskwait
  });
  run("sync in a loop", [] {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 4; i++) {
#pragma omp task
      ms(5);
#pragma omp taskwait
      ms(50);
    }
  });
  run("section in a loop", [] {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
      ms(5);
      ms(50);
    }
  });
}
