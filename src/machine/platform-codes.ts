import type { ProblemCode } from '../base/problem-code.ts';

/** Problem codes of platforms, network models, hostfiles and the placement of ranks. */
export const PLATFORM_CODES: readonly ProblemCode[] = [
  { code: 'PLAT001', meaning: 'A platform file cannot be read, or is not a text file.', example: 'an empty file' },
  { code: 'PLAT002', meaning: 'The platform is not well-formed XML.', example: '<host id="a" speed="1Gf">' },
  { code: 'PLAT003', meaning: 'The document type declares markup or entities.', example: '<!DOCTYPE platform [ … ]>' },
  { code: 'PLAT004', meaning: 'Elements are nested too deeply.', example: 'a zone in a zone in a zone …' },
  {
    code: 'PLAT005',
    meaning: 'An element is unknown, not supported, or misplaced.',
    example: '<disk id="d"/>',
  },
  {
    code: 'PLAT006',
    meaning: 'An attribute is unknown, not supported, or missing.',
    example: '<host id="a"/>',
  },
  {
    code: 'PLAT007',
    meaning: 'A quantity is out of range or has the wrong unit.',
    example: '<host id="a" speed="1GBps"/>',
  },
  { code: 'PLAT008', meaning: 'A duplicate name or route.', example: 'two hosts "a"' },
  { code: 'PLAT009', meaning: 'A word or a version is not supported.', example: '<zone id="z" routing="Vivaldi">' },
  {
    code: 'PLAT010',
    meaning: 'There are more hosts or links than supported, or a radical is invalid.',
    example: 'radical="0-"',
  },
  {
    code: 'PLAT011',
    meaning: 'The parameters of a fat tree are invalid, or do not fit the number of hosts.',
    example: 'topo_parameters="2;4,4;1,2;1,2" of a cluster of four hosts',
  },
  {
    code: 'PLAT012',
    meaning: 'A route refers to an unknown host, router, zone or link.',
    example: '<route src="a" dst="nobody">',
  },
  {
    code: 'PLAT013',
    meaning: 'The zones do not form one platform: no hosts, two outermost zones, or a zone inside itself.',
    example: 'a platform without hosts',
  },
  {
    code: 'PLAT020',
    meaning: 'There is no route between two hosts that communicate.',
    example: 'two hosts without <route>',
  },
  { code: 'PLAT021', meaning: 'A hostfile names an unknown host.', example: 'nodee0' },
  { code: 'PLAT030', meaning: 'An unknown network model.', example: '--network-model simgrid' },
  {
    code: 'PLAT040',
    meaning: 'A hostfile cannot be read, is not a text file, or names no host.',
    example: 'an empty file',
  },
  { code: 'PLAT041', meaning: 'The number of slots in a hostfile is invalid.', example: 'node0:two' },
  {
    code: 'PLAT042',
    meaning: 'Note: a hostfile has fewer slots than there are ranks, so its lines are repeated.',
    example: 'node0:2 and three ranks',
  },
  {
    code: 'PLAT043',
    meaning: 'There are more ranks than hosts, and no hostfile.',
    example: 'nine ranks on eight hosts',
  },
  {
    code: 'PLAT050',
    meaning: "Warning: a setting in a platform's <config> is not applied.",
    example: '<config><prop id="smpi/os" value="0:1e-6:0"/></config>',
  },
];
