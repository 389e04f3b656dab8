import { TestEnvironment } from 'jest-environment-node';

const shared = [
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
];

/** Gives the sandbox the process's own typed arrays: native modules and worker messages compare constructors. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of shared) this.global[name] = globalThis[name];
  }
}
