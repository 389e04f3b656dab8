import { describe } from '@jest/globals';
import { describeBatches } from '../testing/contract/batches-contract.js';

describe('batches on postgres', () => describeBatches('postgres'));
