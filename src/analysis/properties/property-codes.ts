import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of properties and of the options of verification. */
export const PROPERTY_CODES: readonly ProblemCode[] = [
  { code: 'PROP001', meaning: 'A property has a syntax error.', example: 'AG(tokens(p) <= )' },
  {
    code: 'PROP002',
    meaning: 'A property names an unknown place.',
    example: 'AG tokens(bufer) <= 3',
  },
  {
    code: 'PROP003',
    meaning: 'A property names an unknown transition.',
    example: 'EF enabled(prodcue)',
  },
  {
    code: 'PROP004',
    meaning: 'A colour does not fit its place: wrong columns or an invalid value.',
    example: 'EF tokens(light[purple]) > 0',
  },
  { code: 'PROP005', meaning: 'A formula is nested too deeply.', example: '!!!!! … deadlock' },
  {
    code: 'PROP006',
    meaning: 'A number is not an integer, or too large for exact arithmetic.',
    example: 'AG tokens(p) <= 99999999999999999999',
  },
  {
    code: 'PROP007',
    meaning: 'There is nothing to verify: an empty property, an empty list, a file without properties.',
    example: "foretoken verify net.pnml --property ''",
  },
  {
    code: 'PROP008',
    meaning: 'The formula of final markings has path operators or contains deadlock.',
    example: "verify(net, ['deadlock-free'], { final: 'EF dead' })",
  },
  {
    code: 'PROP009',
    meaning: 'A value is not a property, or has an unknown kind or operator.',
    example: "verify(net, [{ kind: 'saef' }])",
  },
  { code: 'PROP010', meaning: 'Two properties have one name.', example: "[{ id: 'a', … }, { id: 'a', … }]" },
  { code: 'PROP020', meaning: 'A file of formulas cannot be read.', example: '--formulas missing.xml' },
  { code: 'PROP021', meaning: 'A file of formulas is not well-formed XML.', example: '<property-set><property>' },
  {
    code: 'PROP022',
    meaning: 'A file of formulas declares entities or other markup in its DOCTYPE, or is nested too deeply.',
    example: '<!DOCTYPE a [<!ENTITY b "…">]>',
  },
  {
    code: 'PROP023',
    meaning: 'An element of a file of formulas is unknown or misplaced.',
    example: '<exists-path><nxt>',
  },
  {
    code: 'PROP030',
    meaning: 'A sequence of steps does not fit the net: a step is not possible.',
    example: 'replay(net, steps)',
  },
  {
    code: 'PROP031',
    meaning: 'An option of a verification is out of range, or contradicts another.',
    example: 'foretoken verify net.pnml --order depth',
  },
];
