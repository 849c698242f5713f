/** Codes of recorded data. */
export const TRACE_AREAS = {
  ti: {
    title: 'Time-independent traces',
    example: 'What provokes it',
    codes: {
      TI001: { meaning: 'The file cannot be read.', example: 'a directory' },
      TI002: { meaning: 'The file has no actions.', example: 'an empty file' },
      TI003: { meaning: 'The file is not text.', example: 'a program; UTF-16' },
      TI004: { meaning: 'A line is longer than allowed.', example: 'a file without line ends' },
      TI005: {
        meaning: 'Compressed data is damaged, or too large when decompressed.',
        example: 'a gzip file cut short',
      },
      TI006: {
        meaning:
          'An entry of a listing is not a trace file: it is missing, no regular file, the listing itself, another listing, or outside the folder of the listing (--confine).',
        example: 'rank-0.ti, which does not exist',
      },
      TI007: { meaning: 'The file changes while it is read.', example: 'a trace that is still being written' },
      TI008: {
        meaning: 'A temporary file cannot be used.',
        example: 'no free space in the directory for temporary files',
      },
      TI010: { meaning: 'A line does not begin with the number of a rank.', example: 'compute 1e9' },
      TI011: { meaning: 'A rank is out of range.', example: '1000000000 init' },
      TI012: {
        meaning: 'A rank has no line, or there are fewer ranks than requested.',
        example: 'lines of ranks 0 and 2',
      },
      TI013: {
        meaning: 'The file of one rank has a line of another.',
        example: '1 init in the first file of a listing',
      },
      TI020: { meaning: 'An action is unknown or missing.', example: '0 fly 7' },
      TI021: { meaning: 'An action of MPI that cannot be replayed.', example: '0 testall' },
      TI022: { meaning: 'An action has too few or too many arguments.', example: '0 send 1' },
      TI023: { meaning: 'An argument is not a number of the expected type.', example: '0 compute nan' },
      TI024: { meaning: 'A rank in an argument is out of range.', example: '0 send 2 0 8 of two ranks' },
      TI025: { meaning: 'A tag is out of range.', example: '0 send 1 -7 8' },
      TI026: {
        meaning: 'A datatype is unknown, or derived without a given size (--datatype -1=BYTES).',
        example: '0 send 1 0 8 99',
      },
      TI027: { meaning: 'A number of bytes exceeds 2^53 − 1.', example: '0 send 1 0 1e16' },
      TI030: {
        meaning: 'A wait or test refers to a request, or to a non-blocking collective, that is not outstanding.',
        example: '0 wait 0 1 0 without an isend or irecv',
      },
      TI031: {
        meaning:
          'The k-th collectives of two ranks differ, usually because the program has sub-communicators, which traces do not record.',
        example: '0 barrier and 1 bcast 8 0',
      },
      TI032: {
        meaning: 'A rank ends with fewer collectives than another, without a deadlock in the replay.',
        example: 'two barriers of rank 0, one of rank 1',
      },
      TI040: { meaning: 'Warning: a rank has no finalize.', example: 'a trace cut short' },
      TI041: { meaning: 'Warning: a rank continues after its finalize.', example: 'a trace written twice to one file' },
      TI042: {
        meaning: "Warning: the source −333 is read as any source, as SimGrid's tracer writes it.",
        example: '0 recv -333 0 8',
      },
      TI043: {
        meaning:
          'Note: the trace has collectives or fences, and the format does not record their communicators and windows.',
        example: 'a trace with 0 barrier and 1 barrier',
      },
      TI044: {
        meaning:
          "Result not known: a partner of a sendRecv has no line for it. SimGrid's tracer writes no line for MPI_Sendrecv with MPI_PROC_NULL, and no tags for any. Insert the line, or record with MPI_Send and MPI_Recv.",
        example: '1 sendRecv 1 2 1 0, and no line of rank 0 but init and finalize',
      },
      TI045: {
        meaning:
          'Warning: a wait names one of several outstanding requests that the trace does not tell apart; the oldest one is taken.',
        example: '0 ibarrier twice, then 0 wait -333 -333 -779',
      },
      TI050: { meaning: 'The trace has more actions than supported.', example: 'more than 2147483647 actions' },
      TI060: {
        meaning: 'The trace cannot be scaled to other numbers of ranks: its messages fit no row, ring or grid.',
        example: '--scale weak for a master with workers',
      },
      TI061: {
        meaning:
          'The number of ranks does not fit the scaling: none is given, or no grid like the recorded one has as many.',
        example: '--scale weak --ranks 17 for a grid of 4 × 4',
      },
      TI062: {
        meaning: 'The trace is too large to be scaled, or its result would be.',
        example: 'more than 8388608 lines',
      },
      TI063: {
        meaning: 'Note: the trace was scaled: the grid of its ranks, and how each amount changes.',
        example: '--scale weak --ranks 64',
      },
    },
  },
  goal: {
    title: 'GOAL schedules',
    example: 'What provokes it',
    codes: {
      GOAL001: { meaning: 'A word is not the expected one.', example: 'l1: sent 8b to 1' },
      GOAL002: { meaning: 'A dependency names a label that its rank does not have.', example: 'l1 requires l9' },
      GOAL003: { meaning: 'A rank or a label occurs twice, or a rank has no block.', example: 'two blocks of rank 0' },
      GOAL004: { meaning: 'A number is not whole, or out of range.', example: 'send 8b to 9 with four ranks' },
      GOAL005: { meaning: 'The schedule has more operations than supported.', example: 'more than 2000000 operations' },
      GOAL006: {
        meaning:
          'Parameters of LogGOPS are malformed, or given for a net of another format or with options that exclude them.',
        example: '--loggops L=fast',
      },
      GOAL007: { meaning: 'Warning: no receive takes a message.', example: 'a send without a recv' },
      GOAL008: {
        meaning: 'A trace or a model cannot be written as a schedule.',
        example: 'convert app.ti app.goal, with "0 waitAny 2" in the trace',
      },
      GOAL009: {
        meaning: 'A note: LogGOPS is the network model, so some parts of the machine do not count.',
        example: '--machine cluster.yaml --loggops L=2500, with a link in cluster.yaml',
      },
    },
  },
  runRecord: {
    title: 'Run records',
    example: 'What provokes it',
    codes: {
      REC001: { meaning: 'A run record cannot be read or written.', example: 'foretoken profile missing.ftrun' },
      REC002: {
        meaning: 'A file is not a run record, or its version is not supported.',
        example: 'a text file with the ending .ftrun',
      },
      REC003: {
        meaning: 'A run record is truncated or corrupt; the byte offset of the first bad block is given.',
        example: 'a .ftrun file cut in half',
      },
      REC004: {
        meaning: 'A column is unknown or duplicate, or a required one is missing.',
        example: 'a states.csv with the header process,begin,end,state',
      },
      REC005: {
        meaning: 'A cell is missing, has the wrong type (a number, a state, an interval path), or is out of range.',
        example: '0,0,1,sleeping in a states.csv',
      },
      REC006: { meaning: 'A span ends before it begins.', example: '0,2,1,computing' },
      REC007: {
        meaning: 'Two spans of one process overlap, or are not ordered by time where required.',
        example: '0,0,2,computing and 0,1,3,waiting',
      },
      REC008: {
        meaning:
          'A process has no states, although a process with a higher number has, or the head of the record names it.',
        example: 'rows of the processes 0 and 2 only',
      },
      REC009: {
        meaning:
          'A message has no partner: its source or destination is not a process of the run. In a Chrome trace: a span has no begin (B) or no end (E).',
        example: 'a message to process 4 of a run of 4 processes',
      },
      REC010: {
        meaning: 'A record has more rows, processes or bytes than can be read.',
        example: 'a JSON line of a gigabyte',
      },
      REC011: {
        meaning:
          'A process is not idle while its node does not take part in the run, or a node joins or leaves outside the run.',
        example: '"joined": 1 for a node with a process that computes from 0 s on',
      },
      REC012: {
        meaning: 'A warning: the recorded run takes months; its times are probably not in seconds.',
        example: '0,0,2e9,computing of a clock in nanoseconds',
      },
      REC013: {
        meaning:
          'Messages are received before they are sent: the clocks of the processes differ. `profile --align` shifts them.',
        example: 'a message that is sent at 2 s and received at 1.9 s',
      },
      REC014: {
        meaning: 'Record files that are given together are not parts of one run.',
        example: 'foretoken profile host0.jsonl host1.jsonl, with another number of processes in the second head',
      },
    },
  },
  worker: {
    title: 'Worker states',
    example: 'What provokes it',
    codes: {
      WRK001: {
        meaning: 'A worker makes a transition that does not exist, such as from WAIT to EXEC.',
        example: '0,1,WAIT and 0,2,EXEC in a workers.csv',
      },
      WRK002: { meaning: 'The time of a worker runs backwards.', example: '0,2,EXEC and 0,1,LOCAL' },
      WRK003: {
        meaning: 'A worker has no END: the time of its last state is unknown.',
        example: 'a workers.csv whose last row of worker 3 is 3,7.5,EXEC',
      },
      WRK004: { meaning: 'A worker has a row after its END, in the same region.', example: '0,2,END and 0,3,EXEC' },
      WRK005: {
        meaning: 'A run has more than a million workers, or none.',
        example: 'a workers.csv with a header only',
      },
      WRK006: { meaning: 'A region has no name, or takes no time.', example: '0,1,EXEC,loop and 0,1,END,loop' },
      WRK007: { meaning: 'A state is given for a name that no span has.', example: '--state tusk=EXEC' },
      WRK008: {
        meaning: 'Patterns with different states match the same span.',
        example: '--state "task*=EXEC" --state "*steal=GLOBAL" with a span task steal',
      },
      WRK009: {
        meaning:
          'A warning: times of worker states are whole numbers of an improbable size, and the unit is not given.',
        example: '0,1500000,EXEC and 0,2500000,END in a workers.csv',
      },
    },
  },
  output: {
    title: 'Written traces',
    example: 'What provokes it',
    codes: {
      OUT001: { meaning: 'The file of a Chrome trace cannot be written.', example: '--trace /nowhere/out.json' },
    },
  },
} as const;
