// Waits for conditions within a time: each line of the input is a scenario, each line of the output has what its waiters returned.
// Single waits are those of POSIX: wait_for of libstdc++ without a predicate reports a time-out if the thread has the mutex after the time.
// Scenario: unit in seconds, then "W start limit atLeast" (atLeast 0: a single wait) and "N time all adds hold", in units of time.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <pthread.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

int main() {
  std::vector<std::string> lines, results;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  results.resize(lines.size());
  std::vector<std::thread> scenarios;
  const auto begin = Clock::now() + std::chrono::milliseconds(50);
  for (size_t i = 0; i < lines.size(); i++)
    scenarios.emplace_back([&, i] {
      std::istringstream in(lines[i]);
      double unit;
      in >> unit;
      std::mutex m;
      std::condition_variable c;
      int value = 0;
      std::vector<std::thread> threads;
      std::string result;
      result.reserve(100);
      auto at = [&](double units) { std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(Seconds(unit * units))); };
      for (char kind; in >> kind;) {
        if (kind == 'W') {
          double start, limit;
          int atLeast;
          in >> start >> limit >> atLeast;
          const size_t k = result.size();
          result += '?';
          threads.emplace_back([&, start, limit, atLeast, k] {
            at(start);
            std::unique_lock<std::mutex> lock(m);
            const auto time = std::chrono::duration_cast<Clock::duration>(Seconds(unit * limit));
            if (atLeast > 0) {
              result[k] = c.wait_for(lock, time, [&] { return value >= atLeast; }) ? 'n' : 't';
              return;
            }
            const double end = Seconds((Clock::now() + time).time_since_epoch()).count();
            const timespec until = {time_t(end), long((end - double(time_t(end))) * 1e9)};
            result[k] = pthread_cond_clockwait(c.native_handle(), m.native_handle(), CLOCK_MONOTONIC, &until) == 0 ? 'n' : 't';
          });
        } else {
          double time, hold;
          int all, adds;
          in >> time >> all >> adds >> hold;
          threads.emplace_back([&, time, all, adds, hold] {
            at(time);
            std::unique_lock<std::mutex> lock(m);
            value += adds;
            if (all) c.notify_all();
            else c.notify_one();
            std::this_thread::sleep_for(Seconds(unit * hold));
          });
        }
      }
      for (auto &thread : threads) thread.join();
      std::ostringstream out;
      out << result << ' ' << Seconds(Clock::now() - begin).count() / unit;
      results[i] = out.str();
    });
  for (auto &scenario : scenarios) scenario.join();
  for (auto &result : results) std::puts(result.c_str());
}
