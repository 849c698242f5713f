/*
 * Two-dimensional Jacobi iteration with halo exchange, one block of the grid per rank.
 *
 *   stencil [CELLS [ITERATIONS [CHECK]]]
 *
 * CELLS x CELLS cells (1024), ITERATIONS sweeps (16), the residual is reduced over all ranks every CHECK sweeps (4).
 * In each sweep a rank posts receives and sends for up to four neighbours, sweeps its inner cells while the messages
 * travel, waits, and sweeps the cells along its edges. Cells of the lower left quarter take twice the work of the others
 * (a source term), so that all other ranks wait for the owners of these cells.
 *
 * The program runs under any MPI. Under SimGrid's SMPI the sweeps are not carried out: each costs its exact number of
 * floating-point operations, so that a recorded trace is the same on every machine.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOPS_PER_CELL 7.0

enum { WEST, EAST, NORTH, SOUTH, SIDES };

typedef struct {
  int width, height;   /* cells of this rank */
  int hotTo, hotFrom;  /* the source term is computed in columns up to hotTo, rows from hotFrom */
  double *old, *new;   /* (width + 2) x (height + 2), with a rim of halo cells */
  double *out[SIDES];  /* data sent to the neighbours */
  double *in[SIDES];   /* data received from them */
} Block;

/* The cells along one side, `inset` cells inwards from the rim: pointer to the first, their distance and their number. */
static double *side(const Block *b, int s, int inset, int *step, int *count)
{
  int stride = b->width + 2;
  *step  = s == WEST || s == EAST ? stride : 1;
  *count = s == WEST || s == EAST ? b->height : b->width;
  switch (s) {
    case WEST:
      return b->old + stride + inset;
    case EAST:
      return b->old + stride + b->width + 1 - inset;
    case NORTH:
      return b->old + inset * stride + 1;
    default:
      return b->old + (b->height + 1 - inset) * stride + 1;
  }
}

static int inRange(int value, int low, int high)
{
  return value < low ? low : value > high ? high : value;
}

/*
 * One sweep over columns left..right and rows top..bottom (counted from 1); returns the sum of squared changes.
 * Under SMPI the sweep only costs its time and returns 0.
 */
static double sweep(const Block *b, int left, int right, int top, int bottom)
{
#ifdef SMPI_H
  int columns = right - left + 1, rows = bottom - top + 1;
  int hotColumns = inRange(b->hotTo - left + 1, 0, columns), hotRows = inRange(bottom - b->hotFrom + 1, 0, rows);
  smpi_execute_flops(FLOPS_PER_CELL * ((double)columns * rows + (double)hotColumns * hotRows));
  return 0;
#else
  int stride    = b->width + 2;
  double change = 0;
  for (int y = top; y <= bottom; y++) {
    int hotTo = y >= b->hotFrom ? b->hotTo : 0;
    for (int x = left; x <= right; x++) {
      const double *o = b->old + y * stride + x;
      double value    = 0.25 * (o[-1] + o[1] + o[-stride] + o[stride]);
      if (x <= hotTo)
        value += 1e-3 * (1 - value * value) * (0.5 + 0.25 * value);
      b->new[y * stride + x] = value;
      change += (value - o[0]) * (value - o[0]);
    }
  }
  return change;
#endif
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int parameters[3] = {argc > 1 ? atoi(argv[1]) : 1024, argc > 2 ? atoi(argv[2]) : 16, argc > 3 ? atoi(argv[3]) : 4};
  int ranks, rank, grid[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(parameters, 3, MPI_INT, 0, MPI_COMM_WORLD);
  int cells = parameters[0], iterations = parameters[1], check = parameters[2];
  MPI_Dims_create(ranks, 2, grid);

  int column = rank % grid[0], row = rank / grid[0];
  int neighbour[SIDES];
  neighbour[WEST]  = column > 0 ? rank - 1 : -1;
  neighbour[EAST]  = column < grid[0] - 1 ? rank + 1 : -1;
  neighbour[NORTH] = row > 0 ? rank - grid[0] : -1;
  neighbour[SOUTH] = row < grid[1] - 1 ? rank + grid[0] : -1;

  Block b     = {.width = cells / grid[0], .height = cells / grid[1]};
  b.hotTo     = inRange(cells / 2 - column * b.width, 0, b.width);
  b.hotFrom   = cells / 2 - row * b.height + 1;
  size_t size = (size_t)(b.width + 2) * (b.height + 2);
  b.old       = calloc(size, sizeof(double));
  b.new       = calloc(size, sizeof(double));
  for (int s = 0; s < SIDES; s++) {
    b.out[s] = calloc(b.width + b.height, sizeof(double));
    b.in[s]  = calloc(b.width + b.height, sizeof(double));
  }
  if (row == 0)
    for (int x = 0; x < b.width + 2; x++)
      b.old[x] = b.new[x] = 1;

  double residual = 0;
  for (int i = 1; i <= iterations; i++) {
    MPI_Request requests[2 * SIDES];
    int n = 0, step, count;
    for (int s = 0; s < SIDES; s++) {
      if (neighbour[s] < 0)
        continue;
      side(&b, s, 0, &step, &count);
      MPI_Irecv(b.in[s], count, MPI_DOUBLE, neighbour[s], 0, MPI_COMM_WORLD, &requests[n++]);
    }
    for (int s = 0; s < SIDES; s++) {
      if (neighbour[s] < 0)
        continue;
      const double *edge = side(&b, s, 1, &step, &count);
      for (int c = 0; c < count; c++)
        b.out[s][c] = edge[c * step];
      MPI_Isend(b.out[s], count, MPI_DOUBLE, neighbour[s], 0, MPI_COMM_WORLD, &requests[n++]);
    }
    double change = sweep(&b, 2, b.width - 1, 2, b.height - 1);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int s = 0; s < SIDES; s++) {
      if (neighbour[s] < 0)
        continue;
      double *rim = side(&b, s, 0, &step, &count);
      for (int c = 0; c < count; c++)
        rim[c * step] = b.in[s][c];
    }
    change += sweep(&b, 1, b.width, 1, 1);
    change += sweep(&b, 1, b.width, b.height, b.height);
    change += sweep(&b, 1, 1, 2, b.height - 1);
    change += sweep(&b, b.width, b.width, 2, b.height - 1);

    double *swap = b.old;
    b.old        = b.new;
    b.new        = swap;
    if (i % check == 0)
      MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  if (rank == 0)
    printf("%d ranks as %d x %d, %d sweeps of %d x %d cells, residual %g\n", ranks, grid[0], grid[1], iterations, cells,
           cells, sqrt(residual));
  free(b.old);
  free(b.new);
  for (int s = 0; s < SIDES; s++) {
    free(b.out[s]);
    free(b.in[s]);
  }
  MPI_Finalize();
  return 0;
}
