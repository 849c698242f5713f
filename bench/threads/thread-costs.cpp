// Costs of locks, atomics, creation, wake-ups and barriers on the machine that runs it. Each figure is the median of 11 runs.
// g++ -O2 -pthread thread-costs.cpp && ./a.out
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
static double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }
static double perTurn;  // seconds of one turn of the loop below
static void turns(long count) { for (volatile long i = 0; i < count; i = i + 1) {} }
static void work(double time) { if (time > 0) turns(long(time / perTurn)); }
static double median(std::function<double()> run) {
  std::vector<double> all;
  for (int i = 0; i < 11; i++) all.push_back(run());
  std::sort(all.begin(), all.end());
  return all[5];
}
static void pin(int core) { cpu_set_t set; CPU_ZERO(&set); CPU_SET(core, &set); pthread_setaffinity_np(pthread_self(), sizeof set, &set); }

struct Spin { std::atomic<bool> taken{false};
  void lock() { while (taken.exchange(true, std::memory_order_acquire)) while (taken.load(std::memory_order_relaxed)) __builtin_ia32_pause(); }
  void unlock() { taken.store(false, std::memory_order_release); } };
struct Ticket { std::atomic<unsigned> next{0}, now{0};
  void lock() { unsigned mine = next.fetch_add(1); while (now.load(std::memory_order_acquire) != mine) __builtin_ia32_pause(); }
  void unlock() { now.store(now.load(std::memory_order_relaxed) + 1, std::memory_order_release); } };
struct Adaptive { pthread_mutex_t m; Adaptive() { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP); pthread_mutex_init(&m, &a); }
  void lock() { pthread_mutex_lock(&m); } void unlock() { pthread_mutex_unlock(&m); } };
struct Inherit { pthread_mutex_t m; Inherit() { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT); pthread_mutex_init(&m, &a); }
  void lock() { pthread_mutex_lock(&m); } void unlock() { pthread_mutex_unlock(&m); } };
struct Readers { std::shared_mutex m; void lock() { m.lock_shared(); } void unlock() { m.unlock_shared(); } };
struct Writers { std::shared_mutex m; void lock() { m.lock(); } void unlock() { m.unlock(); } };
struct Word { std::atomic<long> w{0}; void lock() { w.fetch_add(1); } void unlock() {} };

template <class Lock> struct alignas(128) Padded { Lock lock; };
// Wall time of w threads, from a common start to the last end, without creation and join.
template <class Lock> static double section(int w, bool shared, long n, double outside, double inside) {
  static Padded<Lock> locks[2];
  std::atomic<int> ready{0}; std::atomic<bool> go{false};
  std::vector<std::thread> threads; std::vector<double> ends(w); Clock::time_point start;
  for (int i = 0; i < w; i++) threads.emplace_back([&, i] {
    pin(i); Lock& lock = locks[shared ? 0 : i].lock; ready++; while (!go) {}
    for (long k = 0; k < n; k++) { work(outside); lock.lock(); work(inside); lock.unlock(); }
    ends[i] = seconds(start);
  });
  while (ready < w) std::this_thread::yield();
  start = Clock::now(); go = true;
  for (auto& t : threads) t.join();
  return *std::max_element(ends.begin(), ends.end());
}
template <class Lock> static void lockTable(const char* name) {
  // one operation without contention
  double free = median([] { return section<Lock>(1, true, 1000000, 0, 0) / 1e6; });
  printf("%-22s free %6.1f ns", name, free * 1e9);
  struct { double outside, inside; long n; } cases[] = {{9.9e-6, 1e-7, 5000}, {9e-7, 1e-7, 50000}, {1e-6, 1e-6, 20000}, {0, 2e-9, 500000}, {0, 1e-7, 200000}, {0, 1e-6, 20000}};
  for (auto& c : cases) {
    double one = median([&] { return section<Lock>(1, true, c.n, c.outside, c.inside); });
    double own = median([&] { return section<Lock>(2, false, c.n, c.outside, c.inside); });
    double both = median([&] { return section<Lock>(2, true, c.n, c.outside, c.inside); });
    printf(" | out %g in %g ns: one %.1f own %.1f shared %.1f ns/op/thread, speed-up %.3f", c.outside * 1e9, c.inside * 1e9, one / c.n * 1e9, own / c.n * 1e9, both / c.n * 1e9, 2 * one / both);
  }
  printf("\n"); fflush(stdout);
}

