/* Programs whose traces are scaled: PROGRAM COLUMNS ROWS TURNS. Their flops are given, so that every trace is the same. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdlib.h>
#include <string.h>

static char from[4][65536], to[4][65536];

/* Exchanges a side with each neighbour of a grid that is not around its ends. */
static void jacobi(int x, int y, int columns, int rows, int turns, int rank) {
  const int peers[4] = {x > 0 ? rank - 1 : -1, x < columns - 1 ? rank + 1 : -1, y > 0 ? rank - columns : -1,
                        y < rows - 1 ? rank + columns : -1};
  const int sides[4] = {2048, 2048, 4096, 4096};
  for (int turn = 0; turn < turns; turn++) {
    MPI_Request open[8];
    int n = 0;
    for (int k = 0; k < 4; k++)
      if (peers[k] >= 0) MPI_Irecv(from[k], sides[k], MPI_CHAR, peers[k], k ^ 1, MPI_COMM_WORLD, &open[n++]);
    for (int k = 0; k < 4; k++)
      if (peers[k] >= 0) MPI_Isend(to[k], sides[k], MPI_CHAR, peers[k], k, MPI_COMM_WORLD, &open[n++]);
    smpi_execute_flops(1e6);
    MPI_Waitall(n, open, MPI_STATUSES_IGNORE);
    smpi_execute_flops(2e4);
    double own = 1, error = 0;
    MPI_Allreduce(&own, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
}

static void ring(int ranks, int turns, int rank) {
  for (int turn = 0; turn < turns; turn++) {
    if (rank == 0) MPI_Send(to[0], 20000, MPI_CHAR, 1, turn, MPI_COMM_WORLD);
    MPI_Recv(from[0], 20000, MPI_CHAR, (rank + ranks - 1) % ranks, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    smpi_execute_flops(1e5);
    if (rank > 0) MPI_Send(to[0], 20000, MPI_CHAR, (rank + 1) % ranks, turn, MPI_COMM_WORLD);
  }
}

/* A wave from the first corner to the last, and back. */
static void wavefront(int x, int y, int columns, int rows, int turns, int rank) {
  for (int turn = 0; turn < turns; turn++)
    for (int back = 0; back < 2; back++) {
      const int way = back ? -1 : 1;
      const int sides[2][2] = {{x - way, x + way}, {y - way, y + way}};
      const int steps[2] = {way, way * columns}, ends[2] = {columns, rows};
      for (int k = 0; k < 2; k++)
        if (sides[k][0] >= 0 && sides[k][0] < ends[k])
          MPI_Recv(from[k], 8000, MPI_CHAR, rank - steps[k], k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      smpi_execute_flops(3e5);
      for (int k = 0; k < 2; k++)
        if (sides[k][1] >= 0 && sides[k][1] < ends[k])
          MPI_Send(to[k], 8000, MPI_CHAR, rank + steps[k], k, MPI_COMM_WORLD);
    }
}

/* The data of a rank, 65536 bytes, go to all ranks in equal parts. */
static void transpose(int ranks, int turns) {
  for (int turn = 0; turn < turns; turn++) {
    smpi_execute_flops(5e5);
    MPI_Alltoall(to[0], 65536 / ranks, MPI_CHAR, from[0], 65536 / ranks, MPI_CHAR, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int columns = atoi(argv[2]), rows = atoi(argv[3]), turns = atoi(argv[4]);
  const int x = rank % columns, y = rank / columns;
  if (strcmp(argv[1], "jacobi") == 0) jacobi(x, y, columns, rows, turns, rank);
  if (strcmp(argv[1], "ring") == 0) ring(ranks, turns, rank);
  if (strcmp(argv[1], "wavefront") == 0) wavefront(x, y, columns, rows, turns, rank);
  if (strcmp(argv[1], "transpose") == 0) transpose(ranks, turns);
  MPI_Finalize();
  return 0;
}
