import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of run records, in every form. */
export const RUN_RECORD_CODES: readonly ProblemCode[] = [
  { code: 'REC001', meaning: 'A run record cannot be read or written.', example: 'foretoken profile missing.ftrun' },
  {
    code: 'REC002',
    meaning: 'A file is not a run record, or its version is not supported.',
    example: 'a text file with the ending .ftrun',
  },
  {
    code: 'REC003',
    meaning: 'A run record is truncated or corrupt; the byte offset of the first bad block is given.',
    example: 'a .ftrun file cut in half',
  },
  {
    code: 'REC004',
    meaning: 'A column is unknown or duplicate, or a required one is missing.',
    example: 'a states.csv with the header process,begin,end,state',
  },
  {
    code: 'REC005',
    meaning: 'A cell is missing or has the wrong type: a number, a state, an interval path.',
    example: '0,0,1,sleeping in a states.csv',
  },
  { code: 'REC006', meaning: 'A span ends before it begins.', example: '0,2,1,computing' },
  {
    code: 'REC007',
    meaning: 'Two spans of one process overlap, or are not ordered by time where required.',
    example: '0,0,2,computing and 0,1,3,waiting',
  },
  {
    code: 'REC008',
    meaning:
      'A process has no states, although a process with a higher number has, or the head of the record names it.',
    example: 'rows of the processes 0 and 2 only',
  },
  {
    code: 'REC009',
    meaning: 'A message has no partner: its source or destination is not a process of the run.',
    example: 'a message to process 4 of a run of 4 processes',
  },
  {
    code: 'REC010',
    meaning: 'A record has more rows, processes or bytes than can be read.',
    example: 'a JSON line of a gigabyte',
  },
  {
    code: 'REC011',
    meaning: 'A process is not idle while its node does not take part in the run.',
    example: '"joined": 1 for a node with a process that computes from 0 s on',
  },
];
