// The ranges that loops under oneTBB's affinity_partitioner execute on one thread of an arena: for each number of slots and each loop a line
// with both, then the first iteration and the number of iterations of each range, in the order of execution.
#include <cstdio>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

int main() {
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  for (int slots : {1, 2, 3, 4, 8}) {
    tbb::task_arena arena(slots, 1);
    arena.execute([slots] {
      for (int n : {1, 2, 3, 33, 64, 65, 100, 1000, 4097}) {
        tbb::affinity_partitioner affinity;
        printf("%d %d:", tbb::this_task_arena::max_concurrency(), n);
        tbb::parallel_for(
            tbb::blocked_range<int>(0, n, 1),
            [](const tbb::blocked_range<int> &r) { printf(" %d+%d", r.begin(), r.end() - r.begin()); }, affinity);
        printf("\n");
      }
    });
  }
}
