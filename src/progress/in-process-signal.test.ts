import { describe, expect, it } from '@jest/globals';
import { progressSignalContract } from '../testing/contract/progress-signal-contract.js';
import { InProcessSignal } from './in-process-signal.js';

progressSignalContract('one process', () => {
  const signal = new InProcessSignal(true);
  return Promise.resolve({ here: signal, there: signal, close: () => Promise.resolve() });
});

describe('InProcessSignal', () => {
  it('has told its listeners when announce returns', () => {
    const signal = new InProcessSignal(false);
    const heard: string[] = [];
    signal.subscribe(({ taskId }) => heard.push(taskId));
    signal.announce({ tenantId: '0', taskId: '1' });
    expect(heard).toEqual(['1']);
  });
});
