import { describeDatabase } from '../testing/contract/database-contract.js';

describeDatabase('pglite');
