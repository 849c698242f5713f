import type { ProblemCode } from '../../base/problem-code.ts';

/** Problems of properties and of the options of verification. */
export const PROPERTY_CODES: readonly ProblemCode[] = [
  { code: 'PROP001', meaning: 'A property is not written as the language has it.', example: 'AG(tokens(p) <= )' },
  {
    code: 'PROP002',
    meaning: 'A property names a place that the net does not have.',
    example: 'AG tokens(bufer) <= 3',
  },
  {
    code: 'PROP003',
    meaning: 'A property names a transition that the net does not have.',
    example: 'EF enabled(prodcue)',
  },
  {
    code: 'PROP004',
    meaning: 'A colour does not fit its place: other columns, or a value that is none.',
    example: 'EF tokens(light[purple]) > 0',
  },
  { code: 'PROP005', meaning: 'A formula is nested too deep.', example: '!!!!! … deadlock' },
  {
    code: 'PROP006',
    meaning: 'A number is not whole, or too large to count with exactly.',
    example: 'AG tokens(p) <= 99999999999999999999',
  },
  {
    code: 'PROP007',
    meaning: 'There is nothing to verify: an empty property, an empty list, a file without properties.',
    example: "foretoken verify net.pnml --property ''",
  },
  {
    code: 'PROP008',
    meaning: 'What counts as a final marking is asked of paths, or of deadlocks themselves.',
    example: "verify(net, ['deadlock-free'], { final: 'EF dead' })",
  },
  {
    code: 'PROP009',
    meaning: 'Something else than a property is given, or a property in a form that the language does not have.',
    example: "verify(net, [{ kind: 'saef' }])",
  },
  { code: 'PROP010', meaning: 'Two properties have one name.', example: "[{ id: 'a', … }, { id: 'a', … }]" },
  { code: 'PROP020', meaning: 'A file of formulas cannot be read.', example: '--formulas missing.xml' },
  { code: 'PROP021', meaning: 'A file of formulas is no well-formed XML.', example: '<property-set><property>' },
  {
    code: 'PROP022',
    meaning: 'A file of formulas declares entities or other markup in its DOCTYPE, or is nested too deep.',
    example: '<!DOCTYPE a [<!ENTITY b "…">]>',
  },
  {
    code: 'PROP023',
    meaning: 'An element of a file of formulas is not known, or does not belong where it stands.',
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
