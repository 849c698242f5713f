/* requests CALL BYTES STEP: rank 0 asks for two receives until both are complete, and computes STEP flops after each question; rank 1
   sends to them, the second one first if BYTES is even in KiB. Prints the time at which rank 0 ends; what it has found is part of it:
   after the loop it computes for 1 ms times (3 first index + second index) or times the number of completions of the first question that
   finds some. With CALL accumulate, put and get: the time of the call alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void smpi_execute_flops(double flops);

int main(int argc, char **argv) {
  int rank, flag = 0, index = 0, found = 0, done = 0, told = 0, list[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *call = argv[1];
  const int bytes = atoi(argv[2]), second = bytes / 1024 % 2 == 0;
  const double step = atof(argv[3]);
  char *a = calloc(3, (size_t)bytes + 1);
  MPI_Request q[2];
#define IS(name) (strcmp(call, name) == 0)
  if (IS("accumulate") || IS("put") || IS("get")) {
    MPI_Win w;
    MPI_Win_create(a, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    /* The last message of the fence has arrived then. */
    smpi_execute_flops(1000000);
    const double start = MPI_Wtime();
    if (rank == 0) {
      if (IS("accumulate")) MPI_Accumulate(a, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, MPI_SUM, w);
      if (IS("put")) MPI_Put(a, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, w);
      if (IS("get")) MPI_Get(a, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, w);
      printf("%.17g\n", MPI_Wtime() - start);
    }
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
  } else if (rank == 1) {
    smpi_execute_flops(300000);
    MPI_Send(a, bytes, MPI_CHAR, 0, second ? 2 : 1, MPI_COMM_WORLD);
    smpi_execute_flops(50000);
    MPI_Send(a, bytes, MPI_CHAR, 0, second ? 1 : 2, MPI_COMM_WORLD);
  } else {
    const double start = MPI_Wtime();
    MPI_Irecv(a, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(a + bytes, bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &q[1]);
    while (done < 2) {
      if (IS("testany")) {
        MPI_Testany(2, q, &index, &flag, MPI_STATUS_IGNORE);
        if (flag) told = 3 * told + index, done++;
      }
      if (IS("testsome")) {
        MPI_Testsome(2, q, &found, list, MPI_STATUSES_IGNORE);
        if (done == 0) told = found;
        done += found;
      }
      if (IS("testall")) {
        MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
        if (flag) done = 2;
      }
      smpi_execute_flops(step);
    }
    smpi_execute_flops(1000000.0 * told);
    printf("%.17g\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