int main() {
  pin(0); turns(100000000);
  // The fastest of 21 parts: a part that something disturbs would make all work too short.
  perTurn = 1; for (int i = 0; i < 21; i++) { auto start = Clock::now(); turns(10000000); perTurn = std::min(perTurn, seconds(start) / 1e7); }
  printf("turn %.3f ns\n", perTurn * 1e9);
  lockTable<std::mutex>("std::mutex");
  lockTable<Adaptive>("adaptive mutex");
  lockTable<Inherit>("inheriting mutex");
  lockTable<Spin>("spin (test and set)");
  lockTable<Ticket>("ticket (handed over)");
  lockTable<Readers>("shared_mutex, readers");
  lockTable<Writers>("shared_mutex, writers");
  lockTable<Word>("atomic add");
  cpu_set_t both; CPU_ZERO(&both); CPU_SET(0, &both); CPU_SET(1, &both); pthread_setaffinity_np(pthread_self(), sizeof both, &both);
  for (int n : {1, 2, 10, 100, 1000}) {
    double made = 0;
    double all = median([&] { std::vector<std::thread> t; auto start = Clock::now(); for (int i = 0; i < n; i++) t.emplace_back([] { work(1e-6); }); made = seconds(start); for (auto& x : t) x.join(); return seconds(start); });
    printf("create and join %d threads of 1 us: %.1f us, %.2f us each, last creation after %.1f us\n", n, all * 1e6, all / n * 1e6, made * 1e6);
  }
  { // wake-up: a thread blocked on a condition, on the other core
    std::mutex m; std::condition_variable c; int turn = 0; const int n = 20000;
    double t = median([&] { turn = 0; auto start = Clock::now(); std::thread other([&] { pin(1); for (int i = 0; i < n; i++) { std::unique_lock<std::mutex> l(m); c.wait(l, [&] { return turn == 1; }); turn = 0; c.notify_one(); } });
      pin(0); for (int i = 0; i < n; i++) { std::unique_lock<std::mutex> l(m); turn = 1; c.notify_one(); c.wait(l, [&] { return turn == 0; }); } other.join(); return seconds(start) / n / 2; });
    printf("wake-up across cores (condition, half a round trip): %.2f us\n", t * 1e6);
    t = median([&] { turn = 0; auto start = Clock::now(); std::thread other([&] { pin(0); for (int i = 0; i < n; i++) { std::unique_lock<std::mutex> l(m); c.wait(l, [&] { return turn == 1; }); turn = 0; c.notify_one(); } });
      pin(0); for (int i = 0; i < n; i++) { std::unique_lock<std::mutex> l(m); turn = 1; c.notify_one(); c.wait(l, [&] { return turn == 0; }); } other.join(); return seconds(start) / n / 2; });
    printf("wake-up on one core (with context switch): %.2f us\n", t * 1e6);
  }
  { // sched_yield between two threads of one core
    const int n = 200000;
    double t = median([&] { std::atomic<int> ready{0}; double d = 0; auto run = [&] { pin(0); ready++; while (ready < 2) sched_yield(); auto s = Clock::now(); for (int i = 0; i < n; i++) sched_yield(); d = seconds(s) / n / 2; }; std::thread a(run), b(run); a.join(); b.join(); return d; });
    printf("context switch (yield of two threads on one core): %.2f us\n", t * 1e6);
  }
  { // barriers of two threads
    const int n = 20000;
    double t = median([&] { pthread_barrier_t b; pthread_barrier_init(&b, nullptr, 2); double d = 0; auto run = [&](int i) { pin(i); pthread_barrier_wait(&b); auto s = Clock::now(); for (int k = 0; k < n; k++) pthread_barrier_wait(&b); d = seconds(s) / n; }; std::thread x(run, 0), y(run, 1); x.join(); y.join(); pthread_barrier_destroy(&b); return d; });
    printf("pthread barrier of two: %.2f us\n", t * 1e6);
    t = median([&] { std::atomic<int> count{0}, phase{0}; double d = 0; auto wait = [&] { int p = phase; if (count.fetch_add(1) == 1) { count = 0; phase = p + 1; } else while (phase == p) __builtin_ia32_pause(); };
      auto run = [&](int i) { pin(i); wait(); auto s = Clock::now(); for (int k = 0; k < n; k++) wait(); d = seconds(s) / n; }; std::thread x(run, 0), y(run, 1); x.join(); y.join(); return d; });
    printf("spin barrier of two: %.3f us\n", t * 1e6);
  }
  { // counters of two threads in one line and in two lines
    struct alignas(128) Line { std::atomic<long> a{0}; char gap[56]; std::atomic<long> far{0}; }; static Line line, other;
    const long n = 5000000;
    auto run = [&](std::atomic<long>& x, std::atomic<long>& y, bool two, bool locked) { return median([&] { std::atomic<int> ready{0}; double d = 0; auto go = [&](int i, std::atomic<long>& w) { pin(i); ready++; while (ready < (two ? 2 : 1)) {} auto s = Clock::now();
      if (locked) for (long k = 0; k < n; k++) w.fetch_add(1, std::memory_order_relaxed); else for (long k = 0; k < n; k++) w.store(w.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      d = seconds(s) / n; }; std::thread p(go, 0, std::ref(x)); if (two) { std::thread q(go, 1, std::ref(y)); q.join(); } p.join(); return d; }); };
    static std::atomic<long> near[2]; // the same line
    printf("atomic add: one thread %.2f ns, two threads one word %.2f, one line %.2f, two lines %.2f ns\n", run(line.a, line.a, false, true) * 1e9, run(line.a, line.a, true, true) * 1e9, run(near[0], near[1], true, true) * 1e9, run(line.a, other.a, true, true) * 1e9);
    printf("store: one thread %.2f ns, two threads one line %.2f, two lines %.2f ns\n", run(line.a, line.a, false, false) * 1e9, run(near[0], near[1], true, false) * 1e9, run(line.a, other.a, true, false) * 1e9);
  }
}
