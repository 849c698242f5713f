import type { ProblemCode } from '../../base/problem-code.ts';

/** Errors of reading a PNML file. */
export const PNML_CODES: readonly ProblemCode[] = [
  {
    code: 'PNML001',
    meaning: 'The file is empty, binary, too large, no text of its encoding, or what is given is no file at all.',
    example: 'an image',
  },
  { code: 'PNML002', meaning: 'The file is not well-formed XML, or ends too early.', example: '<place id="p">' },
  {
    code: 'PNML003',
    meaning: 'There is a document type: PNML has none, and entities are never expanded.',
    example: '<!DOCTYPE pnml [ … ]>',
  },
  { code: 'PNML004', meaning: 'Elements are nested too deep.', example: 'a page in a page in a page …' },
  {
    code: 'PNML005',
    meaning: 'An element is not known, or stands in the wrong place.',
    example: '<place id="p"><delay/></place>',
  },
  { code: 'PNML006', meaning: 'An attribute is missing or empty.', example: '<arc id="a" source="p"/>' },
  {
    code: 'PNML007',
    meaning: 'A number is none, negative, or larger than supported.',
    example: '<inscription><text>-1</text></inscription>',
  },
  { code: 'PNML008', meaning: 'An id or a label is given twice.', example: 'two places with the id "p"' },
  {
    code: 'PNML009',
    meaning: 'There is no net, there are several, or its type is not supported.',
    example: '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnnet">',
  },
  {
    code: 'PNML010',
    meaning: 'An id is referred to that is not there.',
    example: '<arc id="a" source="p" target="?"/>',
  },
  {
    code: 'PNML011',
    meaning: 'An arc does not go between a place and a transition, or not in that direction.',
    example: 'an arc between two places',
  },
  {
    code: 'PNML012',
    meaning: 'A sort, an operator or a reference contains itself.',
    example: '<namedsort id="s" name="S"><usersort declaration="s"/></namedsort>',
  },
  {
    code: 'PNML013',
    meaning: 'A sort is not supported here: it has no end, or is none of symmetric nets.',
    example: '<type><structure><natural/></structure></type>',
  },
  { code: 'PNML014', meaning: 'An operator is not known, or not supported.', example: '<cardinality>' },
  {
    code: 'PNML015',
    meaning: 'A sort or an operator has another number of parts than it needs.',
    example: '<successor/>',
  },
  { code: 'PNML016', meaning: 'Sorts do not fit.', example: 'a process on an arc to a place of resources' },
  {
    code: 'PNML017',
    meaning: 'An initial marking has variables, or fewer tokens of a colour than none.',
    example: "the marking 1'a − 2'a",
  },
  {
    code: 'PNML018',
    meaning: 'A colour set, a multiset or an expression has more parts than supported.',
    example: '<all> of a product of 10¹² colours',
  },
  {
    code: 'PNML019',
    meaning: 'A label is missing, or has a text only where its structure is needed.',
    example: 'a place of a symmetric net without a type',
  },
  {
    code: 'PNML020',
    meaning: 'An arc is of a kind that is not supported, or not with what else it says.',
    example: '<type value="transport"/>',
  },
];
