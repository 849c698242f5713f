import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of reading a PNML file. */
export const PNML_CODES: readonly ProblemCode[] = [
  {
    code: 'PNML001',
    meaning: 'The input is empty, binary, too large, invalid in its encoding, or neither a string nor bytes.',
    example: 'an image',
  },
  { code: 'PNML002', meaning: 'The file is not well-formed XML, or ends too early.', example: '<place id="p">' },
  {
    code: 'PNML003',
    meaning: 'The file has a document type: PNML has none, and entities are never expanded.',
    example: '<!DOCTYPE pnml [ … ]>',
  },
  { code: 'PNML004', meaning: 'Elements are nested too deeply.', example: 'a page in a page in a page …' },
  {
    code: 'PNML005',
    meaning: 'An element is unknown or misplaced.',
    example: '<place id="p"><delay/></place>',
  },
  { code: 'PNML006', meaning: 'An attribute is missing or empty.', example: '<arc id="a" source="p"/>' },
  {
    code: 'PNML007',
    meaning: 'A number is invalid, negative, or larger than supported.',
    example: '<inscription><text>-1</text></inscription>',
  },
  { code: 'PNML008', meaning: 'A duplicate id or label.', example: 'two places with the id "p"' },
  {
    code: 'PNML009',
    meaning: 'There is no net, there are several, or its type is not supported.',
    example: '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnnet">',
  },
  {
    code: 'PNML010',
    meaning: 'A reference to an unknown id.',
    example: '<arc id="a" source="p" target="?"/>',
  },
  {
    code: 'PNML011',
    meaning: 'An arc does not connect a place and a transition, or has the wrong direction.',
    example: 'an arc between two places',
  },
  {
    code: 'PNML012',
    meaning: 'A sort, an operator or a reference contains itself.',
    example: '<namedsort id="s" name="S"><usersort declaration="s"/></namedsort>',
  },
  {
    code: 'PNML013',
    meaning: 'A sort is not supported: it is infinite, or not a sort of symmetric nets.',
    example: '<type><structure><natural/></structure></type>',
  },
  { code: 'PNML014', meaning: 'An operator is unknown or not supported.', example: '<cardinality>' },
  {
    code: 'PNML015',
    meaning: 'A sort or an operator has the wrong number of parts.',
    example: '<successor/>',
  },
  { code: 'PNML016', meaning: 'Sorts do not match.', example: 'a process on an arc to a place of resources' },
  {
    code: 'PNML017',
    meaning: 'An initial marking has variables, or a negative number of tokens of a colour.',
    example: "the marking 1'a − 2'a",
  },
  {
    code: 'PNML018',
    meaning: 'A colour set, a multiset or an expression has more parts than supported.',
    example: '<all> of a product of 10¹² colours',
  },
  {
    code: 'PNML019',
    meaning: 'A label is missing, or has only <text> where <structure> is needed.',
    example: 'a place of a symmetric net without a type',
  },
  {
    code: 'PNML020',
    meaning: 'An arc has an unsupported kind, or an unsupported combination of features.',
    example: '<type value="transport"/>',
  },
];
