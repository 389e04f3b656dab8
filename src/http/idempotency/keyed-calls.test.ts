import { describeKeyedCalls } from '../../testing/contract/keyed-calls-contract.js';

describeKeyedCalls('pglite');
