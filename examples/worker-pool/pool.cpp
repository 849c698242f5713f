// A work-stealing pool that records the states of its workers, for `foretoken diagnose`.
//
//   g++ -O2 -std=c++17 -pthread pool.cpp -o pool
//   ./pool WORKERS TASKS NANOSECONDS linear|recursive > workers.csv
//
// TASKS tasks of NANOSECONDS each are spawned by one task (linear), or by tasks that split their range in halves (recursive).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
static Clock::time_point begin;

static double now() { return std::chrono::duration<double>(Clock::now() - begin).count(); }

enum State { EXEC, LOCAL, GLOBAL, WAIT, END };
static const char *const NAME[] = {"EXEC", "LOCAL", "GLOBAL", "WAIT", "END"};

// Tasks first … last − 1. A task of more than one either spawns all of them or splits.
struct Task {
  long first, last;
};

struct Worker {
  std::deque<Task> queue;
  std::mutex lock;
  std::vector<std::pair<double, State>> states;

  void enter(State state) { states.emplace_back(now(), state); }
};

struct Pool {
  std::vector<Worker> workers;
  std::atomic<long> left;
  double seconds;
  bool recursive;

  Pool(int count, long tasks, double seconds, bool recursive)
      : workers(count), left(tasks), seconds(seconds), recursive(recursive) {
    workers[0].queue.push_back({0, tasks});
  }

  void push(Worker &worker, Task task) {
    std::lock_guard<std::mutex> guard(worker.lock);
    worker.queue.push_back(task);
  }

  // The owner takes the youngest task, a thief the oldest.
  bool take(Worker &worker, bool own, Task &task) {
    std::lock_guard<std::mutex> guard(worker.lock);
    if (worker.queue.empty()) return false;
    task = own ? worker.queue.back() : worker.queue.front();
    if (own) worker.queue.pop_back();
    else worker.queue.pop_front();
    return true;
  }

  void execute(Worker &worker, Task task) {
    long count = task.last - task.first;
    if (count > 1 && recursive) {
      long middle = task.first + count / 2;
      push(worker, {middle, task.last});
      push(worker, {task.first, middle});
    } else if (count > 1) {
      for (long k = task.first; k < task.last; k++) push(worker, {k, k + 1});
    } else {
      double end = now() + seconds;
      while (now() < end) {
      }
      left--;
    }
  }

  bool steal(size_t thief, Task &task) {
    for (size_t k = 1; k < workers.size(); k++)
      if (take(workers[(thief + k) % workers.size()], false, task)) return true;
    return false;
  }

  void run(size_t number) {
    Worker &self = workers[number];
    Task task;
    self.enter(LOCAL);
    while (left > 0) {
      if (take(self, true, task)) {
        self.enter(EXEC);
        execute(self, task);
        self.enter(LOCAL);
        continue;
      }
      self.enter(GLOBAL);
      bool found = steal(number, task);
      // Searches again, then rests.
      while (!found && left > 0) {
        self.enter(WAIT);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        self.enter(GLOBAL);
        found = steal(number, task);
      }
      if (!found) break;
      self.enter(EXEC);
      execute(self, task);
      self.enter(LOCAL);
    }
    self.enter(END);
  }
};

int main(int argc, char **argv) {
  if (argc != 5 || (std::strcmp(argv[4], "linear") != 0 && std::strcmp(argv[4], "recursive") != 0)) {
    std::fprintf(stderr, "usage: pool WORKERS TASKS NANOSECONDS linear|recursive\n");
    return 2;
  }
  int count = std::atoi(argv[1]);
  long tasks = std::atol(argv[2]);
  if (count < 1 || tasks < 1) {
    std::fprintf(stderr, "expected at least one worker and one task\n");
    return 2;
  }
  Pool pool(count, tasks, 1e-9 * std::atof(argv[3]), std::strcmp(argv[4], "recursive") == 0);
  begin = Clock::now();
  std::vector<std::thread> threads;
  for (int k = 0; k < count; k++) threads.emplace_back([&pool, k] { pool.run(k); });
  for (auto &thread : threads) thread.join();
  std::printf("worker,time,state\n");
  for (int k = 0; k < count; k++)
    for (auto &[time, state] : pool.workers[k].states) std::printf("%d,%.9f,%s\n", k, time, NAME[state]);
  return 0;
}
