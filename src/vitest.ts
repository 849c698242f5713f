/**
 * Matchers on nets and program models for vitest: `import 'foretoken/vitest'` once, in a test file or a setup file.
 */

import { expect, type JestAssertion } from 'vitest';
import type { NetMatchers, SatisfyProperty } from './testing/matcher-types.ts';
import * as matchers from './testing/net-matchers.ts';

export type { FinishOptions } from './testing/finish.ts';
export type { Final, MatcherOptions } from './testing/matcher-options.ts';
export type { NetMatchers, SatisfyProperty } from './testing/matcher-types.ts';

expect.extend({ ...matchers });

declare module 'vitest' {
  interface Matchers<T> extends NetMatchers<T> {}
  /** Extends vitest's own matcher of this name: a predicate is evaluated as vitest does, a property is verified. */
  interface Assertion<T> {
    toSatisfy: JestAssertion<T>['toSatisfy'] & SatisfyProperty<void>;
  }
}
