// Costs of OpenMP's tasks and chunks on the machine that runs it, in ticks of its time-stamp counter. Each figure is the median of 11.
// g++ -O2 -fopenmp openmp-tasks.cpp && OMP_NUM_THREADS=2 ./a.out
#include <omp.h>
#include <x86intrin.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

static const long TASKS = 200000;
static double median(std::function<double()> run) {
  std::vector<double> all;
  for (int i = 0; i < 11; i++) all.push_back(run());
  std::sort(all.begin(), all.end());
  return all[5];
}
static void nothing(long k) { asm volatile("" : : "r"(k)); }

int main() {
  const int threads = omp_get_max_threads();
  // Ticks of one thread for each task or chunk.
  auto each = [threads](std::function<void()> run) {
    return median([&] { auto from = __rdtsc(); run(); return double(__rdtsc() - from) * threads / TASKS; });
  };
  printf("%d threads, ticks per task or chunk\n", threads);
  printf("task, made by one thread    %7.0f\n", each([] {
    #pragma omp parallel
    #pragma omp single
    for (long k = 0; k < TASKS; k++) {
      #pragma omp task firstprivate(k)
      nothing(k);
    }
  }));
  printf("task of a taskloop          %7.0f\n", each([] {
    #pragma omp parallel
    #pragma omp single
    #pragma omp taskloop num_tasks(TASKS)
    for (long k = 0; k < TASKS; k++) nothing(k);
  }));
  printf("chunk, schedule(dynamic)    %7.0f\n", each([] {
    #pragma omp parallel for schedule(dynamic)
    for (long k = 0; k < TASKS; k++) nothing(k);
  }));
}
