// The tasks of taskloops: for each loop a line with its iterations, its clause, and the first iteration of each task.
#include <cstdio>
#include <omp.h>
#include <vector>

// A private copy for each task, which is fresh in its first iteration.
struct Fresh {
  bool fresh = true;
};

static std::vector<char> firsts;
static void visit(Fresh &task, int i) {
  if (task.fresh) firsts[i] = 1;
  task.fresh = false;
}

static void print(int n, const char *clause, int value) {
  printf("%d %s %d:", n, clause, value);
  for (int i = 0; i < n; i++)
    if (firsts[i]) printf(" %d", i);
  printf("\n");
  firsts.assign(n, 0);
}

int main() {
  omp_set_num_threads(4);
#pragma omp parallel
#pragma omp single
  for (int n : {1, 2, 5, 7, 12, 31, 100}) {
    Fresh task;
    firsts.assign(n, 0);
#pragma omp taskloop firstprivate(task)
    for (int i = 0; i < n; i++) visit(task, i);
    print(n, "default", 0);
    for (int k : {1, 2, 3, 5, 8, 30, 200}) {
#pragma omp taskloop grainsize(k) firstprivate(task)
      for (int i = 0; i < n; i++) visit(task, i);
      print(n, "grainsize", k);
#pragma omp taskloop grainsize(strict: k) firstprivate(task)
      for (int i = 0; i < n; i++) visit(task, i);
      print(n, "strict", k);
#pragma omp taskloop num_tasks(k) firstprivate(task)
      for (int i = 0; i < n; i++) visit(task, i);
      print(n, "num_tasks", k);
    }
  }
}
