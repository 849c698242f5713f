/** Printed figures: seconds with 3968 threads, and gains of back substitution in percent, (T_old / T_new − 1) · 100. */
export type Scheduler = 'a0' | 'a1' | 'a2';
export type Method = 1 | 2;

export interface Time {
  readonly method: Method;
  readonly phase: 'total' | 'back substitution';
  readonly scheduler: Scheduler;
  readonly seconds: number;
  /** Whether a parameter is fitted to it, or costs were chosen with it in view. Times without this are predicted blindly. */
  readonly use?: 'fitted' | 'chosen';
}
export const THREADS = 3968;
export const times: readonly Time[] = [
  { method: 1, phase: 'total', scheduler: 'a0', seconds: 404.99, use: 'chosen' },
  { method: 1, phase: 'total', scheduler: 'a1', seconds: 375.83, use: 'fitted' },
  { method: 1, phase: 'total', scheduler: 'a2', seconds: 367.1, use: 'chosen' },
  { method: 1, phase: 'back substitution', scheduler: 'a0', seconds: 27.57, use: 'fitted' },
  { method: 1, phase: 'back substitution', scheduler: 'a1', seconds: 14.54, use: 'fitted' },
  { method: 1, phase: 'back substitution', scheduler: 'a2', seconds: 8.77, use: 'chosen' },
  { method: 2, phase: 'total', scheduler: 'a0', seconds: 413.14 },
  { method: 2, phase: 'total', scheduler: 'a1', seconds: 380.26 },
  { method: 2, phase: 'total', scheduler: 'a2', seconds: 368.92 },
  { method: 2, phase: 'back substitution', scheduler: 'a0', seconds: 6.0695 },
  { method: 2, phase: 'back substitution', scheduler: 'a1', seconds: 6.0639, use: 'chosen' },
  { method: 2, phase: 'back substitution', scheduler: 'a2', seconds: 2.3035 },
];

/** Ends of the ranges of gains in back substitution, with the number of threads at which they were measured. */
export interface Gain {
  readonly method: Method;
  readonly from: Scheduler;
  readonly to: Scheduler;
  readonly threads: number;
  readonly percent: number;
}
export const gains: readonly Gain[] = [
  { method: 1, from: 'a0', to: 'a1', threads: 64, percent: 3.45 },
  { method: 1, from: 'a0', to: 'a1', threads: 7936, percent: 125.47 },
  { method: 1, from: 'a1', to: 'a2', threads: 496, percent: 2.03 },
  { method: 1, from: 'a1', to: 'a2', threads: 992, percent: 166.03 },
  { method: 2, from: 'a0', to: 'a1', threads: 128, percent: 17.81 },
  { method: 2, from: 'a0', to: 'a1', threads: 3968, percent: 0.09 },
  { method: 2, from: 'a1', to: 'a2', threads: 32, percent: 56.2 },
  { method: 2, from: 'a1', to: 'a2', threads: 7936, percent: 411.11 },
];
