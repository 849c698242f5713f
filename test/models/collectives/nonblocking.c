/* nonblocking COLLECTIVE BYTES COMPUTING: a non-blocking collective on all ranks, and the time at which each rank has it
   complete. With COMPUTING 1, ranks arrive at different times, compute while it is under way, and call it twice. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void smpi_execute_flops(double flops);

static int counts[64], shifts[64], others[64], displacements[64];

/* Elements of rank i in a collective with parts of different sizes; of the message from rank i to rank j. */
static int part(int i, int bytes) { return (i * 7 + 3) % 5 * (bytes / 4); }
static int between(int i, int j, int bytes) { return (i * 3 + j * 5) % 4 * (bytes / 4); }

int main(int argc, char **argv) {
  int rank, size, times, total = 0, all = 0;
  MPI_Request q;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char *call = argv[1];
  const int bytes = atoi(argv[2]), computing = atoi(argv[3]), root = size / 2;
  const MPI_Comm w = MPI_COMM_WORLD;
  const MPI_Datatype c = MPI_CHAR;
  char *a = calloc(2, (size_t)bytes * size + 1), *b = calloc(2, (size_t)bytes * size + 1);
  for (int i = 0; i < size; i++) {
    const int alltoallv = strcmp(call, "alltoallv") == 0;
    counts[i] = alltoallv ? between(rank, i, bytes) : part(i, bytes);
    others[i] = between(i, rank, bytes);
    shifts[i] = total;
    displacements[i] = all;
    total += counts[i];
    all += others[i];
  }
#define IS(name) (strcmp(call, name) == 0)
  if (computing) smpi_execute_flops((rank * 5 + 2) % 7 * 40000);
  for (times = 0; times < (computing ? 2 : 1); times++) {
    if (IS("barrier")) MPI_Ibarrier(w, &q);
    if (IS("bcast")) MPI_Ibcast(a, bytes, c, root, w, &q);
    if (IS("reduce")) MPI_Ireduce(a, b, bytes, c, MPI_BOR, root, w, &q);
    if (IS("allreduce")) MPI_Iallreduce(a, b, bytes, c, MPI_BOR, w, &q);
    if (IS("scan")) MPI_Iscan(a, b, bytes, c, MPI_BOR, w, &q);
    if (IS("exscan")) MPI_Iexscan(a, b, bytes, c, MPI_BOR, w, &q);
    if (IS("gather")) MPI_Igather(a, bytes, c, b, bytes, c, root, w, &q);
    if (IS("scatter")) MPI_Iscatter(a, bytes, c, b, bytes, c, root, w, &q);
    if (IS("allgather")) MPI_Iallgather(a, bytes, c, b, bytes, c, w, &q);
    if (IS("alltoall")) MPI_Ialltoall(a, bytes, c, b, bytes, c, w, &q);
    if (IS("gatherv")) MPI_Igatherv(a, counts[rank], c, b, counts, shifts, c, root, w, &q);
    if (IS("scatterv")) MPI_Iscatterv(a, counts, shifts, c, b, counts[rank], c, root, w, &q);
    if (IS("allgatherv")) MPI_Iallgatherv(a, counts[rank], c, b, counts, shifts, c, w, &q);
    if (IS("alltoallv")) MPI_Ialltoallv(a, counts, shifts, c, b, others, displacements, c, w, &q);
    if (IS("reducescatter")) MPI_Ireduce_scatter(a, b, counts, c, MPI_BOR, w, &q);
    if (computing) smpi_execute_flops(200000 + (rank * 3 + 1) % 4 * 30000);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
  }
  printf("%d %.17g\n", rank, MPI_Wtime());
  MPI_Finalize();
  return 0;
}
