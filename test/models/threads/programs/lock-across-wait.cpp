// A task holds a lock while it waits for another one, and has made a task that wants the lock. oneTBB, two threads: the thread that
// waits executes the second task above the first, and waits for itself.
#include <cstdio>
#include <mutex>
#include <tbb/global_control.h>
#include <tbb/task_group.h>
#include <unistd.h>

static std::mutex lock;
static tbb::task_group all;

static void outer(int i) {
  std::lock_guard<std::mutex> guard(lock);
  tbb::task_group own;
  own.run([] { usleep(20000); });
  usleep(5000);
  if (i > 0) all.run([i] { outer(i - 1); });
  own.wait();
}

int main() {
  tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 2);
  for (int round = 0; round < 20; round++) {
    all.run([] { outer(1); });
    all.wait();
  }
  puts("ended");
}
