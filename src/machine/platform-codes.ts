import type { ProblemCode } from '../base/problem-code.ts';

/** Problem codes of platforms, network models, hostfiles and the placement of ranks. */
export const PLATFORM_CODES: readonly ProblemCode[] = [
  { code: 'PLAT001', meaning: 'The file of a platform cannot be read, or is not text.', example: 'an empty file' },
  { code: 'PLAT002', meaning: 'The platform is not well-formed XML.', example: '<host id="a" speed="1Gf">' },
  { code: 'PLAT003', meaning: 'The document type declares markup or entities.', example: '<!DOCTYPE platform [ … ]>' },
  { code: 'PLAT004', meaning: 'Elements are nested too deep.', example: 'a zone in a zone in a zone …' },
  {
    code: 'PLAT005',
    meaning: 'An element is not known, not supported, or stands in the wrong place.',
    example: '<disk id="d"/>',
  },
  {
    code: 'PLAT006',
    meaning: 'An attribute is not known, not supported, or missing.',
    example: '<host id="a"/>',
  },
  {
    code: 'PLAT007',
    meaning: 'A quantity is out of range or has another unit.',
    example: '<host id="a" speed="1GBps"/>',
  },
  { code: 'PLAT008', meaning: 'A name or a route is given twice.', example: 'two hosts "a"' },
  { code: 'PLAT009', meaning: 'A word or a version is not supported.', example: '<zone id="z" routing="Vivaldi">' },
  {
    code: 'PLAT010',
    meaning: 'There are more hosts or links than supported, or a radical is none.',
    example: 'radical="0-"',
  },
  {
    code: 'PLAT011',
    meaning: 'The parameters of a fat tree are none, or do not fit the number of hosts.',
    example: 'topo_parameters="2;4,4;1,2;1,2" of a cluster of four hosts',
  },
  { code: 'PLAT012', meaning: 'A route names what is not there.', example: '<route src="a" dst="nobody">' },
  {
    code: 'PLAT013',
    meaning: 'The zones do not make one platform: none with hosts, two outermost ones, or one inside itself.',
    example: 'a platform without hosts',
  },
  {
    code: 'PLAT020',
    meaning: 'There is no route between two hosts that communicate.',
    example: 'two hosts without <route>',
  },
  { code: 'PLAT021', meaning: 'A hostfile names a host that the platform does not have.', example: 'nodee0' },
  { code: 'PLAT030', meaning: 'A network model is not known.', example: '--network-model simgrid' },
  { code: 'PLAT040', meaning: 'A hostfile cannot be read, is not text, or names no host.', example: 'an empty file' },
  { code: 'PLAT041', meaning: 'A line of a hostfile has no number of slots.', example: 'node0:two' },
  {
    code: 'PLAT042',
    meaning: 'Note: a hostfile has fewer slots than there are ranks, so its lines repeat.',
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
