// The ranges that loops under oneTBB's auto_partitioner execute on one thread: for each loop a line with its iterations, then the first
// iteration and the number of iterations of each range, in the order of execution.
#include <cstdio>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

int main() {
  tbb::task_arena arena(1, 1);
  arena.execute([] {
    for (int n : {1, 2, 3, 33, 64, 65, 100, 1000, 4097}) {
      printf("%d:", n);
      tbb::parallel_for(
          tbb::blocked_range<int>(0, n, 1),
          [](const tbb::blocked_range<int> &r) { printf(" %d+%d", r.begin(), r.end() - r.begin()); },
          tbb::auto_partitioner());
      printf("\n");
    }
  });
}
