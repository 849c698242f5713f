/** An error code of merging, renaming, qualifying, hiding or closing nets. */
export interface MergeCode {
  readonly code: string;
  readonly meaning: string;
  /** An example message. */
  readonly example: string;
}

/** The codes in order. */
export const MERGE_CODES: readonly MergeCode[] = [
  {
    code: 'NET060',
    meaning: 'Two modules have different colour sets of one name.',
    example: 'NET060 colour set Slot: is 0 … 3 in left and 0 … 7 in right: colour sets of one name must be equal',
  },
  {
    code: 'NET061',
    meaning: 'Two modules have different tables of one name.',
    example: 'NET061 table times: differs between left and right: tables of one name must be equal',
  },
  {
    code: 'NET062',
    meaning: 'Two modules have different functions of one name.',
    example: 'NET062 function f: is one function in left and another in right: functions of one name must be the same',
  },
  {
    code: 'NET063',
    meaning: 'Two modules state different processes.',
    example:
      'NET063 processes: are numbered by "Process" and ended in "end" in left, numbered by "Thread" and ended in "end" in right: modules that state them must agree',
  },
  {
    code: 'NET064',
    meaning: 'Two modules have places of one name that do not fit together.',
    example:
      'NET064 place buffer: fields (slot: Slot) in left and (slot: Item) in right: places of one name fuse and must agree',
  },
  {
    code: 'NET065',
    meaning: 'Two modules state initial tokens of one place.',
    example:
      'NET065 place buffer: has initial tokens in left and in right: only one of those that share it may state them',
  },
  {
    code: 'NET066',
    meaning: 'Transitions of different modules that do not combine have one name, or two combinations would have one.',
    example:
      'NET066 transition step: occurs in left and right, where no label combines it: qualify the names of one module',
  },
  {
    code: 'NET067',
    meaning: 'Labels export variables of different colour sets under one name.',
    example:
      'NET067 transition get+put: variable "item" has the colour Item in "get" of right and Slot in "put" of left: a variable that is shared has one colour',
  },
  {
    code: 'NET068',
    meaning: 'A partner has a distribution as its delay, and another has a delay as well.',
    example:
      'NET068 transition get+put: the delay of "put" of left is drawn, and "get" of right has one too: one of them alone may be timed',
  },
  {
    code: 'NET069',
    meaning: 'Partners with delays have different timings or numbers of servers.',
    example:
      'NET069 transition get+put: timing race (servers: infinite) in "get" of right and race (servers: single) in "put" of left: partners that state one must agree',
  },
  {
    code: 'NET070',
    meaning: 'Partners state different kinds or processes.',
    example:
      'NET070 transition get+put: kind control in "get" of right and communicate in "put" of left: partners that state one must agree',
  },
  {
    code: 'NET071',
    meaning: 'A label exports what is no variable of its transition, or a variable under two names.',
    example:
      'NET071 transition put: label "go" in left exports "slit", which no input binds and which is not free. Did you mean "slot"? Known: slot.',
  },
  {
    code: 'NET072',
    meaning: 'Partners belong to one module, or to none: nobody could tell later that they have found each other.',
    example:
      'NET072 transition get+put: "get" of left and "put" of left belong to the same module: give each net a name of its own',
  },
  {
    code: 'NET073',
    meaning: 'The transitions of a label have too many combinations.',
    example: 'NET073 label go: has 90000 combinations (300 in left, 300 in right): at most 65536 are expected',
  },
  {
    code: 'NET074',
    meaning: 'A net is to be closed, and a label has found no partner.',
    example: 'NET074 label go: "put" of left found no partner in another module. Did you mean "goo"? Known: goo.',
  },
  {
    code: 'NET075',
    meaning: 'A name that is to be changed, kept or hidden does not occur.',
    example: 'NET075 label og: there is none of this name. Did you mean "go"? Known: go.',
  },
  {
    code: 'NET076',
    meaning: 'A new name is empty or taken.',
    example: 'NET076 place a: the new name "b" is taken',
  },
  {
    code: 'NET077',
    meaning:
      'A rule for combining delays, weights or priorities is not associative, not commutative, or gives no number.',
    example: 'NET077 rule for delay: is not commutative: f(0, 0.5) = -0.5, f(0.5, 0) = 0.5',
  },
  {
    code: 'NET079',
    meaning: 'A module states more initial tokens of a place than another one has room for.',
    example:
      'NET079 place buffer: has 2 initial tokens in left and a capacity of 1 in right: the smallest capacity holds',
  },
];
