/**
 * Loaded before the tests: Node runs them as they are written, so that no position has to be looked up in a source map.
 * Playwright reads a stack at each of its calls, which took a tenth of a worker's time with the look-ups.
 */
process.setSourceMapsEnabled(false);
