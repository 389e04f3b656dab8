import { describe } from '@jest/globals';
import { describeBatchCommands } from '../testing/contract/batch-commands-contract.js';

describe('commands of batches on postgres', () => describeBatchCommands('postgres'));
