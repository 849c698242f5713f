/* selectors CASES: executes collectives on all ranks, each at a full second of simulated time, and prints the time that each
   takes on each rank. A line of CASES is "OPERATION BYTES ROOT TYPE": bytes of the message or per pair of ranks, c (char) or d
   (double). Operations that end in "=" have equal parts; those in "v" and "reducescatter" have different ones. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void smpi_execute_flops(double flops);

static int counts[256], shifts[256], others[256], displacements[256];

/* Elements of rank i in a collective with parts of different sizes; of the message from rank i to rank j. */
static int part(int i, int n) { return (i * 7 + 3) % 5 * (n / 4); }
static int between(int i, int j, int n) { return (i * 3 + j * 5) % 4 * (n / 4); }

int main(int argc, char **argv) {
  int rank, size, bytes, root, number = 0;
  char call[64], type;
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Comm w = MPI_COMM_WORLD;
  const size_t most = (size_t)atoll(argv[2]);
  char *a = SMPI_SHARED_MALLOC(most), *b = SMPI_SHARED_MALLOC(most);
  FILE *cases = fopen(argv[1], "r");
  /* SMPI sets up its communicators of nodes in the first call that needs them: any call of impi, whose bcasts can leave messages. With
     "twice", the first time of each call sets up further ones, those of the communicators of nodes. */
  const int twice = argc > 3 && strcmp(argv[3], "twice") == 0;
  if (argc > 3 && !twice) MPI_Barrier(w);
  else for (int n = 1; n <= 1 << 17; n *= 8) MPI_Bcast(a, n, MPI_CHAR, 0, w);
  MPI_Allreduce(a, b, 1, MPI_CHAR, MPI_BOR, w);
  MPI_Reduce(a, b, 1, MPI_CHAR, MPI_BOR, 0, w);
  MPI_Gather(a, 1, MPI_CHAR, b, 1, MPI_CHAR, 0, w);
  while (fscanf(cases, "%63s %d %d %c", call, &bytes, &root, &type) == 4) {
    const int large = type == 'd' ? 8 : 1, n = bytes / large, equal = call[strlen(call) - 1] == '=';
    const MPI_Datatype t = type == 'd' ? MPI_DOUBLE : MPI_CHAR;
    const MPI_Op op = type == 'd' ? MPI_MAX : MPI_BOR;
    int total = 0, all = 0;
    if (equal) call[strlen(call) - 1] = 0;
#define IS(name) (strcmp(call, name) == 0)
    for (int i = 0; i < size; i++) {
      counts[i] = equal ? n : IS("alltoallv") ? between(rank, i, n) : part(i, n);
      others[i] = equal ? n : between(i, rank, n);
      shifts[i] = total;
      displacements[i] = all;
      total += counts[i];
      all += others[i];
    }
    number++;
    double start = 0;
    for (int time = twice ? 0 : 1; time < 2; time++) {
    smpi_execute_flops((number + (twice ? number + time - 1 : 0) - MPI_Wtime()) * 1e9);
    start = MPI_Wtime();
    if (IS("barrier")) MPI_Barrier(w);
    if (IS("bcast")) MPI_Bcast(a, n, t, root, w);
    if (IS("reduce")) MPI_Reduce(a, b, n, t, op, root, w);
    if (IS("allreduce")) MPI_Allreduce(a, b, n, t, op, w);
    if (IS("gather")) MPI_Gather(a, n, t, b, n, t, root, w);
    if (IS("scatter")) MPI_Scatter(a, n, t, b, n, t, root, w);
    if (IS("allgather")) MPI_Allgather(a, n, t, b, n, t, w);
    if (IS("alltoall")) MPI_Alltoall(a, n, t, b, n, t, w);
    if (IS("allgatherv")) MPI_Allgatherv(a, counts[rank], t, b, counts, shifts, t, w);
    if (IS("alltoallv")) MPI_Alltoallv(a, counts, shifts, t, b, others, displacements, t, w);
    if (IS("reducescatter")) MPI_Reduce_scatter(a, b, counts, t, op, w);
    }
    printf("%d %d %.17g\n", number, rank, MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
