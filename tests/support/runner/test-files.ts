/** Files that the runner of tests looks for, from the root of the checkout. */
export const TEST_FILES = '{contract,server,app,tests,scripts,packages,ops}/**/*.test.{ts,tsx}';
