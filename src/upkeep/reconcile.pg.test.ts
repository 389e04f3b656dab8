import { describeReconcile } from '../testing/contract/reconcile-contract.js';

describeReconcile('postgres');
