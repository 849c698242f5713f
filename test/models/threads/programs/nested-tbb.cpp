// Nested constructs in oneTBB, with sleeps instead of computing: the cores of the machine do not matter.
// Prints the seconds of one run of each program.
#include <chrono>
#include <cstdio>
#include <functional>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

static void ms(int n) { usleep(n * 1000); }
static const tbb::simple_partitioner parts;

static void run(tbb::task_arena &arena, const char *name, std::function<void()> body) {
  auto begin = std::chrono::steady_clock::now();
  arena.execute(body);
  printf("%s %.6f\n", name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

int main() {
  tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 24);
  tbb::task_arena arena(24);
  run(arena, "warm-up", [] { tbb::parallel_for(0, 24, [](int) { ms(5); }, parts); });
  run(arena, "loop in loop", [] {
    tbb::parallel_for(0, 4, [](int) {
      tbb::parallel_for(0, 2, [](int) { ms(5); }, parts);
      ms(50);
    }, parts);
  });
  run(arena, "loop next to a task", [] {
    tbb::task_group tasks;
    tasks.run([] { ms(50); });
    tbb::parallel_for(0, 2, [](int) { ms(5); }, parts);
    ms(45);
    tasks.wait();
  });
  run(arena, "sync in a loop", [] {
    tbb::parallel_for(0, 4, [](int) {
      tbb::task_group tasks;
      tasks.run([] { ms(5); });
      tasks.wait();
      ms(50);
    }, parts);
  });
}
