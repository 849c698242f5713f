/* probes CALL BYTES STEP: rank 1 posts two messages to rank 0, tag 2 before tag 1 if BYTES is even in KiB, otherwise tag 1 before tag 2
   (CALL claimed: both of tag 1). Rank 0 looks for them by CALL, receives them, and prints the time at which it ends; what it has found is
   part of it.
   probe: waits for tag 1, computes STEP flops, receives tag 1, then tag 2. any: twice waits for any message, computes 1 ms times its tag,
   and receives it. iprobe: computes STEP flops before each look for tag 1, and 10 us times the number of looks after them. claimed: waits
   for a message while a receive of its kind is open: that is the second one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void smpi_execute_flops(double flops);

int main(int argc, char **argv) {
  int rank, flag = 0, looks = 0;
  MPI_Status status;
  MPI_Request q[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *call = argv[1];
  const int bytes = atoi(argv[2]), second = bytes / 1024 % 2 == 0, claimed = strcmp(call, "claimed") == 0;
  const double step = atof(argv[3]);
  char *a = calloc(2, (size_t)bytes + 1);
  if (rank == 1) {
    smpi_execute_flops(300000);
    MPI_Isend(a, bytes, MPI_CHAR, 0, claimed ? 1 : second ? 2 : 1, MPI_COMM_WORLD, &q[0]);
    smpi_execute_flops(50000);
    MPI_Isend(a, bytes, MPI_CHAR, 0, claimed ? 1 : second ? 1 : 2, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  } else {
    const double start = MPI_Wtime();
    if (strcmp(call, "probe") == 0) {
      MPI_Probe(1, 1, MPI_COMM_WORLD, &status);
      smpi_execute_flops(step);
      MPI_Recv(a, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(a, bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(call, "any") == 0) {
      for (int k = 0; k < 2; k++) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        smpi_execute_flops(1000000.0 * status.MPI_TAG);
        MPI_Recv(a, bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    } else if (strcmp(call, "iprobe") == 0) {
      while (!flag) {
        smpi_execute_flops(step);
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, &status);
        looks++;
      }
      smpi_execute_flops(10000.0 * looks);
      MPI_Recv(a, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(a, bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Irecv(a, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &q[0]);
      MPI_Probe(1, 1, MPI_COMM_WORLD, &status);
      smpi_execute_flops(step);
      MPI_Recv(a + bytes, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    }
    printf("%.17g\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
