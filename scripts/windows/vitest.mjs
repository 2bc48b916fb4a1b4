// What a test file imports as `vitest` where vitest itself does not start: its own runner and its own expectations, which need nothing but Node.

import {
  chai,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, onTestFinished, suite, test } from '@vitest/runner';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null, testPath: '' }, expect);
Object.assign(expect, chai.expect);
globalThis[GLOBAL_EXPECT] = expect;
