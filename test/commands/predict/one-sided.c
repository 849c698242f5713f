/* Random one-sided calls between fences: one-sided SEED EPOCHS BYTES. Each rank prints its time before the first and after the last fence. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <smpi/smpi.h>

static unsigned state;
static unsigned draw(unsigned n) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % n;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int epochs = atoi(argv[2]), bytes = atoi(argv[3]);
  char* memory = calloc(1, 2 * bytes + 8);
  char* own = calloc(1, 2 * bytes + 8);
  MPI_Win window;
  MPI_Win_create(memory, 2 * bytes + 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  double begin = MPI_Wtime();
  MPI_Win_fence(0, window);
  for (int e = 0; e < epochs; e++) {
    /* A seed for each rank and epoch. */
    state = atoi(argv[1]) * 7919 + rank * 104729 + e * 1299709;
    int calls = draw(4);
    for (int k = 0; k < calls; k++) {
      /* Calls of one instant lock windows in an order of SMPI's own. */
      smpi_execute_flops(1e3 * (1 + draw(1000)) + rank);
      int kind = draw(4), to = draw(size), count = bytes / 8 / (1 + draw(3));
      if (kind == 0) MPI_Put(own, count, MPI_DOUBLE, to, 0, count, MPI_DOUBLE, window);
      else if (kind == 1) MPI_Get(own, count, MPI_DOUBLE, to, 0, count, MPI_DOUBLE, window);
      else if (kind == 2) MPI_Accumulate(own, count, MPI_DOUBLE, to, 0, count, MPI_DOUBLE, MPI_SUM, window);
      else smpi_execute_flops(1e6 * (1 + draw(20)));
    }
    MPI_Win_fence(0, window);
  }
  printf("times %d %.12f %.12f\n", rank, begin, MPI_Wtime());
  fflush(stdout);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
