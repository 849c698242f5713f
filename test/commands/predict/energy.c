/* energy: each rank computes, and passes messages round a ring. */
#include <mpi.h>
#include <stdlib.h>

void smpi_execute_flops(double flops);

int main(int argc, char **argv) {
  int rank, size;
  MPI_Request q;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *a = calloc(2, 1 << 20);
  for (int k = 0; k < 4; k++) {
    smpi_execute_flops(1e7 * (1 + (rank * 7 + k * 3) % 5));
    MPI_Isend(a, 1000 << 2 * k, MPI_CHAR, (rank + 1) % size, k, MPI_COMM_WORLD, &q);
    MPI_Recv(a + (1 << 20), 1000 << 2 * k, MPI_CHAR, (rank + size - 1) % size, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
