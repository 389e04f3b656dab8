import { describe } from '@jest/globals';
import { describeDelivery, describeFlood, describeLag, describePublishing } from './describe-delivery.js';
import { describeKilledProcesses, describePauses, describeStopping } from './describe-interruptions.js';
import { describeVerdicts } from './describe-verdicts.js';
import { MessagingBench, type MessagingContract } from './messaging-bench.js';

/** What every broker adapter promises, checked against its real broker. */
export function describeMessaging(name: string, contract: MessagingContract): void {
  describe(`messaging over ${name}`, () => {
    const bench = new MessagingBench(contract);
    describePublishing(bench);
    describeDelivery(bench);
    describeFlood(bench);
    describeLag(bench);
    describeVerdicts(bench);
    describePauses(bench);
    describeStopping(bench);
    if (contract.servesProcesses) describeKilledProcesses(bench);
  });
}
