export { blur as default } from './modules.ts';
