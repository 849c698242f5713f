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
    meaning: 'Modules have different colour sets of the same name.',
    example: 'NET060 colour set Slot: is 0 … 3 in left and 0 … 7 in right: colour sets of the same name must be equal',
  },
  {
    code: 'NET061',
    meaning: 'Modules have different tables of the same name.',
    example: 'NET061 table times: differs between left and right: tables of the same name must be equal',
  },
  {
    code: 'NET062',
    meaning: 'Modules have different functions of the same name.',
    example:
      'NET062 function f: is one function in left and another in right: functions of the same name must be identical',
  },
  {
    code: 'NET063',
    meaning: 'Modules declare different processes.',
    example:
      'NET063 processes: are numbered by "Process" and ended in "end" in left, numbered by "Thread" and ended in "end" in right: modules that declare processes must agree',
  },
  {
    code: 'NET064',
    meaning: 'Modules have incompatible places of the same name.',
    example:
      'NET064 place buffer: fields (slot: Slot) in left and (slot: Item) in right: places of the same name are fused and must agree',
  },
  {
    code: 'NET065',
    meaning: 'Two modules give initial tokens of one place.',
    example: 'NET065 place buffer: has initial tokens in left and in right: only one module may give initial tokens',
  },
  {
    code: 'NET066',
    meaning: 'Transitions of different modules that do not combine have the same name, or two combinations would.',
    example: 'NET066 transition step: occurs in left and right without a common label: qualify the names of one module',
  },
  {
    code: 'NET067',
    meaning: 'Labels export variables of different colour sets under the same name.',
    example:
      'NET067 transition get+put: variable "item" has the colour Item in "get" of right and Slot in "put" of left: a shared variable must have one colour set',
  },
  {
    code: 'NET068',
    meaning: 'Two partners have delays, one of them a distribution.',
    example:
      'NET068 transition get+put: the delay of "put" of left is a distribution, but "get" of right has a delay, too: only one may have a delay',
  },
  {
    code: 'NET069',
    meaning: 'Partners with delays differ in timing or number of servers.',
    example:
      'NET069 transition get+put: timing race (servers: infinite) in "get" of right and race (servers: single) in "put" of left: partners must agree',
  },
  {
    code: 'NET070',
    meaning: 'Partners have different kinds or processes.',
    example:
      'NET070 transition get+put: kind control in "get" of right and communicate in "put" of left: partners must agree',
  },
  {
    code: 'NET071',
    meaning: 'A label exports something that is not a variable of its transition, or a variable under two names.',
    example:
      'NET071 transition put: label "go" in left exports "slit", which is neither bound by an input nor free. Did you mean "slot"? Known: slot.',
  },
  {
    code: 'NET072',
    meaning: 'Partners belong to the same module, or to none, so that `close` could not recognise them as partners.',
    example:
      'NET072 transition get+put: "get" of left and "put" of left belong to the same module: give each net a different name',
  },
  {
    code: 'NET073',
    meaning: 'The transitions of a label have too many combinations.',
    example: 'NET073 label go: has 90000 combinations (300 in left, 300 in right): expected at most 65536',
  },
  {
    code: 'NET074',
    meaning: 'A label of a net to be closed has no partner.',
    example: 'NET074 label go: "put" of left has no partner in another module. Did you mean "goo"? Known: goo.',
  },
  {
    code: 'NET075',
    meaning: 'A name to be changed, kept or hidden does not exist.',
    example: 'NET075 label og: unknown name. Did you mean "go"? Known: go.',
  },
  {
    code: 'NET076',
    meaning: 'A new name is empty or taken.',
    example: 'NET076 place a: the new name "b" is taken',
  },
  {
    code: 'NET077',
    meaning:
      'A rule for combining delays, weights or priorities is not associative, not commutative, or does not return a number.',
    example: 'NET077 rule for delay: is not commutative: f(0, 0.5) = -0.5, f(0.5, 0) = 0.5',
  },
  {
    code: 'NET079',
    meaning: 'A module gives a place more initial tokens than its capacity in another module.',
    example:
      'NET079 place buffer: has 2 initial tokens in left and a capacity of 1 in right: the smallest capacity applies',
  },
];
