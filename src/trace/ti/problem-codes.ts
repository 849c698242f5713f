import type { ProblemCode } from '../../base/problem-code.ts';

/** Problem codes of time-independent traces; TI040 to TI043 are warnings and notes. */
export const TI_CODES: readonly ProblemCode[] = [
  { code: 'TI001', meaning: 'The file cannot be read.', example: 'a directory' },
  { code: 'TI002', meaning: 'The file has no actions.', example: 'an empty file' },
  { code: 'TI003', meaning: 'The file is not text.', example: 'a program; UTF-16' },
  { code: 'TI004', meaning: 'A line is longer than allowed.', example: 'a file without line ends' },
  {
    code: 'TI005',
    meaning: 'Compressed data is damaged, or too large when decompressed.',
    example: 'a gzip file cut short',
  },
  {
    code: 'TI006',
    meaning: 'An entry of a listing is not a trace file: it is missing, the listing itself, or another listing.',
    example: 'rank-0.ti, which does not exist',
  },
  { code: 'TI007', meaning: 'The file changes while it is read.', example: 'a trace that is still being written' },
  {
    code: 'TI008',
    meaning: 'A temporary file cannot be used.',
    example: 'no free space in the directory for temporary files',
  },
  { code: 'TI010', meaning: 'A line does not begin with the number of a rank.', example: 'compute 1e9' },
  { code: 'TI011', meaning: 'A rank is out of range.', example: '1000000000 init' },
  {
    code: 'TI012',
    meaning: 'A rank has no line, or there are fewer ranks than requested.',
    example: 'lines of ranks 0 and 2',
  },
  {
    code: 'TI013',
    meaning: 'The file of one rank has a line of another.',
    example: '1 init in the first file of a listing',
  },
  { code: 'TI020', meaning: 'An action is unknown or missing.', example: '0 fly 7' },
  { code: 'TI021', meaning: 'An action of MPI that cannot be replayed.', example: '0 ibarrier' },
  { code: 'TI022', meaning: 'An action has too few or too many arguments.', example: '0 send 1' },
  { code: 'TI023', meaning: 'An argument is not a number of the expected type.', example: '0 compute nan' },
  { code: 'TI024', meaning: 'A rank in an argument is out of range.', example: '0 send 2 0 8 of two ranks' },
  { code: 'TI025', meaning: 'A tag is out of range.', example: '0 send 1 -7 8' },
  {
    code: 'TI026',
    meaning: 'A datatype is unknown, or derived without a given size (--datatype -1=BYTES).',
    example: '0 send 1 0 8 99',
  },
  { code: 'TI027', meaning: 'A number of bytes exceeds 2^53 − 1.', example: '0 send 1 0 1e16' },
  {
    code: 'TI030',
    meaning: 'A wait or test refers to a request that is not outstanding.',
    example: '0 wait 0 1 0 without an isend or irecv',
  },
  {
    code: 'TI031',
    meaning: 'The k-th collectives of two ranks differ.',
    example: '0 barrier and 1 bcast 8 0',
  },
  {
    code: 'TI032',
    meaning: 'A rank ends with fewer collectives than another, without a deadlock in the replay.',
    example: 'two barriers of rank 0, one of rank 1',
  },
  { code: 'TI040', meaning: 'Warning: a rank has no finalize.', example: 'a trace cut short' },
  {
    code: 'TI041',
    meaning: 'Warning: a rank continues after its finalize.',
    example: 'a trace written twice to one file',
  },
  {
    code: 'TI042',
    meaning: "Warning: the source −333 is read as any source, as SimGrid's tracer writes it.",
    example: '0 recv -333 0 8',
  },
  {
    code: 'TI043',
    meaning: 'Note: the trace has collectives, and the format does not record their communicators.',
    example: 'a trace with 0 barrier and 1 barrier',
  },
  {
    code: 'TI050',
    meaning: 'The trace has more actions than supported.',
    example: 'more than 2147483647 actions',
  },
];
